// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads call becomes part of the loop over threads, as it becomes part of the kernel on a
// GPU:
//
//   if (x < nx && y < ny) body(x, y);      a kernel that is given a function object
//
// clang leaves larger functions alone where they are called twice, as they are here: by threads of
// which it is known that they are inside of something, and by all others. A loop with a call in it
// is no vector.
#include "kernel_passes.h"

#include <map>
#include <vector>

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace {

/// Whether a function is the lambda in which a kernel keeps what a thread does: it lies in a
/// function of the user's and is given a thread. Blocks of sizes that no launch shows are rare.
bool isBodyOfThreads(const llvm::Function& f) {
  const llvm::StringRef name = f.getName();
  return name.starts_with("_ZZ") && !name.starts_with("_ZZN6cu2cpp") &&
         (name.contains("ENKUl") || name.contains("ENK3$_")) &&
         (name.contains("5uint3") || name.contains("6ThreadE") || name.contains("4LaneE")) &&
         !name.contains("9RareBlock");
}

/// Whether a function may be written out where it is called; `size` is about how long it is.
bool mayBePart(const llvm::Function& f, unsigned& size) {
  if (f.isDeclaration() || f.isInterposable() || f.isVarArg() ||
      f.hasFnAttribute(llvm::Attribute::NoInline) ||
      f.hasFnAttribute(llvm::Attribute::OptimizeNone) ||
      f.hasFnAttribute(llvm::Attribute::AlwaysInline) || f.getName().starts_with("_ZN6cu2cpp") ||
      f.getName().starts_with("_ZNSt"))
    return false;
  size = 0;
  for (const llvm::BasicBlock& block : f)
    for (const llvm::Instruction& i : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (call && call->getCalledFunction() == &f)
        return false;
      size += !llvm::isa<llvm::AllocaInst>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
    }
  return true;
}

/// Whether both are compiled for the same processor: no function may be part of another's
/// otherwise.
bool alike(const llvm::Function& a, const llvm::Function& b) {
  const auto same = [&](const char* what) {
    return a.getFnAttribute(what).getValueAsString() == b.getFnAttribute(what).getValueAsString();
  };
  return same("target-cpu") && same("target-features");
}

} // namespace

llvm::PreservedAnalyses cu2cpp::FunctionsOfThreads::run(llvm::Module& module,
                                                        llvm::ModuleAnalysisManager&) {
  constexpr std::size_t mostCalls = 2;
  constexpr unsigned longest = 1500;
  std::map<llvm::Function*, std::vector<llvm::CallBase*>> calls;
  for (llvm::Function& f : module) {
    if (f.isDeclaration() || !isBodyOfThreads(f))
      continue;
    for (llvm::BasicBlock& block : f)
      for (llvm::Instruction& i : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i); call && call->getCalledFunction())
          calls[call->getCalledFunction()].push_back(call);
  }
  bool changed = false;
  for (const auto& [callee, sites] : calls) {
    unsigned size = 0;
    if (sites.size() > mostCalls || !mayBePart(*callee, size) || size > longest)
      continue;
    for (llvm::CallBase* call : sites)
      if (!call->isNoInline() && alike(*call->getFunction(), *callee))
        call->addFnAttr(llvm::Attribute::AlwaysInline);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

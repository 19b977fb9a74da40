// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions in loops that become vectors: glibc's libmvec has versions of tanhf(),
// erff(), erfc() and others for 4, 8 and 16 lanes, of which LLVM knows only those of sin, cos, exp,
// log and pow. Calls are told of those that keep within the errors of CUDA's tables: the vector
// versions of log2f(), expm1f() and tanh(), say, do not, nor is cbrtf(27) exact.
#include "kernel_passes.h"

#include <string>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define CU2CPP_VECTOR_MATH
#endif
#endif

namespace {

struct Versions {
  const char* name;
  unsigned lanes; ///< of the widest version that is exact enough, for `float`; 0 if none is
  unsigned lanesOfDoubles; ///< for `double`
};
// Measured against results with twice the digits, as are these bounds: erff() with 16 lanes is off
// by up to 4 units in the last place, where CUDA allows 2, and so are acos() and atanh() with 2 or
// 4 by a little more than theirs.
constexpr Versions known[] = {{"acosh", 16, 8}, {"asinh", 16, 8}, {"atanh", 16, 0},
                              {"erf", 8, 0},    {"erfc", 16, 8},  {"exp2", 16, 0},
                              {"sinh", 16, 8},  {"tan", 16, 0},   {"tanh", 16, 0}};

/// Function is a function that a call reaches, as libmvec calls it, and the lanes of its widest
/// version; no lanes for others.
struct Function {
  std::string name;
  unsigned lanes = 0;
};
Function functionOf(const llvm::CallInst& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  const llvm::Type* const type = call.getType();
  if (!callee || !callee->isDeclaration() || call.arg_size() != 1 ||
      !(type->isFloatTy() || type->isDoubleTy()) || call.getArgOperand(0)->getType() != type ||
      !call.doesNotAccessMemory() || call.isNoBuiltin() || call.isStrictFP())
    return {};
  // `llvm.exp2.f32` is exp2f() as long as nothing else is known of it.
  llvm::StringRef name = callee->getName();
  const bool intrinsic = name.consume_front("llvm.");
  if (intrinsic ? !name.consume_back(type->isFloatTy() ? ".f32" : ".f64")
                : type->isFloatTy() && !name.consume_back("f"))
    return {};
  for (const Versions& versions : known)
    if (name == versions.name)
      return type->isFloatTy() ? Function{name.str() + "f", versions.lanes}
                               : Function{name.str(), versions.lanesOfDoubles};
  return {};
}

/// The version for so many lanes, by the letter of the processor's vectors, which the module is to
/// declare.
std::string declareVersion(llvm::Module& module, const std::string& function, llvm::Type* type,
                           char vectors, unsigned lanes) {
  const std::string name =
      std::string("_ZGV") + vectors + "N" + std::to_string(lanes) + "v_" + function;
  if (!module.getFunction(name)) {
    auto* const values = llvm::FixedVectorType::get(type, lanes);
    auto* const version = llvm::Function::Create(llvm::FunctionType::get(values, {values}, false),
                                                 llvm::Function::ExternalLinkage, name, module);
    version->setDoesNotAccessMemory();
    version->setDoesNotThrow();
    version->setWillReturn();
    llvm::appendToCompilerUsed(module, {version});
  }
  return name + "(" + name + ")";
}

} // namespace

llvm::PreservedAnalyses
cu2cpp::VectorMath::run(llvm::Function& f,
                        [[maybe_unused]] llvm::FunctionAnalysisManager& analyses) {
#if defined(CU2CPP_VECTOR_MATH)
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  if (!features.contains("+avx2"))
    return llvm::PreservedAnalyses::all();
  const bool wide = features.contains("+avx512f");
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  std::vector<llvm::CallInst*> calls;
  for (llvm::BasicBlock& block : f)
    if (loops.getLoopFor(&block))
      for (llvm::Instruction& i : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&i);
            call && !call->getAttributes().hasFnAttr("vector-function-abi-variant") &&
            functionOf(*call).lanes > 0)
          calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    llvm::Module& module = *f.getParent();
    llvm::Type* const type = call->getType();
    const auto [name, lanes] = functionOf(*call);
    const unsigned words = type->isFloatTy() ? 1 : 2;
    std::vector<std::string> versions{declareVersion(module, name, type, 'b', 4 / words),
                                      declareVersion(module, name, type, 'd', 8 / words)};
    if (wide && lanes == 16 / words)
      versions.push_back(declareVersion(module, name, type, 'e', lanes));
    if (llvm::isa<llvm::IntrinsicInst>(call)) {
      const auto scalar =
          module.getOrInsertFunction(name, llvm::FunctionType::get(type, {type}, false));
      auto* const named = llvm::IRBuilder<>(call).CreateCall(scalar, {call->getArgOperand(0)});
      named->setDoesNotAccessMemory();
      named->setDoesNotThrow();
      named->addFnAttr(llvm::Attribute::WillReturn);
      named->copyFastMathFlags(call);
      named->takeName(call);
      call->replaceAllUsesWith(named);
      call->eraseFromParent();
      call = named;
    }
    llvm::VFABI::setVectorVariantNames(call, versions);
  }
  if (!calls.empty())
    return llvm::PreservedAnalyses::none();
#endif
  return llvm::PreservedAnalyses::all();
}

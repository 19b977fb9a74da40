// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads tell clang that threads do not depend on each other, by a mark on each access
// to memory in them, and on each call until that has become part of the loop. Where clang gives a
// function the parts of a structure in its place (`cu2cpp::Thread`, of which a kernel's lambda
// takes one number or two), it makes calls anew, and they have no mark: the loop asks at run time
// whether arrays overlap, or makes no vectors. Such calls get the mark of their loop again.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace {

constexpr const char* calledInLoops = "cu2cpp-called-in-marked-loops";

/// The calls of a function, if it is called in this module alone and nothing else is done with it.
llvm::SmallVector<llvm::CallBase*> callsOf(llvm::Function& f) {
  llvm::SmallVector<llvm::CallBase*> calls;
  for (const llvm::Use& use : f.uses()) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isCallee(&use))
      return {};
    calls.push_back(call);
  }
  return calls;
}

/// The mark of the accesses of the loop around a call, if the loop has one.
llvm::MDNode* markAround(const llvm::CallBase& call, const llvm::LoopInfo& loops) {
  const llvm::Loop* const loop = loops.getLoopFor(call.getParent());
  const llvm::MDNode* const own = loop ? loop->getLoopID() : nullptr;
  const llvm::MDNode* const marks =
      own ? llvm::findOptionMDForLoopID(const_cast<llvm::MDNode*>(own),
                                        "llvm.loop.parallel_accesses")
          : nullptr;
  return marks && marks->getNumOperands() == 2
             ? llvm::dyn_cast<llvm::MDNode>(marks->getOperand(1).get())
             : nullptr;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::CallsInLoops::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager&) {
  // Functions that become part of such loops themselves hand on what they call.
  const auto isInLoop = [](const llvm::CallBase* call) {
    const llvm::Function* const caller = call->getFunction();
    return call->hasMetadata(llvm::LLVMContext::MD_access_group) ||
           (caller->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
            caller->hasFnAttribute(calledInLoops));
  };
  for (bool more = true; more;) {
    more = false;
    for (llvm::Function& f : module) {
      if (f.isDeclaration() || !f.hasLocalLinkage() || f.hasFnAttribute(calledInLoops))
        continue;
      const auto calls = callsOf(f);
      if (calls.empty() || !llvm::all_of(calls, isInLoop))
        continue;
      f.addFnAttr(calledInLoops);
      more = true;
    }
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses cu2cpp::MarksOfCalls::run(llvm::LazyCallGraph::SCC& functions,
                                                  llvm::CGSCCAnalysisManager&, llvm::LazyCallGraph&,
                                                  llvm::CGSCCUpdateResult&) {
  for (llvm::LazyCallGraph::Node& node : functions) {
    if (!node.getFunction().hasFnAttribute(calledInLoops))
      continue;
    llvm::MapVector<llvm::Function*, llvm::SmallVector<llvm::CallBase*>> unmarked;
    for (llvm::CallBase* call : callsOf(node.getFunction()))
      if (!call->hasMetadata(llvm::LLVMContext::MD_access_group))
        unmarked[call->getFunction()].push_back(call);
    for (const auto& [caller, calls] : unmarked) {
      const llvm::DominatorTree tree(*caller);
      const llvm::LoopInfo loops(tree);
      for (llvm::CallBase* call : calls)
        if (llvm::MDNode* mark = markAround(*call, loops))
          call->setMetadata(llvm::LLVMContext::MD_access_group, mark);
    }
  }
  return llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop over threads assumes of their numbers (`__builtin_assume(x < 256)`) has said all it
// can before the loop becomes one over vectors. There it would be asked for thread by thread: a
// vector of their numbers is counted up for nothing else, and places are taken from it.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

llvm::PreservedAnalyses cu2cpp::AssumptionsOfLoops::run(llvm::Function& f,
                                                        llvm::FunctionAnalysisManager& analyses) {
  auto& assumed = analyses.getResult<llvm::AssumptionAnalysis>(f);
  std::vector<llvm::AssumeInst*> found;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    for (llvm::BasicBlock* block : loop->blocks())
      for (llvm::Instruction& i : *block)
        if (auto* const assumption = llvm::dyn_cast<llvm::AssumeInst>(&i);
            assumption && !assumption->hasOperandBundles() &&
            !loop->isLoopInvariant(assumption->getArgOperand(0)))
          found.push_back(assumption);
  }
  for (llvm::AssumeInst* assumption : found) {
    llvm::Value* const condition = assumption->getArgOperand(0);
    assumed.unregisterAssumption(assumption);
    assumption->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
  }
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is loaded in front of a loop over threads and in it again (weights of a filter,
// `c_taps[t]`), in code that was too long for clang to see that both are the same until loops in it
// were written out: when the loop is turned to ask at its end, its first step may have one load and
// the rest another. To vectorisers that is a number which changes, and they give up.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

llvm::PreservedAnalyses cu2cpp::NumbersOfLoops::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      return llvm::EarlyCSEPass(true).run(f, analyses);
  return llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums in which a thread's number does not matter, as one part grows by what the other one loses:
//
//   const int x = tx + 32 - m, y = 32 - tx;        the diagonal x + y is 64 - m
//
// clang keeps both parts, as each is asked for besides, and adds them up for each thread. A
// wavefront in a skewed array (turned_array.h) computed four places for each vector. Such sums are
// computed before the loop.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace {

/// The sums and differences of parts that change from thread to thread, and that do not.
std::vector<llvm::Instruction*> sumsOfOneValue(llvm::Loop& loop, llvm::ScalarEvolution& known) {
  std::vector<llvm::Instruction*> out;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block)
      if ((i.getOpcode() == llvm::Instruction::Add || i.getOpcode() == llvm::Instruction::Sub) &&
          i.getType()->isIntegerTy() && !loop.isLoopInvariant(i.getOperand(0)) &&
          !loop.isLoopInvariant(i.getOperand(1)) && known.isLoopInvariant(known.getSCEV(&i), &loop))
        out.push_back(&i);
  return out;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::DiagonalPlaces::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager& analyses) {
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(f);
  llvm::SCEVExpander expander(known, f.getParent()->getDataLayout(), "diagonal");
  constexpr unsigned mostWork = 8; // what a few sums and products take
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    llvm::BasicBlock* const before = loop->getLoopPreheader();
    if (!before || !loop->isInnermost() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    for (llvm::Instruction* sum : sumsOfOneValue(*loop, known)) {
      const llvm::SCEV* const value = known.getSCEV(sum);
      llvm::Instruction* const end = before->getTerminator();
      if (!expander.isSafeToExpandAt(value, end) ||
          expander.isHighCostExpansion(value, loop, mostWork, &target, end))
        continue;
      llvm::Value* const once = expander.expandCodeFor(value, sum->getType(), end);
      known.forgetValue(sum);
      sum->replaceAllUsesWith(once);
      sum->eraseFromParent();
      changed = true;
    }
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

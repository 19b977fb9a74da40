// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inRow() takes a thread's number off its place, and what is left is one value for all threads.
// Where a block's first place is a multiple of its size, clang has made bitwise operations of that
// by now:
// `(first | x) - x` is `first & ~x`, and nobody sees any more that x does not matter. The loop
// would gather what lies side by side. Of threads that begin elsewhere than at 0, `128 + x`, bits
// are masked off x that it does not have.
//
// Likewise a thread that runs only below a bound still asks whether it is below: where the bound
// became a constant when a loop around was unrolled, nobody has looked again.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// Decides comparisons in loops over threads that are the same in all of them. Tells whether there
/// were any.
bool decide(llvm::LoopInfo& loops, llvm::ScalarEvolution& known) {
  std::vector<std::pair<llvm::ICmpInst*, bool>> decided;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      for (llvm::BasicBlock* block : loop->blocks())
        for (llvm::Instruction& i : *block)
          if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&i);
              compare && !loop->isLoopExiting(block) &&
              known.isSCEVable(compare->getOperand(0)->getType()))
            if (const auto result = known.evaluatePredicate(compare->getPredicate(),
                                                            known.getSCEV(compare->getOperand(0)),
                                                            known.getSCEV(compare->getOperand(1))))
              decided.push_back({compare, *result});
  for (const auto& [compare, result] : decided)
    compare->replaceAllUsesWith(llvm::ConstantInt::getBool(compare->getType(), result));
  return !decided.empty();
}

/// The number from which a mask takes nothing off; null if it may take something.
llvm::Value* withoutMask(llvm::Instruction& i, llvm::ScalarEvolution& known) {
  using namespace llvm::PatternMatch;
  llvm::Value *first = nullptr, *thread = nullptr;
  const auto bits = [&](llvm::Value* number) {
    return known.getUnsignedRangeMax(known.getSCEV(number)).getActiveBits();
  };
  const llvm::APInt* mask = nullptr;
  if (match(&i, m_And(m_Value(first), m_APInt(mask))))
    return bits(first) <= mask->countr_one() ? first : nullptr;
  if (match(&i, m_c_And(m_Value(first), m_Not(m_Value(thread)))))
    return bits(thread) <= known.getMinTrailingZeros(known.getSCEV(first)) ? first : nullptr;
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::PlacesInRow::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager& analyses) {
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  bool changed = false;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
      llvm::Value* const first = known.isSCEVable(i.getType()) ? withoutMask(i, known) : nullptr;
      if (!first)
        continue;
      known.forgetValue(&i);
      i.replaceAllUsesWith(first);
      i.eraseFromParent();
      changed = true;
    }
  if (decide(analyses.getResult<llvm::LoopAnalysis>(f), known)) {
    analyses.invalidate(f, llvm::PreservedAnalyses::none());
    llvm::SimplifyCFGPass().run(f, analyses);
    return llvm::PreservedAnalyses::none();
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

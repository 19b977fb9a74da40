// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inRow() takes a thread's number off its place, and what is left is one value for all threads.
// Where a block's first place is a multiple of its size, clang has made bitwise operations of that
// by now:
// `(first | x) - x` is `first & ~x`, and nobody sees any more that x does not matter. The loop
// would gather what lies side by side. Of threads that begin elsewhere than at 0, `128 + x`, bits
// are masked off x that it does not have.
//
// A warp's first thread joined with a lane by bits, `first | lane`, is a sum where the first is
// known to be a multiple of 32; only an assumption may say so, which clang does not look at by
// itself.
//
// Likewise a thread that runs only below a bound still asks whether it is below: where the bound
// became a constant when a loop around was unrolled, nobody has looked again.
#include "kernel_passes.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
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

/// Whether no bit can be set in both sides of `a | b`, of which one is a multiple and the other
/// less.
bool isSum(llvm::Instruction& i, llvm::ScalarEvolution& known, llvm::AssumptionCache& assumed,
           const llvm::DominatorTree& tree) {
  const auto fits = [&](llvm::Value* multiple, llvm::Value* rest) {
    const unsigned bits = known.getUnsignedRangeMax(known.getSCEV(rest)).getActiveBits();
    return bits <= known.getMinTrailingZeros(known.getSCEV(multiple)) ||
           bits <= llvm::computeKnownBits(multiple, i.getDataLayout(), 0, &assumed, &i, &tree)
                       .countMinTrailingZeros();
  };
  auto* const joined = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&i);
  return joined && !joined->isDisjoint() && known.isSCEVable(i.getType()) &&
         (fits(i.getOperand(0), i.getOperand(1)) || fits(i.getOperand(1), i.getOperand(0)));
}

} // namespace

llvm::PreservedAnalyses cu2cpp::PlacesInRow::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager& analyses) {
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& assumed = analyses.getResult<llvm::AssumptionAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  bool changed = false;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
      if (isSum(i, known, assumed, tree)) {
        known.forgetValue(&i);
        llvm::cast<llvm::PossiblyDisjointInst>(i).setIsDisjoint(true);
        changed = true;
      }
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

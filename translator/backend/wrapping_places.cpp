// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[(5 * x) % 32]`: clang 19 takes such places for a row with steps of 5 if the loop has no more
// than 32 iterations, and loads past the place where they begin anew (plain C++ does so, too). The
// index is frozen, so that each is asked for.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

namespace {

/// Whether a number goes in steps of more than one within a range that is shorter than its type's.
bool wrapsAround(llvm::Instruction& i, const llvm::Loop& loop, llvm::ScalarEvolution& known) {
  if (!known.isSCEVable(i.getType()))
    return false;
  constexpr unsigned usual = 32;
  const llvm::SCEV* place = known.getSCEV(&i);
  // Shifted masks are products: `4 * x & 24`.
  while (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(place)) {
    if (product->getNumOperands() != 2 || !llvm::isa<llvm::SCEVConstant>(product->getOperand(0)))
      return false;
    place = product->getOperand(1);
  }
  if (!llvm::isa<llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr>(place))
    return false;
  const auto* steps =
      llvm::dyn_cast<llvm::SCEVAddRecExpr>(llvm::cast<llvm::SCEVCastExpr>(place)->getOperand());
  if (!steps || steps->getLoop() != &loop || steps->getType()->getIntegerBitWidth() >= usual)
    return false;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(steps->getStepRecurrence(known));
  return !step || !(step->getAPInt().isOne() || step->getAPInt().isAllOnes());
}

} // namespace

llvm::PreservedAnalyses cu2cpp::WrappingPlaces::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  std::vector<llvm::Instruction*> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      for (llvm::BasicBlock* block : loop->blocks())
        for (llvm::Instruction& i : *block)
          if ((i.getOpcode() == llvm::Instruction::And ||
               llvm::isa<llvm::ZExtInst, llvm::SExtInst>(i)) &&
              wrapsAround(i, *loop, known))
            found.push_back(&i);
  for (llvm::Instruction* i : found) {
    auto* frozen = new llvm::FreezeInst(i, "", std::next(i->getIterator()));
    i->replaceUsesWithIf(frozen, [&](llvm::Use& use) { return use.getUser() != frozen; });
  }
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

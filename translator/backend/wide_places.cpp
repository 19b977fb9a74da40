// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that are sums of what all threads have alike and a thread's number, where an assumption
// says that no such sum is too large for its type:
//
//   in[first + lane]   ->   in[(long)first + (long)lane]
//
// Of `lane` from 8 on clang does not find that out, and keeps a version of the loop for sums that
// wrap around, which runs thread by thread: what threads keep then lies in memory.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

llvm::PreservedAnalyses cu2cpp::WidePlaces::run(llvm::Function& f,
                                                llvm::FunctionAnalysisManager& analyses) {
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& assumed = analyses.getResult<llvm::AssumptionAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  std::vector<std::pair<llvm::SExtInst*, llvm::BinaryOperator*>> found;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    for (llvm::BasicBlock* block : loop->blocks())
      for (llvm::Instruction& i : *block) {
        auto* const wide = llvm::dyn_cast<llvm::SExtInst>(&i);
        auto* const sum =
            wide ? llvm::dyn_cast<llvm::BinaryOperator>(wide->getOperand(0)) : nullptr;
        if (!sum || sum->getOpcode() != llvm::Instruction::Add || !loop->contains(sum) ||
            !known.isSCEVable(sum->getType()))
          continue;
        const auto rangeOf = [&](llvm::Value* part) {
          const llvm::ConstantRange counted = known.getSignedRange(known.getSCEV(part));
          return loop->isLoopInvariant(part)
                     ? counted.intersectWith(llvm::computeConstantRange(
                           part, /*ForSigned=*/true, /*UseInstrInfo=*/true, &assumed, sum, &tree))
                     : counted;
        };
        if (loop->isLoopInvariant(sum->getOperand(0)) !=
                loop->isLoopInvariant(sum->getOperand(1)) &&
            rangeOf(sum->getOperand(0)).signedAddMayOverflow(rangeOf(sum->getOperand(1))) ==
                llvm::ConstantRange::OverflowResult::NeverOverflows)
          found.push_back({wide, sum});
      }
  }
  for (const auto& [wide, sum] : found) {
    llvm::IRBuilder<> at(wide);
    known.forgetValue(wide);
    wide->replaceAllUsesWith(at.CreateNSWAdd(at.CreateSExt(sum->getOperand(0), wide->getType()),
                                             at.CreateSExt(sum->getOperand(1), wide->getType())));
    wide->eraseFromParent();
  }
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

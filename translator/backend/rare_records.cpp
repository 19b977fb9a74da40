// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for the least or greatest of some elements that notes where it stands stays scalar:
//
//   for (int i = 0; i < n; ++i) {
//     const float t = hit(i);
//     if (t > 0 && t < least) {
//       least = t;
//       where = i;
//     }
//   }
//
// Few steps get that far, and fewer set a record (of n in any order about log n), but clang makes
// selections of it, and each step waits for the last one's. It leaves the branch where it is told
// that this way is rare. Where every step asks, the selections are faster: short searches set
// records often.
#include "kernel_passes.h"

#include <utility>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace {

constexpr unsigned stepsPerRecord = 255;
/// Shorter loops of known length are written out and may become part of a loop over threads.
constexpr unsigned mostWrittenOut = 16;

/// The branch by which a block is reached from its only predecessor, which has another way, too.
llvm::BranchInst* conditionOf(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* const from = block.getSinglePredecessor();
  auto* const branch =
      from ? llvm::dyn_cast<llvm::BranchInst>(const_cast<llvm::Instruction*>(from->getTerminator()))
           : nullptr;
  return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)
             ? branch
             : nullptr;
}

/// The one block from which a value of the loop's last step is another one than that of the step
/// before; null if there are several.
const llvm::BasicBlock* changes(const llvm::PHINode& carried, const llvm::PHINode& last) {
  const llvm::BasicBlock* from = nullptr;
  for (unsigned i = 0; i < last.getNumIncomingValues(); ++i) {
    if (last.getIncomingValue(i) == &carried)
      continue;
    if (from)
      return nullptr;
    from = last.getIncomingBlock(i);
  }
  return from;
}

/// Whether a branch compares what is carried with what takes its place.
bool comparesWith(const llvm::BranchInst& branch, const llvm::Value& carried,
                  const llvm::Value& next) {
  const auto* const asked = llvm::dyn_cast<llvm::CmpInst>(branch.getCondition());
  return asked && asked->isRelational() &&
         ((asked->getOperand(0) == &carried && asked->getOperand(1) == &next) ||
          (asked->getOperand(0) == &next && asked->getOperand(1) == &carried));
}

/// The block in which a loop's step sets a record, and notes something else besides; or null.
const llvm::BasicBlock* recordOf(const llvm::Loop& loop) {
  const llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (!latch)
    return nullptr;
  bool compares = false;
  const llvm::BasicBlock* way = nullptr;
  unsigned changed = 0;
  for (const llvm::PHINode& carried : loop.getHeader()->phis()) {
    const auto* const last = llvm::dyn_cast<llvm::PHINode>(carried.getIncomingValueForBlock(latch));
    const llvm::BasicBlock* const from =
        last && loop.contains(last) ? changes(carried, *last) : nullptr;
    if (!from || (way && from != way))
      continue;
    const llvm::BranchInst* const branch = conditionOf(*from);
    if (!branch)
      continue;
    way = from;
    ++changed;
    compares |= comparesWith(*branch, carried, *last->getIncomingValueForBlock(from));
  }
  return changed > 1 && compares ? way : nullptr;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::RareRecords::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    const llvm::BasicBlock* const record = recordOf(*loop);
    llvm::BranchInst* const branch = record ? conditionOf(*record) : nullptr;
    if (!branch || branch->hasMetadata(llvm::LLVMContext::MD_prof) ||
        analyses.getResult<llvm::DominatorTreeAnalysis>(f).dominates(branch->getParent(),
                                                                     loop->getLoopLatch()))
      continue;
    const unsigned steps =
        analyses.getResult<llvm::ScalarEvolutionAnalysis>(f).getSmallConstantMaxTripCount(loop);
    if (steps && steps <= mostWrittenOut)
      continue;
    unsigned weights[] = {1, stepsPerRecord};
    if (branch->getSuccessor(0) != record)
      std::swap(weights[0], weights[1]);
    branch->setMetadata(llvm::LLVMContext::MD_prof,
                        llvm::MDBuilder(f.getContext()).createBranchWeights(weights));
    changed = true;
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of loops over threads that stay scalar: what is computed in them is so different from
// thread to thread that processors foresee no way (`if (bit of key) to = ones++; else to =
// zeros++;` in a sort: every other branch is taken wrongly, which takes as long as 20
// instructions). Both ways are computed where they are short, and one is chosen.
//
// Integers alone: products that clang fuses with sums must not change with where they stand.
#include "short_branches.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

constexpr unsigned mostInstructions = 6; ///< of both ways together

using Loads = llvm::SmallPtrSetImpl<const llvm::Instruction*>;

/// Whether a load is one from a variable of the function, in all of its loop's steps.
bool isOfVariable(llvm::LoadInst& load, llvm::ScalarEvolution& known) {
  const auto* variable =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand(), 0));
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  const auto size =
      variable && load.isSimple() ? variable->getAllocationSize(layout) : std::nullopt;
  const std::uint64_t loaded = layout.getTypeStoreSize(load.getType()).getKnownMinValue();
  if (!size || size->isScalable() || size->getFixedValue() < loaded)
    return false;
  const llvm::SCEV* const place =
      known.getMinusSCEV(known.getSCEV(load.getPointerOperand()),
                         known.getSCEV(const_cast<llvm::AllocaInst*>(variable)));
  return !llvm::isa<llvm::SCEVCouldNotCompute>(place) &&
         known.getUnsignedRangeMax(place).ule(size->getFixedValue() - loaded);
}

/// The number of instructions of a way that ends in its join; too many if one has effects, or may
/// not be computed where it is not asked for.
unsigned lengthOf(llvm::BasicBlock& way, const Loads& loads) {
  unsigned length = 0;
  for (llvm::Instruction& i : way.instructionsWithoutDebug()) {
    if (i.isTerminator())
      break;
    if (llvm::isa<llvm::PHINode>(i) || !i.getType()->isIntOrPtrTy() ||
        !(loads.count(&i) || llvm::isSafeToSpeculativelyExecute(&i)))
      return mostInstructions + 1;
    ++length;
  }
  return length;
}

/// Blocks that nothing leads to any more are deleted, and added to `gone`.
bool select(llvm::BasicBlock& join, const Loads& loads,
            llvm::SmallPtrSetImpl<llvm::BasicBlock*>& gone) {
  llvm::BasicBlock *whereTrue = nullptr, *whereFalse = nullptr;
  if (!llvm::isa<llvm::PHINode>(join.front()))
    return false;
  llvm::BranchInst* const branch = llvm::GetIfCondition(&join, whereTrue, whereFalse);
  if (!branch)
    return false;
  llvm::BasicBlock* const head = branch->getParent();
  for (llvm::PHINode& choice : join.phis())
    if (!choice.getType()->isIntOrPtrTy())
      return false;
  unsigned length = 0;
  for (llvm::BasicBlock* way : {whereTrue, whereFalse})
    if (way != head) {
      if (way->getSinglePredecessor() != head || way->getSingleSuccessor() != &join)
        return false;
      length += lengthOf(*way, loads);
    }
  if (length > mostInstructions)
    return false;
  for (llvm::BasicBlock* way : {whereTrue, whereFalse})
    if (way != head)
      llvm::hoistAllInstructionsInto(head, branch, way);
  while (auto* const choice = llvm::dyn_cast<llvm::PHINode>(&join.front())) {
    llvm::Value *const ifTrue = choice->getIncomingValueForBlock(whereTrue),
                       *const ifFalse = choice->getIncomingValueForBlock(whereFalse);
    choice->replaceAllUsesWith(
        llvm::SelectInst::Create(branch->getCondition(), ifTrue, ifFalse, "", branch));
    choice->eraseFromParent();
  }
  llvm::BranchInst::Create(&join, branch);
  branch->eraseFromParent();
  for (llvm::BasicBlock* way : {whereTrue, whereFalse})
    if (way != head) {
      gone.insert(way);
      llvm::DeleteDeadBlock(way);
    }
  return true;
}

} // namespace

bool cu2cpp::selectInShortBranches(const std::vector<llvm::BasicBlock*>& blocks,
                                   llvm::ScalarEvolution& known) {
  // All are asked for before anything is changed.
  llvm::SmallPtrSet<const llvm::Instruction*, 16> loads;
  for (llvm::BasicBlock* block : blocks)
    for (llvm::Instruction& i : *block)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load && isOfVariable(*load, known))
        loads.insert(load);
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> gone;
  bool any = false;
  for (llvm::BasicBlock* block : blocks)
    if (!gone.count(block))
      any |= select(*block, loads, gone);
  return any;
}

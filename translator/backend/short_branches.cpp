// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of loops over threads that stay scalar: what is computed in them is so different from
// thread to thread that processors foresee no way (`if (bit of key) to = ones++; else to =
// zeros++;` in a sort: every other branch is taken wrongly, which takes as long as 20
// instructions). Both ways are computed where they are short, and one is chosen.
//
// Integers alone: products that clang fuses with sums must not change with where they stand.
//
// Where such a way stores, and what is asked comes from memory (`if (vote >> lane & 1) out[place] =
// x;` of a compaction), all threads store, those that do not take it to a place that nobody reads.
#include "short_branches.h"

#include "own_variables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

constexpr unsigned mostInstructions = 6; ///< of both ways together
constexpr unsigned mostBesideStores = 16;
constexpr unsigned widestStore = 16; ///< bytes

using Loads = llvm::SmallPtrSetImpl<const llvm::Instruction*>;

/// Whether a load is one from a variable of the function, in all of its loop's steps.
bool isOfVariable(llvm::LoadInst& load, llvm::ScalarEvolution& known) {
  auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(
      const_cast<llvm::Value*>(llvm::getUnderlyingObject(load.getPointerOperand(), 0)));
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  return variable && load.isSimple() &&
         cu2cpp::liesWithin(load.getPointerOperand(),
                            layout.getTypeStoreSize(load.getType()).getKnownMinValue(), variable,
                            known);
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

/// What is loaded and stored in a way that does nothing else but to compute a few integers.
struct Accesses {
  std::vector<llvm::Instruction*> all;
  bool stores = false, few = true;
};
Accesses accessesIn(llvm::BasicBlock& way) {
  Accesses out;
  unsigned length = 0;
  const llvm::DataLayout& layout = way.getModule()->getDataLayout();
  for (llvm::Instruction& i : way.instructionsWithoutDebug()) {
    if (i.isTerminator())
      break;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if (load || store) {
      const llvm::Type* type = llvm::getLoadStoreType(&i);
      out.few &= (load ? load->isSimple() : store->isSimple()) && type->isSingleValueType() &&
                 llvm::getLoadStoreAddressSpace(&i) == 0 &&
                 layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getKnownMinValue() <=
                     widestStore &&
                 llvm::getLoadStoreAlignment(&i).value() <= widestStore && !type->isVectorTy();
      out.stores |= store != nullptr;
      out.all.push_back(&i);
    } else {
      out.few &= i.getType()->isIntOrPtrTy() && !llvm::isa<llvm::PHINode>(i) &&
                 llvm::isSafeToSpeculativelyExecute(&i);
    }
    ++length;
  }
  out.few &= length <= mostBesideStores;
  return out;
}

/// A branch around one short way that stores, which ends in `join`: the way is taken by all.
bool storeAside(llvm::BasicBlock& join, const cu2cpp::BlockSet& blocks,
                llvm::SmallPtrSetImpl<llvm::BasicBlock*>& gone) {
  llvm::BasicBlock *whereTrue = nullptr, *whereFalse = nullptr;
  llvm::BranchInst* const branch = llvm::GetIfCondition(&join, whereTrue, whereFalse);
  llvm::BasicBlock* const head = branch ? branch->getParent() : nullptr;
  if (!head || (whereTrue == head) == (whereFalse == head) ||
      cu2cpp::asksVariable(branch->getCondition()) ||
      !cu2cpp::isOfMemory(branch->getCondition(), blocks))
    return false;
  const bool ifTrue = whereFalse == head;
  llvm::BasicBlock* const way = ifTrue ? whereTrue : whereFalse;
  if (way->getSinglePredecessor() != head || way->getSingleSuccessor() != &join)
    return false;
  for (llvm::PHINode& choice : join.phis())
    if (!choice.getType()->isIntOrPtrTy())
      return false;
  const Accesses accesses = accessesIn(*way);
  if (!accesses.stores || !accesses.few)
    return false;
  llvm::Function& f = *join.getParent();
  llvm::IRBuilder<> atBegin(&*f.getEntryBlock().getFirstInsertionPt());
  llvm::Type* const bytes = llvm::ArrayType::get(atBegin.getInt8Ty(), widestStore);
  const auto aside = [&] {
    llvm::AllocaInst* const place = atBegin.CreateAlloca(bytes);
    place->setAlignment(llvm::Align(widestStore));
    return place;
  };
  llvm::AllocaInst *const written = aside(), *read = nullptr;
  for (llvm::Instruction* access : accesses.all) {
    const bool stores = llvm::isa<llvm::StoreInst>(access);
    if (!stores && !read) {
      read = aside();
      atBegin.CreateAlignedStore(llvm::Constant::getNullValue(bytes), read,
                                 llvm::Align(widestStore));
    }
    llvm::Value* const other = stores ? written : read;
    llvm::Value* const place = llvm::getPointerOperand(access);
    llvm::IRBuilder<> here(access);
    access->setOperand(
        stores ? 1u : 0u,
        here.CreateSelect(branch->getCondition(), ifTrue ? place : other, ifTrue ? other : place));
    access->dropUnknownNonDebugMetadata();
  }
  llvm::hoistAllInstructionsInto(head, branch, way);
  while (auto* const choice = llvm::dyn_cast<llvm::PHINode>(&join.front())) {
    choice->replaceAllUsesWith(llvm::SelectInst::Create(
        branch->getCondition(), choice->getIncomingValueForBlock(whereTrue),
        choice->getIncomingValueForBlock(whereFalse), "", branch));
    choice->eraseFromParent();
  }
  llvm::BranchInst::Create(&join, branch);
  branch->eraseFromParent();
  gone.insert(way);
  llvm::DeleteDeadBlock(way);
  return true;
}

} // namespace

bool cu2cpp::isOfMemory(const llvm::Value* value, const BlockSet& blocks, unsigned depth) {
  constexpr unsigned deepest = 8;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || llvm::isa<llvm::PHINode>(i) || depth == deepest || !blocks.count(i->getParent()))
    return false;
  return llvm::isa<llvm::LoadInst>(i) || llvm::any_of(i->operands(), [&](const llvm::Use& operand) {
           return isOfMemory(operand.get(), blocks, depth + 1);
         });
}

bool cu2cpp::asksVariable(const llvm::Value* condition) {
  if (const auto* test = llvm::dyn_cast<llvm::ICmpInst>(condition);
      test && llvm::isa<llvm::Constant>(test->getOperand(1)))
    condition = test->getOperand(0);
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(condition))
    condition = cast->getOperand(0);
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(condition);
  return load && !load->getType()->isIntegerTy(8) &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
}

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
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> all;
  for (llvm::BasicBlock* block : blocks) {
    all.insert(block);
    for (const llvm::BasicBlock* before : llvm::predecessors(block))
      all.insert(before);
  }
  for (llvm::BasicBlock* block : blocks)
    if (!gone.count(block))
      any |= select(*block, loads, gone) || storeAside(*block, all, gone);
  return any;
}

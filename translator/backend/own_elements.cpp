// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread keeps and changes under a condition:
//
//   if (a[i] != b[i]) count++;     ->     count = a[i] != b[i] ? count + 1 : count;
//
// In vectors each change is a store under a mask, and the load of the next one waits for it, since
// processors hand on to loads what was stored as a whole only. Here each thread of a loop has an
// element of its own in a variable that nobody else knows, to which the loop does nothing else: it
// is stored in any case. So is what replaces such an element because of what it was:
//
//   if (v < least[i] || (v == least[i] && at < place[i])) {
//     least[i] = v;
//     place[i] = at;
//   }
//
// Where such values are in registers, as four steps of a loop in one have them, both are chosen.
//
// Integers are computed for that, and nothing else: products that clang fuses with sums must not
// change with where they stand.
#include "kernel_passes.h"

#include "own_variables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

constexpr unsigned mostInstructions = 8;

/// A way that stores, and the branches that lead to it or around it: more than one where it is
/// `if (a || b)`, the last first.
struct Way {
  llvm::BasicBlock *way = nullptr, *join = nullptr;
  std::vector<llvm::BasicBlock*> heads;
};

const llvm::BranchInst* choiceIn(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch : nullptr;
}

class Elements {
public:
  Elements(llvm::Loop& loop, llvm::ScalarEvolution& known, const llvm::DominatorTree& tree)
      : loop_(loop), known_(known), tree_(tree) {
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& i : *block)
        calls_ |= llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
  }
  bool loopCalls() const { return calls_; }

  /// Whether each iteration stores where a load loads from, as soon as it is there: that is memory,
  /// then, and no other iteration's.
  bool isOfStored(llvm::LoadInst& load) const {
    const llvm::BasicBlock* const latch = loop_.getLoopLatch();
    return !calls_ && latch && loop_.getExitingBlock() == latch && load.isSimple() &&
           llvm::any_of(load.getPointerOperand()->users(), [&](const llvm::User* user) {
             const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
             return store && store->getPointerOperand() == load.getPointerOperand() &&
                    store->isSimple() && loop_.contains(store) &&
                    store->getAlign() >= load.getAlign() &&
                    store->getValueOperand()->getType() == load.getType() &&
                    tree_.dominates(store->getParent(), latch);
           });
  }

  /// Whether an access is one of an element that is its iteration's own.
  bool isOwn(llvm::Instruction& access) {
    llvm::Value* const place = llvm::getPointerOperand(&access);
    const auto* places = llvm::dyn_cast<llvm::SCEVAddRecExpr>(known_.getSCEV(place));
    llvm::AllocaInst* const variable = own_.of(place);
    llvm::Type* const type = llvm::getLoadStoreType(&access);
    if (!variable || !isSimple(access) || !places || places->getLoop() != &loop_ ||
        !places->isAffine() || type->isVectorTy() || !type->isSingleValueType())
      return false;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(places->getStepRecurrence(known_));
    const std::uint64_t bytes = access.getModule()->getDataLayout().getTypeStoreSize(type);
    return step && step->getAPInt().abs().uge(bytes) &&
           cu2cpp::liesWithin(place, bytes, variable, known_) &&
           cu2cpp::onlyAccesses(loop_, variable, [&](llvm::Instruction& other) {
             return isSimple(other) && llvm::getLoadStoreType(&other) == type &&
                    known_.getSCEV(llvm::getPointerOperand(&other)) == places;
           });
  }

private:
  static bool isSimple(const llvm::Instruction& access) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
    return load ? load->isSimple() : llvm::cast<llvm::StoreInst>(access).isSimple();
  }
  llvm::Loop& loop_;
  llvm::ScalarEvolution& known_;
  const llvm::DominatorTree& tree_;
  bool calls_ = false;
  cu2cpp::OwnVariables own_;
};

/// Whether a block that all threads may run does nothing but to choose between two others.
bool onlyChooses(llvm::BasicBlock& block, Elements& elements) {
  unsigned length = 0;
  for (llvm::Instruction& i : block.instructionsWithoutDebug()) {
    if (i.isTerminator())
      continue;
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (++length > mostInstructions ||
        !(load ? elements.isOwn(i) || elements.isOfStored(*load)
               : !llvm::isa<llvm::PHINode>(i) && i.getType()->isIntOrPtrTy() &&
                     llvm::isSafeToSpeculativelyExecute(&i)))
      return false;
  }
  return true;
}

std::optional<Way> wayAt(llvm::BasicBlock& block, const llvm::Loop& loop, Elements& elements) {
  Way way{&block, block.getSingleSuccessor(), {}};
  if (!way.join || way.join == &block || !loop.contains(way.join) ||
      llvm::isa<llvm::PHINode>(block.front()))
    return std::nullopt;
  const auto leadsTo = [](const llvm::BasicBlock* head, const llvm::BasicBlock* to) {
    const llvm::BranchInst* const choice = choiceIn(*head);
    return choice && (choice->getSuccessor(0) == to || choice->getSuccessor(1) == to);
  };
  for (llvm::BasicBlock* head : llvm::predecessors(&block))
    if (leadsTo(head, way.join))
      way.heads.push_back(head);
  if (way.heads.size() != 1)
    return std::nullopt;
  while (onlyChooses(*way.heads.back(), elements)) {
    llvm::BasicBlock* const before = way.heads.back()->getSinglePredecessor();
    if (!before || !loop.contains(before) ||
        !(leadsTo(before, way.way) || leadsTo(before, way.join)))
      break;
    way.heads.push_back(before);
  }
  const bool all = llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* head) {
    return llvm::is_contained(way.heads, head);
  });
  return all ? std::optional(way) : std::nullopt;
}

/// Moves what a block does before `end` to the end of another, where all threads do it. What tells
/// that threads do not depend on each other holds there, too.
void hoist(llvm::BasicBlock& from, llvm::BasicBlock::iterator end, llvm::BasicBlock& to) {
  std::vector<llvm::Instruction*> moved;
  for (auto i = from.begin(); i != end; ++i)
    if (!i->isDebugOrPseudoInst())
      moved.push_back(&*i);
  for (llvm::Instruction* i : moved) {
    llvm::MDNode* const mark = i->getMetadata(llvm::LLVMContext::MD_access_group);
    i->dropUBImplyingAttrsAndMetadata();
    if (mark)
      i->setMetadata(llvm::LLVMContext::MD_access_group, mark);
    i->moveBefore(to.getTerminator());
  }
}

/// Behind the last load of a block, or its begin. What stands before that is not asked again.
llvm::BasicBlock::iterator behindLoads(llvm::BasicBlock& block) {
  auto behind = block.begin();
  for (auto i = block.begin(); i != block.end(); ++i)
    if (llvm::isa<llvm::LoadInst>(*i))
      behind = std::next(i);
  return behind;
}

/// The one branch that is left of several.
llvm::BranchInst* joinedBranch(const Way& way) {
  for (std::size_t i = 0; i + 1 < way.heads.size(); ++i) {
    llvm::BasicBlock* const head = way.heads[i];
    hoist(*head, behindLoads(*head), *way.heads[i + 1]);
    if (!llvm::FoldBranchToCommonDest(llvm::cast<llvm::BranchInst>(head->getTerminator()), nullptr,
                                      nullptr, nullptr, mostInstructions))
      return nullptr;
    if (llvm::pred_empty(head))
      llvm::DeleteDeadBlock(head);
  }
  return llvm::cast<llvm::BranchInst>(way.heads.back()->getTerminator());
}

/// Whether a value is computed from what a place held before.
bool changes(const llvm::Value* value, const llvm::SCEV* place, llvm::ScalarEvolution& known,
             unsigned depth = 0) {
  const auto* const i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || depth > mostInstructions)
    return false;
  if (llvm::isa<llvm::LoadInst>(i))
    return known.getSCEV(const_cast<llvm::Value*>(llvm::getPointerOperand(i))) == place;
  return !llvm::isa<llvm::PHINode>(i) && llvm::any_of(i->operands(), [&](const llvm::Use& part) {
    return changes(part, place, known, depth + 1);
  });
}

/// Whether a way is taken because of what the place of one of its stores held before.
bool asksItsOwn(const Way& way, llvm::ScalarEvolution& known) {
  return llvm::any_of(*way.way, [&](const llvm::Instruction& i) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if (!store)
      return false;
    const llvm::SCEV* const place =
        known.getSCEV(const_cast<llvm::Value*>(store->getPointerOperand()));
    return llvm::any_of(way.heads, [&](const llvm::BasicBlock* head) {
      return changes(choiceIn(*head)->getCondition(), place, known);
    });
  });
}

/// Whether all threads can take a way, but for what it stores. Where neither what is stored nor
/// the way itself depends on what was stored before, nothing waits for a load, and a store under a
/// mask saves it.
bool isForAll(const Way& way, Elements& elements, llvm::ScalarEvolution& known) {
  unsigned length = 0;
  bool stores = false;
  const bool asks = asksItsOwn(way, known);
  for (llvm::Instruction& i : way.way->instructionsWithoutDebug()) {
    if (i.isTerminator())
      break;
    const bool access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(i);
    if (++length > mostInstructions ||
        !(access ? elements.isOwn(i)
                 : i.getType()->isIntOrPtrTy() && llvm::isSafeToSpeculativelyExecute(&i)))
      return false;
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      if (!asks &&
          !changes(store->getValueOperand(), known.getSCEV(store->getPointerOperand()), known))
        return false;
      stores = true;
    }
  }
  return stores;
}

/// Whether a way does nothing, but that its join chooses values by it. (Where it is known to be
/// rare, threads go around it.)
bool onlyGives(const Way& way, const Elements& elements) {
  return llvm::isa<llvm::BranchInst>(*way.way->getFirstNonPHIOrDbg()) &&
         llvm::isa<llvm::PHINode>(way.join->front()) && !elements.loopCalls() &&
         llvm::none_of(way.heads, [](const llvm::BasicBlock* head) {
           return choiceIn(*head)->hasMetadata(llvm::LLVMContext::MD_prof);
         });
}

bool takeByAll(const Way& way) {
  llvm::BranchInst* const branch = joinedBranch(way);
  if (!branch || way.way->getSinglePredecessor() != branch->getParent())
    return false;
  llvm::BasicBlock* const head = branch->getParent();
  llvm::Value* const condition = branch->getCondition();
  const bool ifTrue = branch->getSuccessor(0) == way.way;
  const auto choose = [&](llvm::IRBuilder<>& at, llvm::Value* taken, llvm::Value* other) {
    return at.CreateSelect(condition, ifTrue ? taken : other, ifTrue ? other : taken);
  };
  for (llvm::Instruction& i : *way.way) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if (!store)
      continue;
    llvm::IRBuilder<> at(store);
    llvm::LoadInst* const before = at.CreateAlignedLoad(
        store->getValueOperand()->getType(), store->getPointerOperand(), store->getAlign());
    before->copyMetadata(*store, {llvm::LLVMContext::MD_access_group, llvm::LLVMContext::MD_tbaa});
    store->setOperand(0, choose(at, store->getValueOperand(), before));
  }
  hoist(*way.way, way.way->getTerminator()->getIterator(), *head);
  llvm::IRBuilder<> at(branch);
  for (llvm::PHINode& value : way.join->phis()) {
    llvm::Value *const taken = value.getIncomingValueForBlock(way.way),
                       *const other = value.getIncomingValueForBlock(head);
    value.setIncomingValueForBlock(head, taken == other ? taken : choose(at, taken, other));
    // (the way itself goes with its block)
  }
  llvm::BranchInst::Create(way.join, branch);
  branch->eraseFromParent();
  llvm::DeleteDeadBlock(way.way);
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::OwnElements::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  std::vector<Way> ways;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    // All are asked for before anything is changed.
    auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
    Elements elements(*loop, known, analyses.getResult<llvm::DominatorTreeAnalysis>(f));
    for (llvm::BasicBlock* block : loop->blocks())
      if (const auto way = wayAt(*block, *loop, elements);
          way && (isForAll(*way, elements, known) || onlyGives(*way, elements)))
        ways.push_back(*way);
  }
  llvm::SmallSetVector<llvm::BasicBlock*, 8> joins;
  for (const Way& way : ways)
    if (takeByAll(way))
      joins.insert(way.join);
  for (llvm::BasicBlock* join : joins)
    llvm::MergeBlockIntoPredecessor(join);
  return ways.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

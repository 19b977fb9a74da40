// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of which some store to places that are no neighbours:
//
//   if (energy[i] > least) {
//     const int to = offsets[i];
//     out[to] = energy[i];
//   } else {
//     offsets[i] = -1;
//   }
//
// No vector stores so with AVX2, and a branch for each thread is guessed wrong all the time. The
// loop only notes which threads take the way, and is one of vectors then; behind it a loop over the
// bits of these notes runs the way for those threads, which ends once for 64 of them:
//
//   for (i ...) { takes[i] = energy[i] > least; offsets[i] = takes[i] ? offsets[i] : -1; }
//   for (i of those in takes) { const int to = offsets[i]; out[to] = energy[i]; }
//
// Threads of one loop do not wait for each other, and each of them still does all in its own order.
#include "kernel_passes.h"
#include "scattered_stores.h"
#include "short_branches.h"

#include <optional>
#include <vector>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace {

constexpr unsigned mostThreads = 1024;                 ///< of a loop whose length is known
constexpr unsigned strip = 512;                        ///< of other loops
constexpr unsigned longestWay = 40, mostRepeated = 24; ///< instructions
constexpr unsigned mostKept = 4;
constexpr unsigned workOfStore = 12; ///< floating-point operations that vectors would be worth

/// What a loop does for some of its threads only, and what that needs.
struct Way {
  llvm::BasicBlock *preheader, *latch, *exit, *header;
  llvm::BranchInst* branch; ///< to the way or around it
  llvm::BasicBlock *way, *other, *join;
  llvm::PHINode* counter;       ///< by 1
  const llvm::SCEV* last;       ///< how often it is counted on
  unsigned threads;             ///< of the loop, or of each strip of it
  bool isKnown;                 ///< the loop has so many
  llvm::Value* count = nullptr; ///< if that is not known
  /// What the way names that is computed once more, or kept for each thread.
  llvm::SetVector<llvm::Instruction*> repeated, kept;
  /// Stores of both ways to one place, of which clang has made one behind them.
  llvm::SmallVector<llvm::StoreInst*, 2> joined;
  bool blends = false; ///< what stands in the other way only stores to places of this one's
};

bool isSimpleAccess(const llvm::Instruction& i) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
  return store && store->isSimple();
}

/// What a store behind both ways stores if a thread comes from one of them.
llvm::Value* valueOf(const llvm::StoreInst& joined, const llvm::BasicBlock* from) {
  return llvm::cast<llvm::PHINode>(joined.getValueOperand())->getIncomingValueForBlock(from);
}

class Finder {
public:
  Finder(llvm::Loop& loop, llvm::ScalarEvolution& known, const llvm::DominatorTree& tree)
      : loop_(loop), known_(known), tree_(tree) {}

  std::optional<Way> find() {
    if (!isCounted() || !findWay() || !findJoined() || !isOfOwn() || !isLast() || !isMovable() ||
        !findNeeds())
      return std::nullopt;
    out_.blends = out_.other && blends();
    if (out_.other && !out_.blends && !out_.joined.empty())
      return std::nullopt;
    return out_;
  }

private:
  bool isCounted() {
    out_.preheader = loop_.getLoopPreheader();
    out_.latch = loop_.getLoopLatch();
    out_.exit = loop_.getExitBlock();
    out_.header = loop_.getHeader();
    if (!out_.preheader || !out_.latch || !out_.exit || loop_.getExitingBlock() != out_.latch ||
        out_.latch == out_.header || out_.header->phis().empty() ||
        ++out_.header->phis().begin() != out_.header->phis().end())
      return false;
    auto* const counter = llvm::dyn_cast<llvm::PHINode>(&out_.header->front());
    const auto* places = counter && counter->getType()->isIntegerTy()
                             ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(known_.getSCEV(counter))
                             : nullptr;
    if (!places || !places->isAffine() || !places->getStepRecurrence(known_)->isOne())
      return false;
    out_.counter = counter;
    out_.last = known_.getBackedgeTakenCount(&loop_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(out_.last) ||
        known_.getTypeSizeInBits(out_.last->getType()) > 64)
      return false;
    const unsigned count = known_.getSmallConstantTripCount(&loop_);
    out_.isKnown = count > 0 && count <= mostThreads;
    out_.threads = out_.isKnown ? count : strip;
    return true;
  }

  /// One block behind a branch makes all stores to places that are no neighbours.
  bool findWay() {
    out_.way = nullptr;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& i : *block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            store && !cu2cpp::storesInRow(*store, loop_, known_)) {
          if (out_.way && out_.way != block)
            return false;
          out_.way = block;
        }
    llvm::BasicBlock* const head = out_.way ? out_.way->getSinglePredecessor() : nullptr;
    out_.branch = head ? llvm::dyn_cast<llvm::BranchInst>(head->getTerminator()) : nullptr;
    out_.join = out_.way ? out_.way->getSingleSuccessor() : nullptr;
    if (!out_.branch || !out_.branch->isConditional() || !out_.join || out_.join == out_.header ||
        !loop_.contains(out_.join) || out_.branch->getSuccessor(0) == out_.branch->getSuccessor(1))
      return false;
    out_.other = out_.branch->getSuccessor(out_.branch->getSuccessor(0) == out_.way);
    if (out_.other == out_.join)
      out_.other = nullptr;
    return !out_.other || (out_.other->getSinglePredecessor() == head &&
                           out_.other->getSingleSuccessor() == out_.join);
  }

  /// All values that the ways give to what stands behind them are stored there.
  bool findJoined() {
    for (llvm::PHINode& value : out_.join->phis()) {
      auto* const store =
          value.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(*value.user_begin()) : nullptr;
      if (!store || store->getParent() != out_.join || store->getValueOperand() != &value ||
          value.getNumIncomingValues() != 2)
        return false;
      const auto* const place = llvm::dyn_cast<llvm::Instruction>(store->getPointerOperand());
      if (place && !tree_.dominates(place, out_.branch))
        return false;
      out_.joined.push_back(store);
    }
    return true;
  }

  /// What is asked differs from thread to thread, as processors cannot foresee.
  bool isOfOwn() {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks(loop_.block_begin(), loop_.block_end());
    return !cu2cpp::asksVariable(out_.branch->getCondition()) &&
           cu2cpp::isOfMemory(out_.branch->getCondition(), blocks);
  }

  /// Whether a thread is done behind the way, as far as memory tells.
  bool isLast() {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen = {out_.join};
    std::vector<const llvm::BasicBlock*> open = {out_.join};
    while (!open.empty()) {
      const llvm::BasicBlock* const block = open.back();
      open.pop_back();
      for (const llvm::Instruction& i : block->instructionsWithoutDebug())
        if (i.mayReadOrWriteMemory() && !llvm::is_contained(out_.joined, &i))
          return false;
      for (const llvm::BasicBlock* next : llvm::successors(block))
        if (next != out_.header && loop_.contains(next) && seen.insert(next).second)
          open.push_back(next);
    }
    return true;
  }

  bool isMovable() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& i : block->instructionsWithoutDebug())
        if (i.mayHaveSideEffects() || i.mayReadFromMemory()) {
          if (!isSimpleAccess(i))
            return false;
          storesBefore_ |= llvm::isa<llvm::StoreInst>(i) && block != out_.way &&
                           block != out_.other && !llvm::is_contained(out_.joined, &i);
        }
    unsigned length = 0, stores = 0, work = 0;
    for (llvm::Instruction& i : out_.way->instructionsWithoutDebug()) {
      if (i.isTerminator())
        break;
      if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) || i.getType()->isTokenTy() ||
          (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i)))
        return false;
      ++length;
      stores += llvm::isa<llvm::StoreInst>(i);
      work += i.getType()->isFloatingPointTy() && !llvm::isa<llvm::LoadInst>(i);
    }
    return length <= longestWay && work < workOfStore * stores;
  }

  bool findNeeds() {
    for (llvm::Instruction& i : out_.way->instructionsWithoutDebug())
      for (llvm::Value* operand : i.operands())
        if (!i.isTerminator())
          need(operand, 0);
    for (llvm::StoreInst* store : out_.joined) {
      need(store->getPointerOperand(), 0);
      need(valueOf(*store, out_.way), 0);
    }
    if (out_.repeated.size() > mostRepeated || out_.kept.size() > mostKept)
      return false;
    const llvm::DataLayout& layout = out_.way->getModule()->getDataLayout();
    for (const llvm::Instruction* value : out_.kept) {
      llvm::Type* const type = value->getType();
      if (!type->isSingleValueType() || type->isVectorTy() || type->isIntegerTy(1) ||
          layout.getTypeStoreSize(type).getFixedValue() > 8 ||
          !tree_.dominates(out_.branch->getParent(), out_.latch))
        return false;
    }
    return true;
  }

  void need(llvm::Value* value, unsigned depth) {
    constexpr unsigned deepest = 8;
    auto* const i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop_.contains(i) || i->getParent() == out_.way || i == out_.counter ||
        out_.repeated.contains(i) || out_.kept.contains(i))
      return;
    const bool isLoad = llvm::isa<llvm::LoadInst>(i);
    const bool isCheap =
        isLoad ? !storesBefore_
               : llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(i) &&
                     i->getType()->isIntOrPtrTy() && llvm::isSafeToSpeculativelyExecute(i);
    if (!isCheap || depth == deepest) {
      out_.kept.insert(i);
      return;
    }
    for (llvm::Value* operand : i->operands())
      need(operand, depth + 1);
    out_.repeated.insert(i); // behind what it is computed from
  }

  /// Where a thread on the other way stores at a place that is its own on this one, too, all may
  /// store: those on this way what is there already.
  bool blends() {
    for (llvm::Instruction& i : out_.other->instructionsWithoutDebug()) {
      if (i.isTerminator())
        break;
      auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i);
      if (!store) {
        if (i.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&i))
          return false;
        continue;
      }
      const llvm::SCEV* const place = known_.getSCEV(store->getPointerOperand());
      bool found = false;
      for (llvm::Instruction& own : *out_.way)
        if (auto* const same = llvm::dyn_cast<llvm::StoreInst>(&own))
          found |= same->getValueOperand()->getType() == store->getValueOperand()->getType() &&
                   known_.getSCEV(same->getPointerOperand()) == place;
      if (!found)
        return false;
    }
    return true;
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& known_;
  const llvm::DominatorTree& tree_;
  bool storesBefore_ = false;
  Way out_ = {};
};

/// Parts the way from its loop.
class Parter {
public:
  Parter(const Way& way, llvm::AllocaInst* notes)
      : w_(way), f_(*way.way->getParent()), notes_(notes), bits_(way.threads > 32 ? 64 : 32),
        begin_(way.preheader) {}

  void part() {
    findThreads();
    note();
    keep();
    for (llvm::StoreInst* store : w_.joined) {
      llvm::Instruction* const own = store->clone();
      own->insertBefore(w_.way->getTerminator());
      own->setOperand(0, valueOf(*store, w_.way));
    }
    runBehind();
    leaveOut();
  }

private:
  llvm::MDNode* group() const {
    for (const llvm::Instruction& i : *w_.way)
      if (llvm::MDNode* found = i.getMetadata(llvm::LLVMContext::MD_access_group))
        return found;
    return nullptr;
  }
  /// Marks an access as one of those by which threads do not meet.
  void mark(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_access_group, group());
  }

  /// The threads that the loop runs for before the way is run for those that take it: all, or those
  /// of one strip after the other.
  void findThreads() {
    llvm::Type* const number = w_.counter->getType();
    first_ = w_.counter->getIncomingValueForBlock(w_.preheader);
    threads_ = llvm::ConstantInt::get(llvm::Type::getInt64Ty(f_.getContext()), w_.threads);
    if (!w_.isKnown) {
      begin_ = llvm::BasicBlock::Create(f_.getContext(), "", &f_, w_.header);
      w_.preheader->getTerminator()->replaceSuccessorWith(w_.header, begin_);
      w_.header->replacePhiUsesWith(w_.preheader, begin_);
      llvm::IRBuilder<> at(begin_);
      done_ = at.CreatePHI(at.getInt64Ty(), 2);
      done_->addIncoming(at.getInt64(0), w_.preheader);
      threads_ = at.CreateBinaryIntrinsic(llvm::Intrinsic::umin, at.CreateSub(w_.count, done_),
                                          at.getInt64(strip));
      first_ = at.CreateAdd(first_, at.CreateZExtOrTrunc(done_, number));
      llvm::Value* const end = at.CreateAdd(first_, at.CreateZExtOrTrunc(threads_, number));
      at.CreateBr(w_.header);
      w_.counter->setIncomingValueForBlock(begin_, first_);
      auto* const back = llvm::cast<llvm::BranchInst>(w_.latch->getTerminator());
      at.SetInsertPoint(back);
      back->setCondition(at.CreateICmp(back->getSuccessor(0) == w_.header ? llvm::CmpInst::ICMP_NE
                                                                          : llvm::CmpInst::ICMP_EQ,
                                       w_.counter->getIncomingValueForBlock(w_.latch), end));
    }
    llvm::IRBuilder<> at(begin_->getTerminator());
    // As many as there are notes read at once, or more.
    noted_ = at.CreateAnd(at.CreateAdd(threads_, at.getInt64(bits_ - 1)),
                          at.getInt64(-std::int64_t(bits_)));
  }

  /// Where the loop's thread lies in a row of one strip's threads.
  llvm::Value* inRow(llvm::IRBuilder<>& at, llvm::AllocaInst* row, llvm::Type* type) {
    llvm::Value* const place =
        at.CreateZExtOrTrunc(at.CreateSub(w_.counter, first_), at.getInt64Ty());
    return at.CreateGEP(type, row, place);
  }

  /// Each thread notes whether it takes the way.
  void note() {
    llvm::BasicBlock* const head = w_.branch->getParent();
    llvm::IRBuilder<> at(w_.branch);
    llvm::Value* takes = w_.branch->getCondition();
    if (w_.branch->getSuccessor(0) != w_.way)
      takes = at.CreateNot(takes);
    takes_ = takes;
    llvm::SSAUpdater asked;
    asked.Initialize(at.getInt1Ty(), "");
    asked.AddAvailableValue(w_.header, at.getFalse());
    asked.AddAvailableValue(head, takes);
    llvm::Value* const last = asked.GetValueInMiddleOfBlock(w_.latch);
    at.SetInsertPoint(&*w_.latch->getFirstInsertionPt());
    mark(at.CreateStore(at.CreateSExt(last, at.getInt8Ty()), inRow(at, notes_, at.getInt8Ty())));
    if (w_.isKnown && w_.threads % bits_ == 0)
      return;
    // Behind the last thread nothing is noted.
    at.SetInsertPoint(begin_->getTerminator());
    auto* const words = llvm::FixedVectorType::get(at.getInt8Ty(), bits_);
    at.CreateAlignedStore(
        llvm::Constant::getNullValue(words),
        at.CreateGEP(at.getInt8Ty(), notes_, at.CreateSub(noted_, at.getInt64(bits_))),
        llvm::Align(bits_));
  }

  void keep() {
    llvm::IRBuilder<> atBegin(&*f_.getEntryBlock().getFirstInsertionPt());
    llvm::IRBuilder<> at(w_.branch);
    for (llvm::Instruction* value : w_.kept) {
      llvm::AllocaInst* const row =
          atBegin.CreateAlloca(llvm::ArrayType::get(value->getType(), w_.threads));
      row->setAlignment(llvm::Align(64));
      mark(at.CreateStore(value, inRow(at, row, value->getType())));
      rows_.push_back(row);
    }
  }

  /// The loop over the notes, behind the loop over threads.
  void runBehind() {
    llvm::LLVMContext& context = f_.getContext();
    llvm::BasicBlock* const behind = llvm::SplitBlockPredecessors(w_.exit, {w_.latch}, "");
    const auto block = [&] { return llvm::BasicBlock::Create(context, "", &f_, w_.exit); };
    llvm::BasicBlock *const some = block(), *const one = block(), *const next = block();
    behind->getTerminator()->setSuccessor(0, some);
    llvm::BasicBlock* const end = done_ ? block() : next;
    w_.exit->replacePhiUsesWith(behind, end);

    llvm::IRBuilder<> at(some);
    llvm::PHINode* const first = at.CreatePHI(at.getInt64Ty(), 2);
    llvm::Type* const mask = at.getIntNTy(bits_);
    auto* const words = llvm::FixedVectorType::get(at.getInt8Ty(), bits_);
    llvm::Value* const noted = at.CreateAlignedLoad(
        words, at.CreateGEP(at.getInt8Ty(), notes_, first), llvm::Align(bits_));
    llvm::Value* const taking =
        at.CreateBitCast(at.CreateICmpSLT(noted, llvm::Constant::getNullValue(words)), mask);
    llvm::Value* const none = llvm::ConstantInt::get(mask, 0);
    at.CreateCondBr(at.CreateICmpEQ(taking, none), next, one);

    at.SetInsertPoint(one);
    llvm::PHINode* const left = at.CreatePHI(mask, 2);
    llvm::Value* const bit = at.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, at.getTrue());
    llvm::Value* const thread = at.CreateAdd(first, at.CreateZExt(bit, at.getInt64Ty()));
    llvm::Value* const leftThen =
        at.CreateAnd(left, at.CreateSub(left, llvm::ConstantInt::get(mask, 1)));
    auto* const again = at.CreateCondBr(at.CreateICmpEQ(leftThen, none), next, one);
    left->addIncoming(taking, some);
    left->addIncoming(leftThen, one);
    at.SetInsertPoint(again);
    moveTo(at, thread);

    at.SetInsertPoint(next);
    llvm::Value* const firstThen = at.CreateAdd(first, at.getInt64(bits_));
    at.CreateCondBr(at.CreateICmpEQ(firstThen, noted_), done_ ? end : w_.exit, some);
    first->addIncoming(at.getInt64(0), behind);
    first->addIncoming(firstThen, next);
    if (!done_)
      return;
    at.SetInsertPoint(end);
    llvm::Value* const doneThen = at.CreateAdd(done_, threads_);
    at.CreateCondBr(at.CreateICmpEQ(doneThen, w_.count), w_.exit, begin_);
    done_->addIncoming(doneThen, end);
  }

  void moveTo(llvm::IRBuilder<>& at, llvm::Value* thread) {
    llvm::Instruction* const place = &*at.GetInsertPoint();
    llvm::ValueToValueMapTy there;
    there[w_.counter] = at.CreateAdd(first_, at.CreateZExtOrTrunc(thread, w_.counter->getType()));
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      llvm::Type* const type = w_.kept[k]->getType();
      there[w_.kept[k]] = at.CreateLoad(type, at.CreateGEP(type, rows_[k], thread));
    }
    const auto remap = [&](llvm::Instruction* i) {
      i->dropUnknownNonDebugMetadata();
      llvm::RemapInstruction(i, there,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    };
    for (llvm::Instruction* value : w_.repeated) {
      llvm::Instruction* const copy = value->clone();
      copy->insertBefore(place);
      remap(copy);
      there[value] = copy;
    }
    for (llvm::Instruction& i : llvm::make_early_inc_range(*w_.way))
      if (!i.isTerminator()) {
        i.moveBefore(place);
        remap(&i);
      }
  }

  /// What the loop over threads keeps of the branch.
  void leaveOut() {
    llvm::IRBuilder<> at(w_.branch);
    if (w_.blends)
      for (llvm::Instruction& i : llvm::make_early_inc_range(*w_.other)) {
        if (i.isTerminator())
          break;
        i.moveBefore(w_.branch);
        if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i))
          blend(*store, store->getValueOperand());
      }
    for (llvm::StoreInst* store : w_.joined) {
      auto* const value = llvm::cast<llvm::PHINode>(store->getValueOperand());
      blend(*store, valueOf(*store, w_.other ? w_.other : w_.branch->getParent()));
      value->eraseFromParent();
    }
    at.SetInsertPoint(w_.branch);
    if (w_.other && !w_.blends)
      at.CreateCondBr(takes_, w_.join, w_.other);
    else
      at.CreateBr(w_.join);
    // What threads have noted is all that the join is told.
    if (w_.other)
      for (llvm::PHINode& noted : w_.join->phis())
        noted.addIncoming(takes_, w_.branch->getParent());
    w_.branch->eraseFromParent();
    llvm::DeleteDeadBlock(w_.way);
    if (w_.blends)
      llvm::DeleteDeadBlock(w_.other);
  }

  /// A store that all make: those that take the way, of what is there.
  void blend(llvm::StoreInst& store, llvm::Value* otherwise) {
    llvm::IRBuilder<> at(&store);
    llvm::LoadInst* const there =
        at.CreateAlignedLoad(otherwise->getType(), store.getPointerOperand(), store.getAlign());
    mark(there);
    store.setOperand(0, at.CreateSelect(takes_, there, otherwise));
  }

  const Way& w_;
  llvm::Function& f_;
  llvm::AllocaInst* notes_;
  unsigned bits_;
  llvm::BasicBlock* begin_;       ///< of a strip
  llvm::PHINode* done_ = nullptr; ///< threads of the strips before, if there are several
  llvm::Value *first_ = nullptr, *threads_ = nullptr, *noted_ = nullptr;
  llvm::Value* takes_ = nullptr;
  std::vector<llvm::AllocaInst*> rows_;
};

} // namespace

llvm::PreservedAnalyses cu2cpp::TakenWays::run(llvm::Function& f,
                                               llvm::FunctionAnalysisManager& analyses) {
  if (!hasPoorStores(f))
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  const llvm::DataLayout& layout = f.getParent()->getDataLayout();
  std::vector<Way> found;
  unsigned most = 0;
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    // Loops that say how wide their vectors are may have elements of one thread in several of them.
    if (!loop->isInnermost() || !loop->isAnnotatedParallel() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable") ||
        llvm::findOptionMDForLoop(loop, "llvm.loop.vectorize.width"))
      continue;
    if (!loop->getLoopPreheader())
      changed |= llvm::InsertPreheaderForLoop(loop, &tree, &loops, nullptr, false) != nullptr;
    auto way = Finder(*loop, known, tree).find();
    if (!way ||
        (!way->isKnown && !llvm::SCEVExpander(known, layout, "")
                               .isSafeToExpandAt(way->last, way->preheader->getTerminator())))
      continue;
    most = std::max(most, way->threads);
    found.push_back(std::move(*way));
  }
  if (found.empty())
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  // Before anything is changed.
  for (Way& way : found)
    if (!way.isKnown) {
      llvm::Instruction* const place = way.preheader->getTerminator();
      llvm::SCEVExpander expander(known, layout, "");
      llvm::IRBuilder<> at(place);
      llvm::Value* const last = expander.expandCodeFor(way.last, way.last->getType(), place);
      way.count = at.CreateAdd(at.CreateZExt(last, at.getInt64Ty()), at.getInt64(1));
    }
  // One after the other, all loops note their threads in one place.
  llvm::IRBuilder<> atBegin(&*f.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* const notes =
      atBegin.CreateAlloca(llvm::ArrayType::get(atBegin.getInt8Ty(), (most + 63) / 64 * 64));
  notes->setAlignment(llvm::Align(64));
  for (const Way& way : found)
    Parter(way, notes).part();
  return llvm::PreservedAnalyses::none();
}

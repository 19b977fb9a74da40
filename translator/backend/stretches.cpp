// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads in a row that ask which row, image or channel they belong to:
//
//   for (x = 0; x < n; ++x) {                      while (x < n) {
//     i = first + x;                                 q = (first + x) / width;
//     out[i] = a * in[i] + b[i / width];      ->     end = min(n, (q + 1) * width - first);
//   }                                                for (; x < end; ++x)
//                                                      out[i] = a * in[i] + b[q];
//                                                  }
//
// A division by a number that compilers do not know takes as long as dozens of other instructions,
// and what it says is looked up element by element. Here it is one value for a stretch of the row,
// and what is left over (`i % width`) counts on. So do places in what is left over (`i % plane /
// width`), and quotients that are divided again (`i / width % height`) stay. Short stretches
// (`width` < 64) and numbers that are below zero or wrap around take the loop as it was.
//
// By a known number compilers multiply, but where it says which row of a matrix an element belongs
// to, lanes store and load one by one:
//
//   for (e = lane; e < 24 * 24; e += 32) l[e / 24][e % 24] = a[e];
//
// In a stretch they are neighbours. So these may be shorter, and are vectors that need not be full.
#include "kernel_passes.h"

#include <algorithm>
#include <optional>

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace {

using namespace llvm;

constexpr std::uint64_t shortest = 64;
constexpr std::uint64_t shortestOfRows = 16; ///< where elements of a row become neighbours

bool isSigned(const Instruction& i) {
  return i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
}

/// Whether an innermost loop over threads divides by what compilers do not know to be small.
bool asksForPlaces(const Loop& loop) {
  if (!loop.isInnermost() || !findStringMetadataForLoop(&loop, "llvm.loop.parallel_accesses"))
    return false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& i : *block)
      if (i.isIntDivRem() && loop.isLoopInvariant(i.getOperand(1)))
        return true;
  return false;
}

/// A loop over threads and the divisions in it that one quotient answers.
class Stretches {
public:
  Stretches(Loop& loop, ScalarEvolution& known) : loop_(loop), known_(known) {}

  bool find() {
    if (!asksForPlaces(loop_) || !loop_.isLoopSimplifyForm() || !loop_.isSafeToClone() ||
        loop_.getExitingBlock() != loop_.getLoopLatch() || !loop_.getUniqueExitBlock())
      return false;
    const auto* branch = dyn_cast<BranchInst>(loop_.getLoopLatch()->getTerminator());
    count_ = known_.getBackedgeTakenCount(&loop_);
    if (!branch || !branch->isConditional() || isa<SCEVCouldNotCompute>(count_) ||
        known_.getTypeSizeInBits(count_->getType()) > 64)
      return false;
    takeAll();
    if (!divisions_.empty())
      return true;
    ofRows_ = true;
    takeAll();
    return widths_.size() == 1 && makesNeighbours();
  }

  void part();

private:
  static constexpr std::size_t none = ~std::size_t(0);
  /// What places are divided by, or what another width leaves over of them (`of`), and what that
  /// gives in a stretch.
  struct Width {
    Value* by;
    std::size_t of = none;
    Value* wide = nullptr;
    Value* place = nullptr;
    Value* quotient = nullptr;
    Value* base = nullptr;
  };

  void takeAll() {
    for (std::size_t before = ~std::size_t(0); before != divisions_.size();) {
      before = divisions_.size();
      for (BasicBlock* block : loop_.blocks())
        for (Instruction& i : *block)
          if (i.isIntDivRem() && !isTaken(i))
            take(i);
    }
  }
  void take(Instruction& i) {
    Type* type = i.getType();
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return;
    if (!loop_.isLoopInvariant(i.getOperand(1)))
      return;
    // Compilers multiply where they know the divisor; a power of two is a shift.
    const auto* number = dyn_cast<ConstantInt>(i.getOperand(1));
    if (number ? number->getValue().isPowerOf2() || number->getValue().ult(least()) : ofRows_)
      return;
    std::size_t of = none;
    if (const SCEV* start = startOf(known_.getSCEV(i.getOperand(0)))) {
      if (!divisions_.empty() && (start != start_ || isSigned(i) != signed_))
        return;
      start_ = start;
      signed_ = isSigned(i);
    } else if ((of = leavesOver(i.getOperand(0))) == none || isSigned(i) != signed_) {
      return;
    }
    const auto known = std::find_if(widths_.begin(), widths_.end(), [&](const Width& width) {
      return width.by == i.getOperand(1) && width.of == of;
    });
    divisions_.push_back({&i, std::size_t(known - widths_.begin())});
    if (known == widths_.end())
      widths_.push_back({i.getOperand(1), of});
  }
  bool isTaken(const Instruction& i) const {
    return std::any_of(divisions_.begin(), divisions_.end(),
                       [&](const auto& division) { return division.first == &i; });
  }
  /// Where a value starts that rises by one from thread to thread; null if it does not.
  const SCEV* startOf(const SCEV* value) const {
    const auto* place = dyn_cast<SCEVAddRecExpr>(value);
    return place && place->getLoop() == &loop_ && place->isAffine() &&
                   place->getStepRecurrence(known_)->isOne()
               ? place->getStart()
               : nullptr;
  }
  /// The width that leaves a value over of the place: `i % width`, or `i - i / width * width`.
  std::size_t leavesOver(Value* value) const {
    for (const auto& [division, width] : divisions_) {
      const bool isRest =
          division->getOpcode() == Instruction::SRem || division->getOpcode() == Instruction::URem;
      if (isRest ? value == division
                 : value->getType() == division->getType() && widths_[width].of == none &&
                       startOf(known_.getAddExpr(
                           known_.getSCEV(value),
                           known_.getMulExpr(known_.getSCEV(division),
                                             known_.getSCEV(division->getOperand(1))))) == start_)
        return width;
    }
    return none;
  }

  std::uint64_t least() const { return ofRows_ ? shortestOfRows : shortest; }
  /// Whether what the loop stores or loads lies side by side in a stretch, but not in the loop.
  bool makesNeighbours() const {
    const DataLayout& layout = loop_.getHeader()->getModule()->getDataLayout();
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& i : *block) {
        const Value* const place = getLoadStorePointerOperand(&i);
        if (!place || isa<SCEVAddRecExpr>(known_.getSCEV(const_cast<Value*>(place))))
          continue;
        const TypeSize size =
            layout.getTypeStoreSize(getLoadStoreType(const_cast<Instruction*>(&i)));
        const auto apart = step(place, layout, deepest);
        if (apart && !size.isScalable() && *apart == size.getFixedValue())
          return true;
      }
    return false;
  }
  /// By how much a number, or a place in bytes, grows from step to step of a stretch, as far as no
  /// type wraps around; nothing where that is not seen.
  std::optional<std::uint64_t> step(const Value* value, const DataLayout& layout,
                                    unsigned depth) const {
    if (loop_.isLoopInvariant(value))
      return 0;
    const auto* const i = dyn_cast<Instruction>(value);
    if (!i || depth == 0)
      return std::nullopt;
    if (isTaken(*i))
      return i->getOpcode() == Instruction::SRem || i->getOpcode() == Instruction::URem;
    if (known_.isSCEVable(i->getType()))
      if (const auto* steps =
              dyn_cast<SCEVAddRecExpr>(known_.getSCEV(const_cast<Instruction*>(i)))) {
        const auto* by = dyn_cast<SCEVConstant>(steps->getStepRecurrence(known_));
        return steps->getLoop() == &loop_ && by && by->getAPInt().getSignificantBits() <= 64
                   ? std::optional(std::uint64_t(by->getAPInt().getSExtValue()))
                   : std::nullopt;
      }
    const auto of = [&](const Value* part) { return step(part, layout, depth - 1); };
    if (const auto* element = dyn_cast<GetElementPtrInst>(i)) {
      auto sum = of(element->getPointerOperand());
      for (auto index = gep_type_begin(element); sum && index != gep_type_end(element); ++index) {
        const auto more = index.isStruct() ? 0 : of(index.getOperand());
        if (!more)
          return std::nullopt;
        *sum +=
            *more == 0 ? 0 : *more * index.getSequentialElementStride(layout).getKnownMinValue();
      }
      return sum;
    }
    if (isa<SExtInst, ZExtInst, TruncInst>(i))
      return of(i->getOperand(0));
    if (!isa<BinaryOperator>(i) || !i->getType()->isIntegerTy())
      return std::nullopt;
    const auto left = of(i->getOperand(0)), right = of(i->getOperand(1));
    const auto* const by = dyn_cast<ConstantInt>(i->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    switch (i->getOpcode()) {
    case Instruction::Add:
      return *left + *right;
    case Instruction::Sub:
      return *left - *right;
    case Instruction::Mul:
      return *left == 0 && *right == 0 ? std::optional<std::uint64_t>(0)
             : by && by->getValue().getActiveBits() <= 64
                 ? std::optional(*left * by->getZExtValue())
                 : std::nullopt;
    case Instruction::Shl:
      return by && by->getValue().ult(32) ? std::optional(*left << by->getZExtValue())
                                          : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  MDNode* marked(const MDNode& id) const;

  static constexpr unsigned deepest = 12;
  Loop& loop_;
  ScalarEvolution& known_;
  bool ofRows_ = false;         ///< whether elements become neighbours by that
  const SCEV* count_ = nullptr; ///< how often the loop goes on
  const SCEV* start_ = nullptr; ///< the first place
  SmallVector<Width> widths_;
  bool signed_ = false;
  SmallVector<std::pair<Instruction*, std::size_t>> divisions_; ///< each with its width
};

/// A loop's mark as the stretch's own. Of short ones the last vector is not full, where stores
/// under a mask take no longer.
MDNode* Stretches::marked(const MDNode& id) const {
  LLVMContext& context = id.getContext();
  SmallVector<Metadata*> parts = {nullptr};
  for (const MDOperand& part : drop_begin(id.operands())) {
    const auto* const node = dyn_cast<MDNode>(part.get());
    const auto* const name =
        node && node->getNumOperands() != 0 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
    const StringRef said = name ? name->getString() : "";
    if (!ofRows_ || (said != "llvm.loop.vectorize.width" && said != "llvm.loop.interleave.count" &&
                     said != "llvm.loop.vectorize.predicate.enable"))
      parts.push_back(part.get());
  }
  const auto say = [&](StringRef name, Type* type, unsigned value) {
    parts.push_back(MDNode::get(context, {MDString::get(context, name),
                                          ConstantAsMetadata::get(ConstantInt::get(type, value))}));
  };
  if (ofRows_) {
    say("llvm.loop.interleave.count", Type::getInt32Ty(context), 1);
    const Function& f = *loop_.getHeader()->getParent();
    if (f.getFnAttribute("target-features").getValueAsString().contains("+avx512f"))
      say("llvm.loop.vectorize.predicate.enable", Type::getInt1Ty(context), 1);
  }
  MDNode* const own = MDNode::getDistinct(context, parts);
  own->replaceOperandWith(0, own);
  return own;
}

void Stretches::part() {
  BasicBlock* const entry = loop_.getLoopPreheader();
  BasicBlock* const header = loop_.getHeader();
  BasicBlock* const latch = loop_.getLoopLatch();
  BasicBlock* const exit = loop_.getUniqueExitBlock();
  Function& f = *header->getParent();
  LLVMContext& context = f.getContext();
  SCEVExpander expander(known_, f.getDataLayout(), "stretch");
  Instruction* const end = entry->getTerminator();
  if (!expander.isSafeToExpandAt(count_, end) || !expander.isSafeToExpandAt(start_, end))
    return;
  Value* const backs = expander.expandCodeFor(count_, count_->getType(), end);
  Value* const first = expander.expandCodeFor(start_, start_->getType(), end);
  IRBuilder<> build(end);
  Type* const wide = build.getInt64Ty();
  Type* const narrow = start_->getType();
  const bool isWide = narrow == wide;
  const auto widened = [&](IRBuilder<>& at, Value* value) {
    return isWide ? value : signed_ ? at.CreateSExt(value, wide) : at.CreateZExt(value, wide);
  };
  Value* const times = build.CreateAdd(build.CreateZExtOrTrunc(backs, wide), build.getInt64(1));
  Value* const from = widened(build, build.CreateFreeze(first));
  // All places are numbers of their type, and far from where any sum here wraps around.
  const std::uint64_t most = isWide    ? std::uint64_t(1) << 62
                             : signed_ ? std::uint64_t(1) << 31
                                       : std::uint64_t(1) << 32;
  Value* fits = build.CreateICmpULT(from, build.getInt64(most));
  fits = build.CreateAnd(fits, build.CreateICmpULT(times, build.getInt64(most)));
  fits = build.CreateAnd(fits,
                         build.CreateICmpULE(build.CreateAdd(from, times), build.getInt64(most)));
  for (Width& width : widths_) {
    width.wide = widened(build, build.CreateFreeze(width.by));
    fits = build.CreateAnd(fits, build.CreateICmpUGE(width.wide, build.getInt64(least())));
    fits = build.CreateAnd(fits, build.CreateICmpULT(width.wide, build.getInt64(most)));
  }

  ValueToValueMapTy map;
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock* block : loop_.blocks()) {
    BasicBlock* copy = CloneBasicBlock(block, map, ".stretch", &f);
    map[block] = copy;
    blocks.push_back(copy);
  }
  BasicBlock* const head = BasicBlock::Create(context, "stretch.head", &f, blocks.front());
  BasicBlock* const next = BasicBlock::Create(context, "stretch.next", &f);
  remapInstructionsInBlocks(blocks, map);
  auto* const innerHeader = cast<BasicBlock>(map[header]);
  auto* const innerLatch = cast<BasicBlock>(map[latch]);

  // The stretch that begins at `done`.
  IRBuilder<> at(head);
  PHINode* const done = at.CreatePHI(wide, 2, "done");
  SmallVector<std::pair<PHINode*, PHINode*>> kept; ///< of the stretches, and of the loop's copy
  for (PHINode& phi : header->phis()) {
    auto* inner = cast<PHINode>(map[&phi]);
    PHINode* outer = at.CreatePHI(phi.getType(), 2);
    outer->addIncoming(phi.getIncomingValueForBlock(entry), entry);
    const int slot = inner->getBasicBlockIndex(entry);
    inner->setIncomingValue(slot, outer);
    inner->setIncomingBlock(slot, head);
    kept.push_back({outer, inner});
  }
  Value* const place = at.CreateAdd(from, done, "", true, true);
  Value* stretch = at.CreateSub(times, done, "", true, true);
  for (Width& width : widths_) {
    Value* const of = width.of == none ? place : widths_[width.of].place;
    Value* const quotient = at.CreateUDiv(of, width.wide);
    Value* const base = at.CreateMul(quotient, width.wide, "", true, true);
    Value* const end = at.CreateAdd(base, width.wide, "", true, true);
    stretch =
        at.CreateBinaryIntrinsic(Intrinsic::umin, stretch, at.CreateSub(end, of, "", true, true));
    width.place = at.CreateSub(of, base, "", true, true);
    width.quotient = at.CreateTrunc(quotient, narrow);
    width.base = at.CreateTrunc(base, narrow);
  }
  at.CreateBr(innerHeader);

  IRBuilder<> counting(innerHeader, innerHeader->begin());
  PHINode* const counter = counting.CreatePHI(wide, 2, "step");
  counter->addIncoming(build.getInt64(0), head);
  auto* const branch = cast<BranchInst>(innerLatch->getTerminator());
  IRBuilder<> stepping(branch);
  Value* const stepped = stepping.CreateAdd(counter, build.getInt64(1), "", true, true);
  counter->addIncoming(stepped, innerLatch);
  BranchInst* const again =
      stepping.CreateCondBr(stepping.CreateICmpEQ(stepped, stretch), next, innerHeader);
  again->copyMetadata(*branch);
  if (const MDNode* id = branch->getMetadata(LLVMContext::MD_loop))
    again->setMetadata(LLVMContext::MD_loop, marked(*id));
  branch->eraseFromParent();

  for (const auto& [division, number] : divisions_) {
    auto* mine = cast<Instruction>(map[division]);
    const Width& width = widths_[number];
    Value* value = width.quotient;
    if (division->getOpcode() == Instruction::SRem || division->getOpcode() == Instruction::URem) {
      IRBuilder<> here(mine);
      value = here.CreateSub(mine->getOperand(0), width.base, "", true, signed_);
    }
    mine->replaceAllUsesWith(value);
    mine->eraseFromParent();
  }

  // What the copy's first step computes before anything is stored is the same in all of its steps,
  // if what it is computed from is: no step stores what another one loads.
  const SmallPtrSet<const BasicBlock*, 8> inside(blocks.begin(), blocks.end());
  const auto stays = [&](const Instruction& i) {
    return !isa<PHINode>(i) && std::none_of(i.op_begin(), i.op_end(), [&](const Use& operand) {
      const auto* made = dyn_cast<Instruction>(operand.get());
      return made && inside.contains(made->getParent());
    });
  };
  for (Instruction& i : make_early_inc_range(*innerHeader)) {
    if (i.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&i) || i.isTerminator())
      break;
    const auto* load = dyn_cast<LoadInst>(&i);
    if (stays(i) && (load ? load->isSimple() : !i.mayReadFromMemory()))
      i.moveBefore(head->getTerminator());
  }
  // So is what quotients give that are divided again, `i / width % height`, under conditions too:
  // nobody takes what a divisor of 0 would give there.
  SmallPtrSet<const Value*, 8> quotients;
  for (const Width& width : widths_)
    quotients.insert(width.quotient);
  IRBuilder<> ahead(head->getTerminator());
  for (bool moved = true; moved;) {
    moved = false;
    for (BasicBlock* block : blocks)
      for (Instruction& i : make_early_inc_range(*block)) {
        const bool again = i.isIntDivRem() && quotients.contains(i.getOperand(0));
        if (!stays(i) || i.isTerminator() || i.getType()->isVoidTy() ||
            (!again && (i.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&i))))
          continue;
        if (again) {
          Value* const by = ahead.CreateFreeze(i.getOperand(1));
          Value* const zero = ConstantInt::get(i.getType(), 0);
          i.setOperand(1, ahead.CreateSelect(ahead.CreateICmpEQ(by, zero),
                                             ConstantInt::get(i.getType(), 1), by));
          quotients.insert(&i);
        }
        i.moveBefore(head->getTerminator());
        moved = true;
      }
  }

  IRBuilder<> after(next);
  Value* const reached = after.CreateAdd(done, stretch, "", true, true);
  done->addIncoming(build.getInt64(0), entry);
  done->addIncoming(reached, next);
  const auto leaving = [&](Value* value) {
    const auto found = map.find(value);
    return found == map.end() ? value : static_cast<Value*>(found->second);
  };
  for (auto& [outer, inner] : kept)
    outer->addIncoming(inner->getIncomingValueForBlock(innerLatch), next);
  for (PHINode& phi : exit->phis())
    phi.addIncoming(leaving(phi.getIncomingValueForBlock(latch)), next);
  after.CreateCondBr(after.CreateICmpEQ(reached, times), exit, head);
  BranchInst::Create(head, header, fits, end->getIterator());
  end->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses cu2cpp::RowStretches::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(f);
  std::vector<Stretches> found;
  bool changed = false;
  const auto rows = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : rows)
    if (asksForPlaces(*loop)) {
      changed |= llvm::simplifyLoop(loop, &tree, &loops, &known, &assumptions, nullptr, false);
      // What is asked for behind the loop comes from one of its two versions.
      changed |= llvm::formLCSSA(*loop, tree, &loops, &known);
    }
  for (llvm::Loop* loop : rows) {
    Stretches stretches(*loop, known);
    if (stretches.find())
      found.push_back(std::move(stretches));
  }
  for (Stretches& stretches : found)
    stretches.part();
  return found.empty() && !changed ? llvm::PreservedAnalyses::all()
                                   : llvm::PreservedAnalyses::none();
}

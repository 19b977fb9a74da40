// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of every second, third or fourth element:
//
//   value[j] = strike - spot[2 * j - i];
//
// clang loads rows and picks from them where it can read on behind the last element, and takes a
// loop's last elements one by one: all that some loops over threads have. Else it gathers, which
// takes as long as loading one by one. Here all is gathered, as far as clang can tell, and what was
// is then picked from rows of which the last ends with the last element that is asked for.
#include "gathers.h"
#include "kernel_passes.h"

#include <map>
#include <optional>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace {

using namespace llvm::PatternMatch;

constexpr unsigned deepest = 10;
constexpr std::int64_t widest = 4; ///< how many elements apart those are that rows are loaded for

/// How the numbers of a vector grow from lane to lane.
class Steps {
public:
  /// By how much, modulo what their type holds; nothing where they do not grow by one step.
  std::optional<std::int64_t> of(llvm::Value* numbers, unsigned depth = 0) {
    if (depth > deepest)
      return std::nullopt;
    if (llvm::getSplatValue(numbers))
      return 0;
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(numbers))
      return ofConstant(*constant);
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(numbers)) {
      llvm::Value* const first = beginningOf(*phi);
      return first ? of(first, depth + 1) : std::nullopt;
    }
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(numbers)) {
      if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(cast) || ++casts > 1)
        return std::nullopt;
      return of(cast->getOperand(0), depth + 1);
    }
    auto* const op = llvm::dyn_cast<llvm::BinaryOperator>(numbers);
    const auto left = op ? of(op->getOperand(0), depth + 1) : std::nullopt;
    if (!left)
      return std::nullopt;
    const llvm::APInt* factor = nullptr;
    switch (op->getOpcode()) {
    case llvm::Instruction::Mul:
      if (match(op->getOperand(1), m_APInt(factor)) && factor->isSignedIntN(16))
        return *left * factor->getSExtValue();
      return std::nullopt;
    case llvm::Instruction::Shl:
      if (match(op->getOperand(1), m_APInt(factor)) && factor->ult(16))
        return *left * (std::int64_t(1) << factor->getZExtValue());
      return std::nullopt;
    case llvm::Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(op)->isDisjoint())
        return std::nullopt;
      [[fallthrough]];
    case llvm::Instruction::Add:
      if (const auto right = of(op->getOperand(1), depth + 1))
        return *left + *right;
      return std::nullopt;
    case llvm::Instruction::Sub:
      if (const auto right = of(op->getOperand(1), depth + 1))
        return *left - *right;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }
  /// What a loop begins with that adds the same to all lanes; null if it does something else.
  static llvm::Value* beginningOf(const llvm::PHINode& phi) {
    for (unsigned i = 0; i < 2 && phi.getNumIncomingValues() == 2; ++i) {
      llvm::Value* by = nullptr;
      if (match(phi.getIncomingValue(i), m_c_Add(m_Specific(&phi), m_Value(by))) &&
          llvm::getSplatValue(by))
        return phi.getIncomingValue(1 - i);
    }
    return nullptr;
  }
  /// How often they are widened. They may wrap around between two lanes where they were narrower.
  unsigned casts = 0;

private:
  static std::optional<std::int64_t> ofConstant(const llvm::Constant& numbers) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(numbers.getType())->getNumElements();
    std::optional<std::int64_t> step;
    for (unsigned lane = 0; lane + 1 < count; ++lane) {
      const auto* one =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(numbers.getAggregateElement(lane));
      const auto* next =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(numbers.getAggregateElement(lane + 1));
      if (!one || !next)
        return std::nullopt;
      const std::int64_t here = (next->getValue() - one->getValue()).getSExtValue();
      if (step && *step != here)
        return std::nullopt;
      step = here;
    }
    return step;
  }
};

/// How many bytes the places of a gather are apart.
std::optional<std::int64_t> bytesApart(llvm::Value* places, const llvm::DataLayout& layout,
                                       Steps& steps) {
  std::int64_t apart = 0;
  while (places->getType()->isVectorTy() && !llvm::getSplatValue(places)) {
    auto* const part = llvm::dyn_cast<llvm::GEPOperator>(places);
    if (!part)
      return std::nullopt;
    for (auto index = llvm::gep_type_begin(part); index != llvm::gep_type_end(part); ++index) {
      llvm::Value* const number = index.getOperand();
      if (!number->getType()->isVectorTy() || llvm::getSplatValue(number))
        continue;
      const auto step = index.isStruct() || !number->getType()->getScalarType()->isIntegerTy(64)
                            ? std::nullopt
                            : steps.of(number);
      if (!step)
        return std::nullopt;
      apart += *step * std::int64_t(index.getSequentialElementStride(layout).getFixedValue());
    }
    places = part->getPointerOperand();
  }
  return apart;
}

/// A gather of elements that are `stride` apart, if `asked` finds no lane that wrapped around.
struct Found {
  llvm::IntrinsicInst* gather;
  unsigned stride;
  bool asked;
  llvm::Value* first = nullptr; ///< the place of the first lane
};

std::optional<Found> find(llvm::IntrinsicInst& gather) {
  constexpr unsigned fewest = 4;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(gather.getType());
  if (!type || type->getNumElements() < fewest)
    return std::nullopt;
  const llvm::DataLayout& layout = gather.getModule()->getDataLayout();
  const std::int64_t size = std::int64_t(layout.getTypeStoreSize(type->getElementType()));
  if (size != 4 && size != 8)
    return std::nullopt;
  Steps steps;
  const auto apart = bytesApart(gather.getArgOperand(0), layout, steps);
  if (!apart || *apart <= size || *apart % size != 0 || *apart / size > widest)
    return std::nullopt;
  return Found{&gather, unsigned(*apart / size), steps.casts != 0};
}

/// Lanes of what Steps knows, computed by themselves.
class Lanes {
public:
  llvm::Value* of(llvm::Value* numbers, unsigned lane, llvm::IRBuilder<>& at) {
    if (!numbers->getType()->isVectorTy())
      return numbers;
    if (llvm::Value* const same = llvm::getSplatValue(numbers))
      return same;
    if (auto* const constant = llvm::dyn_cast<llvm::Constant>(numbers))
      return constant->getAggregateElement(lane);
    if (auto* const part = llvm::dyn_cast<llvm::GetElementPtrInst>(numbers)) {
      llvm::Value* const base = of(part->getPointerOperand(), lane, at);
      std::vector<llvm::Value*> indices;
      for (llvm::Value* index : part->indices())
        indices.push_back(of(index, lane, at));
      return at.CreateGEP(part->getSourceElementType(), base, indices);
    }
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(numbers)) {
      llvm::Value* const narrow = of(cast->getOperand(0), lane, at);
      if (lane == 0)
        narrow_ = {narrow, llvm::isa<llvm::SExtInst>(cast),
                   Steps().of(cast->getOperand(0)).value_or(0)};
      return at.CreateCast(cast->getOpcode(), narrow, cast->getType()->getScalarType());
    }
    if (auto* const op = llvm::dyn_cast<llvm::BinaryOperator>(numbers)) {
      llvm::Value* const left = of(op->getOperand(0), lane, at);
      return at.CreateBinOp(op->getOpcode(), left, of(op->getOperand(1), lane, at));
    }
    auto* const phi = llvm::cast<llvm::PHINode>(numbers);
    llvm::Value* const first = firstOf(phi);
    const auto step = Steps().of(phi);
    return at.CreateAdd(
        first, llvm::ConstantInt::get(first->getType(), std::uint64_t(*step * lane), true));
  }
  /// Computes the place of a gather's first lane, and does not ask what is known.
  void tell(Found& found, llvm::ScalarEvolution& known) {
    narrow_ = {};
    llvm::IRBuilder<> at(found.gather);
    found.first = of(found.gather->getArgOperand(0), 0, at);
    found.asked &= !isKnown(
        llvm::cast<llvm::FixedVectorType>(found.gather->getType())->getNumElements(), known);
  }

private:
  /// Whether what was widened in the first lane is known not to wrap around in any of `count`.
  bool isKnown(unsigned count, llvm::ScalarEvolution& known) const {
    if (!narrow_.first || narrow_.step < 0)
      return false;
    const llvm::SCEV* const first = known.getSCEV(narrow_.first);
    const llvm::APInt most =
        narrow_.isSigned ? known.getSignedRangeMax(first) : known.getUnsignedRangeMax(first);
    bool wraps = false;
    const llvm::APInt more(most.getBitWidth(), std::uint64_t(narrow_.step) * (count - 1));
    (void)(narrow_.isSigned ? most.sadd_ov(more, wraps) : most.uadd_ov(more, wraps));
    return !wraps;
  }
  /// The first lane of what a loop counts.
  llvm::Value* firstOf(llvm::PHINode* phi) {
    llvm::PHINode*& first = firsts_[phi];
    if (first)
      return first;
    const unsigned begin = phi->getIncomingValue(0) == Steps::beginningOf(*phi) ? 0 : 1;
    llvm::Value* by = nullptr;
    match(phi->getIncomingValue(1 - begin), m_c_Add(m_Specific(phi), m_Value(by)));
    first = llvm::PHINode::Create(phi->getType()->getScalarType(), 2, "", phi->getIterator());
    llvm::IRBuilder<> before(phi->getIncomingBlock(begin)->getTerminator());
    llvm::IRBuilder<> after(phi->getIncomingBlock(1 - begin)->getTerminator());
    first->addIncoming(of(phi->getIncomingValue(begin), 0, before), phi->getIncomingBlock(begin));
    first->addIncoming(after.CreateAdd(first, llvm::getSplatValue(by)),
                       phi->getIncomingBlock(1 - begin));
    return first;
  }

  struct Narrow {
    llvm::Value* first = nullptr;
    bool isSigned = false;
    std::int64_t step = 0;
  };
  Narrow narrow_; ///< what was widened last
  std::map<llvm::PHINode*, llvm::PHINode*> firsts_;
};

/// Loads rows from the first lane's place on and picks the elements.
llvm::Value* loadRows(const llvm::IntrinsicInst& gather, llvm::Value* first, unsigned stride,
                      llvm::IRBuilder<>& at) {
  auto* const type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  const unsigned count = type->getNumElements(), last = stride * (count - 1);
  const auto alignment = llvm::cast<llvm::ConstantInt>(gather.getArgOperand(1))->getAlignValue();
  llvm::Value* const mask = gather.getArgOperand(2);
  const bool all = match(mask, m_AllOnes());
  llvm::Value* picked = llvm::PoisonValue::get(type);
  for (unsigned lane = 0; lane < count;) {
    // The row begins at this lane's element; the last one ends at the last lane's.
    const unsigned begin = std::min(lane * stride, last - (count - 1));
    std::vector<int> from(count), asked(count, 0);
    std::vector<llvm::Constant*> isAsked(count, at.getFalse());
    for (unsigned i = 0; i < count; ++i)
      from[i] = int(i < lane ? count + i : 0);
    for (; lane < count && lane * stride < begin + count; ++lane) {
      const unsigned place = lane * stride - begin;
      from[lane] = int(place);
      asked[place] = int(lane);
      isAsked[place] = at.getTrue();
    }
    llvm::Value* const here = at.CreateConstGEP1_64(type->getElementType(), first, begin);
    llvm::Value* const row =
        all ? static_cast<llvm::Value*>(at.CreateAlignedLoad(type, here, alignment))
            : at.CreateMaskedLoad(type, here, alignment,
                                  at.CreateAnd(at.CreateShuffleVector(mask, asked),
                                               llvm::ConstantVector::get(isAsked)));
    picked = at.CreateShuffleVector(row, picked, from);
  }
  return all ? picked : at.CreateSelect(mask, picked, gather.getArgOperand(3));
}

void replace(const Found& found, Lanes& lanes) {
  llvm::IntrinsicInst* const gather = found.gather;
  auto* const type = llvm::cast<llvm::FixedVectorType>(gather->getType());
  llvm::IRBuilder<> at(gather);
  llvm::Value* const places = gather->getArgOperand(0);
  llvm::Value* const first = found.first;
  if (!found.asked) {
    gather->replaceAllUsesWith(loadRows(*gather, first, found.stride, at));
    gather->eraseFromParent();
    return;
  }
  // Narrow numbers that grow by one step wrap around once at most.
  const unsigned last = type->getNumElements() - 1;
  llvm::Value* const apart =
      at.CreatePtrDiff(type->getElementType(), lanes.of(places, last, at), first);
  cu2cpp::loadWhere(
      gather, at.CreateICmpEQ(apart, at.getInt64(std::uint64_t(found.stride) * last)),
      [&](llvm::IRBuilder<>& here) { return loadRows(*gather, first, found.stride, here); });
}

/// By how many bytes a place grows with each step of a loop, also where its index may wrap around;
/// 0 if that is not known.
std::int64_t growthOf(llvm::Value* place, const llvm::Loop& loop, llvm::ScalarEvolution& known) {
  const auto stepOf = [&](llvm::Value* number) -> std::int64_t {
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(number);
        cast && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast))
      number = cast->getOperand(0);
    const auto* grows = llvm::dyn_cast<llvm::SCEVAddRecExpr>(known.getSCEV(number));
    const auto* step = grows && grows->getLoop() == &loop && grows->isAffine()
                           ? llvm::dyn_cast<llvm::SCEVConstant>(grows->getOperand(1))
                           : nullptr;
    return step ? step->getAPInt().getSExtValue() : 0;
  };
  auto* const part = llvm::dyn_cast<llvm::GetElementPtrInst>(place);
  if (!part || !loop.isLoopInvariant(part->getPointerOperand()))
    return 0;
  const llvm::DataLayout& layout = part->getModule()->getDataLayout();
  std::int64_t growth = 0;
  for (auto index = llvm::gep_type_begin(part); index != llvm::gep_type_end(part); ++index) {
    llvm::Value* const number = index.getOperand();
    if (index.isStruct() || loop.isLoopInvariant(number))
      continue;
    if (growth != 0)
      return 0;
    growth =
        stepOf(number) * std::int64_t(index.getSequentialElementStride(layout).getFixedValue());
    if (growth == 0)
      return 0;
  }
  return growth;
}

/// Whether no other load or store of the loop is between an element and the next.
bool isAlone(llvm::LoadInst& load, std::int64_t growth, const llvm::Loop& loop,
             llvm::ScalarEvolution& known) {
  const llvm::SCEV* const place = known.getSCEV(load.getPointerOperand());
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      const llvm::Value* const other = llvm::getLoadStorePointerOperand(&i);
      if (!other || &i == &load)
        continue;
      const llvm::SCEV* const apart =
          known.getMinusSCEV(known.getSCEV(const_cast<llvm::Value*>(other)), place);
      if (const auto* bytes = llvm::dyn_cast<llvm::SCEVConstant>(apart);
          bytes && bytes->getAPInt().abs().ult(std::uint64_t(growth)))
        return false;
    }
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::StridedLoads::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  if (!features.contains("+avx512f"))
    return llvm::PreservedAnalyses::all();
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  llvm::ScalarEvolution& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  std::vector<llvm::LoadInst*> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    // Others have a loop for the last ones anyway.
    constexpr unsigned fewest = 8;
    if (!loop->isInnermost() || !loop->isAnnotatedParallel() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable") ||
        known.getSmallConstantTripMultiple(loop) % fewest != 0)
      continue;
    for (llvm::BasicBlock* block : loop->blocks())
      for (llvm::Instruction& i : *block) {
        auto* const load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (!load || !load->isSimple())
          continue;
        const std::int64_t size =
            std::int64_t(f.getParent()->getDataLayout().getTypeStoreSize(load->getType()));
        const std::int64_t growth =
            size == 4 || size == 8 ? growthOf(load->getPointerOperand(), *loop, known) : 0;
        if (growth > size && growth % size == 0 && growth / size <= widest &&
            isAlone(*load, growth, *loop, known))
          found.push_back(load);
      }
  }
  for (llvm::LoadInst* load : found) {
    const llvm::Loop* const loop = loops.getLoopFor(load->getParent());
    auto* const part = llvm::cast<llvm::GetElementPtrInst>(
        llvm::cast<llvm::GetElementPtrInst>(load->getPointerOperand())->clone());
    part->insertBefore(load);
    load->setOperand(0, part);
    for (llvm::Use& index : part->indices())
      if (!loop->isLoopInvariant(index))
        // A number that clang no longer knows; it finds out behind the vectorisers.
        index.set(llvm::BinaryOperator::CreateXor(
            index, llvm::Constant::getNullValue(index->getType()), "", part));
  }
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses cu2cpp::StridedGathers::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager& analyses) {
  std::vector<Found> all;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
        if (const auto found = find(*call))
          all.push_back(*found);
  if (all.empty())
    return llvm::PreservedAnalyses::all();
  // Branches change the loops of which something is known: they come last.
  llvm::ScalarEvolution& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  Lanes lanes;
  for (Found& found : all)
    lanes.tell(found, known);
  for (const Found& found : all)
    replace(found, lanes);
  return llvm::PreservedAnalyses::none();
}

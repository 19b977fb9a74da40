// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to all parts of structures alike is done to their words, in the order in which they
// lie in memory.
#ifndef CU2CPP_BACKEND_PACKED_PARTS_H
#define CU2CPP_BACKEND_PACKED_PARTS_H

#include "joined_vectors.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cu2cpp {

/// One vector for each part of a structure: its lanes are neighbours.
using Parts = std::vector<llvm::Value*>;

/// Of a vector all of whose lanes are one value, that value.
inline llvm::Value* valueOfAll(llvm::Value* vector) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(vector))
    return constant->getSplatValue();
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
  const auto* first =
      shuffle ? llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0)) : nullptr;
  const auto* place = first ? llvm::dyn_cast<llvm::ConstantInt>(first->getOperand(2)) : nullptr;
  return place && place->isZero() && shuffle->isZeroEltSplat() ? first->getOperand(1) : nullptr;
}

/// Packing finds out how the parts of a structure are made, and makes all of its words at once.
class Packing {
public:
  /// What it makes stands before `place`.
  Packing(unsigned count, llvm::Instruction* place) : place_(place), count_(int(count)) {}

  /// know() gives parts whose words are there already.
  void know(const Parts& parts, llvm::Value* whole) { built_[parts] = whole; }
  /// look() finds what the parts are made of; false if that is too much.
  bool look(const Parts& parts) { return look(parts, 0); }
  bool isLeaf(const Parts& parts) const { return isLeaf_.count(parts) != 0; }
  unsigned leaves() const { return unsigned(isLeaf_.size()); } ///< what must be put together
  unsigned repeats() const { return unsigned(repeats_.size()); }
  unsigned loads() const { return loads_; } ///< what need not be taken apart any more
  /// made() are the operations that the words take the place of.
  const std::set<llvm::Value*>& made() const { return made_; }
  /// taken() are parts that are taken from words.
  const std::vector<Parts>& taken() const { return taken_; }

  /// build() makes the words; `repeated` are values that have been repeated for all parts.
  llvm::Value* build(const Parts& parts, std::map<llvm::Value*, llvm::Value*>& repeated) {
    auto& known = built_[parts];
    if (known)
      return known;
    llvm::IRBuilder<> at(place_);
    const int lanes = int(vectorType(parts[0])->getNumElements());
    if (llvm::Value* const whole = wholeOf(parts))
      return known = whole;
    if (areOne(parts))
      return known = repeat(parts[0], repeated);
    llvm::Value* out = nullptr;
    if (areAlike(parts)) {
      std::vector<llvm::Value*> operands;
      for (unsigned i = 0; i < operandsOf(parts[0]); ++i)
        operands.push_back(build(operandsAt(parts, i), repeated));
      out = whole(at, llvm::cast<llvm::Instruction>(parts[0]), operands, lanes * count_);
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(out)) {
        made->copyIRFlags(parts[0]);
        for (llvm::Value* part : parts)
          made->andIRFlags(part);
      }
    } else {
      out = putTogether(at, parts);
    }
    return built_[parts] = out;
  }

  /// putTogether() makes words of parts that are made one by one.
  static llvm::Value* putTogether(llvm::IRBuilder<>& at, const Parts& parts) {
    const int lanes = int(vectorType(parts[0])->getNumElements()), count = int(parts.size());
    // All parts behind one another, then in turn.
    Parts joined = parts;
    if (joined.size() == 3)
      joined.push_back(llvm::PoisonValue::get(joined[0]->getType()));
    std::vector<int> all;
    for (int lane = 0; lane < 2 * lanes; ++lane)
      all.push_back(lane);
    llvm::Value* pairs[2] = {nullptr, nullptr};
    for (std::size_t i = 0; i + 1 < joined.size(); i += 2)
      pairs[i / 2] = at.CreateShuffleVector(joined[i], joined[i + 1], all);
    std::vector<int> inTurn;
    for (int lane = 0; lane < lanes; ++lane)
      for (int part = 0; part < count; ++part)
        inTurn.push_back(part * lanes + lane);
    return at.CreateShuffleVector(
        pairs[0], pairs[1] ? pairs[1] : llvm::PoisonValue::get(pairs[0]->getType()), inTurn);
  }

private:
  /// What all parts are taken from.
  llvm::Value* wholeOf(const Parts& parts) const {
    llvm::Value* whole = nullptr;
    for (int part = 0; part < count_; ++part) {
      const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(parts[part]);
      if (!shuffle)
        return nullptr;
      llvm::Value* const from = shuffle->getOperand(0);
      const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
      if (vectorType(from)->getNumElements() != mask.size() * unsigned(count_))
        return nullptr;
      for (int lane = 0; lane < int(mask.size()); ++lane)
        if (mask[lane] != lane * count_ + part)
          return nullptr;
      if (!whole)
        whole = from;
      // Sums of whole structures stand there once for each part.
      const auto *a = llvm::dyn_cast<llvm::Instruction>(whole),
                 *b = llvm::dyn_cast<llvm::Instruction>(from);
      if (from != whole && !(a && b && !a->mayReadOrWriteMemory() && a->isIdenticalTo(b)))
        return nullptr;
    }
    return whole;
  }

  /// Whether a value is one lane of another vector, in all lanes.
  static bool isSplat(llvm::Value* value) {
    const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
    return shuffle && shuffle->getShuffleMask()[0] >= 0 &&
           llvm::all_equal(shuffle->getShuffleMask());
  }

  static bool areOne(const Parts& parts) {
    return std::all_of(parts.begin(), parts.end(), [&](llvm::Value* v) { return v == parts[0]; });
  }

  /// Whether all parts are made by one operation, lane by lane.
  bool areAlike(const Parts& parts) const {
    const auto* first = llvm::dyn_cast<llvm::Instruction>(parts[0]);
    if (!first)
      return false;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(first)) {
      static const std::set<llvm::Intrinsic::ID> known = {
          llvm::Intrinsic::fma,     llvm::Intrinsic::fmuladd, llvm::Intrinsic::fabs,
          llvm::Intrinsic::sqrt,    llvm::Intrinsic::minnum,  llvm::Intrinsic::maxnum,
          llvm::Intrinsic::floor,   llvm::Intrinsic::ceil,    llvm::Intrinsic::smin,
          llvm::Intrinsic::smax,    llvm::Intrinsic::umin,    llvm::Intrinsic::umax,
          llvm::Intrinsic::minimum, llvm::Intrinsic::maximum};
      if (!known.count(call->getIntrinsicID()))
        return false;
    } else if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                          llvm::SelectInst>(first)) {
      return false;
    }
    return std::all_of(parts.begin(), parts.end(), [&](llvm::Value* v) {
      const auto* other = llvm::dyn_cast<llvm::Instruction>(v);
      return other && other->isSameOperationAs(first) &&
             (!llvm::isa<llvm::CallInst>(first) ||
              llvm::cast<llvm::CallInst>(other)->getCalledOperand() ==
                  llvm::cast<llvm::CallInst>(first)->getCalledOperand());
    });
  }

  static unsigned operandsOf(const llvm::Value* value) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
    return call ? call->arg_size() : llvm::cast<llvm::Instruction>(value)->getNumOperands();
  }
  static Parts operandsAt(const Parts& parts, unsigned number) {
    Parts out;
    for (llvm::Value* part : parts)
      out.push_back(llvm::cast<llvm::Instruction>(part)->getOperand(number));
    return out;
  }

  bool look(const Parts& parts, unsigned depth) {
    constexpr unsigned deepest = 24, most = 400;
    if (built_.count(parts) || !seen_.insert(parts).second)
      return true;
    if (depth > deepest || seen_.size() > most || !vectorType(parts[0]))
      return false;
    if (wholeOf(parts)) {
      const bool onlyHere = std::all_of(parts.begin(), parts.end(),
                                        [](llvm::Value* part) { return part->hasOneUse(); });
      loads_ += onlyHere;
      taken_.push_back(parts);
      return true;
    }
    if (areOne(parts)) {
      if (!valueOfAll(parts[0]) && !isSplat(parts[0]))
        repeats_.insert(parts[0]);
      return true;
    }
    if (std::all_of(parts.begin(), parts.end(),
                    [](llvm::Value* part) { return valueOfAll(part) != nullptr; }))
      return true;
    if (areAlike(parts)) {
      made_.insert(parts.begin(), parts.end());
      for (unsigned i = 0; i < operandsOf(parts[0]); ++i)
        if (!look(operandsAt(parts, i), depth + 1))
          return false;
      return true;
    }
    isLeaf_.insert(parts);
    return true;
  }

  /// The operation by which a part is made, for all words.
  static llvm::Value* whole(llvm::IRBuilder<>& at, llvm::Instruction* part,
                            const std::vector<llvm::Value*>& operands, int words) {
    const auto typeOf = [&](llvm::Type* type) {
      return llvm::FixedVectorType::get(llvm::cast<llvm::FixedVectorType>(type)->getElementType(),
                                        unsigned(words));
    };
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(part))
      return at.CreateIntrinsic(call->getIntrinsicID(), {typeOf(call->getType())}, operands);
    if (const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(part))
      return at.CreateBinOp(op->getOpcode(), operands[0], operands[1]);
    if (const auto* op = llvm::dyn_cast<llvm::UnaryOperator>(part))
      return at.CreateUnOp(op->getOpcode(), operands[0]);
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(part))
      return at.CreateCast(cast->getOpcode(), operands[0], typeOf(cast->getType()));
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(part))
      return at.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
    return at.CreateSelect(operands[0], operands[1], operands[2]);
  }

  /// Each lane's value for all parts of its structure: one vector, however many stores want it.
  llvm::Value* repeat(llvm::Value* value, std::map<llvm::Value*, llvm::Value*>& repeated) {
    const unsigned lanes = vectorType(value)->getNumElements();
    llvm::IRBuilder<> at(place_);
    if (llvm::Value* const one = valueOfAll(value))
      return at.CreateVectorSplat(lanes * unsigned(count_), one);
    auto* const made = llvm::dyn_cast<llvm::Instruction>(value);
    auto& known = repeated[value];
    if (known && vectorType(known)->getNumElements() == lanes * unsigned(count_))
      return known;
    if (made && !llvm::isa<llvm::PHINode>(made) && !made->isTerminator())
      at.SetInsertPoint(made->getNextNode());
    llvm::Value* out = nullptr;
    if (isSplat(value)) {
      auto* const one = llvm::cast<llvm::ShuffleVectorInst>(value);
      const std::vector<int> mask(lanes * unsigned(count_), one->getShuffleMask()[0]);
      out = at.CreateShuffleVector(one->getOperand(0), one->getOperand(1), mask);
    } else {
      std::vector<int> mask;
      for (unsigned lane = 0; lane < lanes; ++lane)
        mask.insert(mask.end(), unsigned(count_), int(lane));
      out = at.CreateShuffleVector(value, mask);
    }
    if (made && !llvm::isa<llvm::PHINode>(made) && !made->isTerminator())
      known = out;
    return out;
  }

  llvm::Instruction* place_;
  int count_;
  unsigned loads_ = 0;
  std::set<Parts> seen_, isLeaf_;
  std::set<llvm::Value*> repeats_, made_;
  std::vector<Parts> taken_;
  std::map<Parts, llvm::Value*> built_;
};

} // namespace cu2cpp

#endif

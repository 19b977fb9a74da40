// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fminf() and fmaxf() of a value and a constant. Headers spell the functions out, for processors
// whose own minimum gives its second operand where one of the two is no number (NaN) or both are
// zero (device/min_max.h): five instructions. With a constant that is no zero, and with the zero
// that wins over the other one, the processor's minimum alone is the function:
//
//   fminf(x, 1.0f)   ->   x < 1.0f ? x : 1.0f
//
// What lies within such bounds is a number, and compares with others as they do: the conversion
// int(fminf(fmaxf(x, 0.0f), 255.0f)) need not ask whether its operand is too large for an int.
#include "kernel_passes.h"

#include <optional>

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

using namespace llvm::PatternMatch;
using llvm::FCmpInst, llvm::Value;

/// The number that a constant is, in all lanes; null if it is none.
const llvm::APFloat* numberOf(Value* value) {
  const llvm::APFloat* number = nullptr;
  return match(value, m_APFloat(number)) && !number->isNaN() ? number : nullptr;
}

/// `x < c ? x : c` or `x > c ? x : c`: the lesser or greater of a value and a constant, which is
/// the constant where the value is no number. Where it is one that has a bound before, also
/// `x > c ? c : x`.
struct Bound {
  Value* of = nullptr;
  const llvm::APFloat* by = nullptr;
  bool upper = false;
};
/// The comparison by which a choice is made between its own operands, as if it asked for the first.
struct Choice {
  Value *first = nullptr, *second = nullptr;
  FCmpInst::Predicate predicate = FCmpInst::BAD_FCMP_PREDICATE;

  explicit Choice(Value* value) {
    auto* const choice = llvm::dyn_cast<llvm::SelectInst>(value);
    auto* const test = choice ? llvm::dyn_cast<FCmpInst>(choice->getCondition()) : nullptr;
    if (!test)
      return;
    const auto asks = [&](Value* left, Value* right) {
      return test->getOperand(0) == left && test->getOperand(1) == right;
    };
    Value *const yes = choice->getTrueValue(), *const no = choice->getFalseValue();
    if (!asks(yes, no) && !asks(no, yes))
      return;
    predicate = asks(yes, no) ? test->getPredicate() : test->getSwappedPredicate();
    first = yes;
    second = no;
  }
  bool isLesser() const { return predicate == FCmpInst::FCMP_OLT; }
  bool isGreater() const { return predicate == FCmpInst::FCMP_OGT; }
  explicit operator bool() const { return isLesser() || isGreater(); }
};

std::optional<Bound> boundOf(Value* value, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  const Choice choice(value);
  if (!choice || depth > deepest)
    return std::nullopt;
  if (const llvm::APFloat* by = numberOf(choice.second))
    return Bound{choice.first, by, choice.isLesser()};
  const llvm::APFloat* const by = numberOf(choice.first);
  return by && boundOf(choice.second, depth + 1)
             ? std::optional(Bound{choice.second, by, choice.isLesser()})
             : std::nullopt;
}

/// `x` of `x != x ? other : x`.
Value* numberOr(Value* value, Value*& other) {
  auto* const whole = llvm::dyn_cast<llvm::SelectInst>(value);
  auto* const test = whole ? llvm::dyn_cast<FCmpInst>(whole->getCondition()) : nullptr;
  const bool isNone = test && test->getPredicate() == FCmpInst::FCMP_UNO;
  if (!test || !(isNone || test->getPredicate() == FCmpInst::FCMP_ORD))
    return nullptr;
  Value* const of = isNone ? whole->getFalseValue() : whole->getTrueValue();
  other = isNone ? whole->getTrueValue() : whole->getFalseValue();
  return test->getOperand(0) == of && (test->getOperand(1) == of || numberOf(test->getOperand(1)))
             ? of
             : nullptr;
}

/// Of two values that are `x < 0 ? first : second` and `x < 0 ? second : first`, by the sign bit:
/// x; null for others.
Value* signOf(Value* one, Value* other, Value*& first, Value*& second) {
  Value *sign = nullptr, *of = nullptr;
  llvm::ICmpInst::Predicate predicate;
  const bool bySign =
      match(one, m_Select(m_Value(sign), m_Value(first), m_Value(second))) &&
      match(other, m_Select(m_Specific(sign), m_Specific(second), m_Specific(first))) &&
      match(sign, m_ICmp(predicate, m_BitCast(m_Value(of)), m_ZeroInt())) &&
      predicate == llvm::ICmpInst::ICMP_SLT;
  return bySign ? of : nullptr;
}

/// The function that a value spells out, if it is of a constant.
std::optional<Bound> functionOf(Value* value) {
  const Choice last(value);
  Value* none = nullptr;
  Value* const number = last ? numberOr(last.second, none) : nullptr;
  if (!number || none != last.first)
    return std::nullopt;
  Bound out{number, numberOf(last.first), last.isLesser()};
  // Of zeros the headers' functions leave no such choice, and others mean what they say.
  if (out.by && out.by->isZero())
    return std::nullopt;
  // A constant as the first operand: nothing of the choice by the other one's sign is known.
  if (Value* first = nullptr, *second = nullptr; !out.by) {
    Value* const sign = signOf(last.first, number, first, second);
    out.of = out.upper ? second : first;
    if (!sign || sign != out.of)
      return std::nullopt;
    out.by = numberOf(out.upper ? first : second);
  }
  // Of two zeros -0 is the lesser.
  if (!out.by || (out.by->isZero() && out.by->isNegative() != out.upper))
    return std::nullopt;
  return out;
}

/// The least or greatest number that a bounded value may be.
std::optional<llvm::APFloat> limitOf(Value* value, bool upper, unsigned depth = 0) {
  const std::optional<Bound> bound = boundOf(value);
  if (!bound || depth > 4)
    return std::nullopt;
  if (bound->upper == upper)
    return *bound->by;
  // What else it may be is its constant.
  std::optional<llvm::APFloat> limit = limitOf(bound->of, upper, depth + 1);
  if (limit && (upper ? *limit < *bound->by : *limit > *bound->by))
    return *bound->by;
  return limit;
}

/// The answer to a comparison of a bounded value with a number, if all such values give one.
std::optional<bool> answerOf(const FCmpInst& test) {
  Value* const value = test.getOperand(0);
  const llvm::APFloat* const number = numberOf(test.getOperand(1));
  if (!number || !boundOf(value))
    return std::nullopt;
  FCmpInst::Predicate predicate = test.getPredicate();
  if (predicate == FCmpInst::FCMP_UNO || predicate == FCmpInst::FCMP_ORD)
    return predicate == FCmpInst::FCMP_ORD;
  const auto most = limitOf(value, true), least = limitOf(value, false);
  switch (predicate) {
  case FCmpInst::FCMP_OLT:
  case FCmpInst::FCMP_ULT:
  case FCmpInst::FCMP_OGE:
  case FCmpInst::FCMP_UGE: {
    const bool less = predicate == FCmpInst::FCMP_OLT || predicate == FCmpInst::FCMP_ULT;
    return most && *most < *number      ? std::optional(less)
           : least && *least >= *number ? std::optional(!less)
                                        : std::nullopt;
  }
  case FCmpInst::FCMP_OGT:
  case FCmpInst::FCMP_UGT:
  case FCmpInst::FCMP_OLE:
  case FCmpInst::FCMP_ULE: {
    const bool greater = predicate == FCmpInst::FCMP_OGT || predicate == FCmpInst::FCMP_UGT;
    return least && *least > *number  ? std::optional(greater)
           : most && *most <= *number ? std::optional(!greater)
                                      : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ConstantBounds::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::WeakTrackingVH, 16> unused;
  for (llvm::Instruction& i : llvm::instructions(f)) {
    if (const std::optional<Bound> bound = functionOf(&i)) {
      llvm::IRBuilder<> builder(&i);
      Value* const constant = llvm::ConstantFP::get(i.getType(), *bound->by);
      Value* const test = bound->upper ? builder.CreateFCmpOLT(bound->of, constant)
                                       : builder.CreateFCmpOGT(bound->of, constant);
      i.replaceAllUsesWith(builder.CreateSelect(test, bound->of, constant));
      unused.push_back(&i);
    }
    if (auto* const test = llvm::dyn_cast<FCmpInst>(&i))
      if (const std::optional<bool> answer = answerOf(*test)) {
        test->replaceAllUsesWith(llvm::ConstantInt::getBool(test->getType(), *answer));
        unused.push_back(test);
      }
  }
  if (unused.empty())
    return llvm::PreservedAnalyses::all();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

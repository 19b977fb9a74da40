// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fminf() and fmaxf() of a value and a constant. Headers spell the functions out, for processors
// whose own minimum gives its second operand where one of the two is no number (NaN) or both are
// zero (device/min_max.h): seven instructions. With a constant that is no zero, and with the zero
// that wins over the other one, the processor's minimum alone is the function:
//
//   fminf(x, 1.0f)   ->   x < 1.0f ? x : 1.0f
//
// What lies within such bounds is a number, and compares with others as they do: the conversion
// int(fminf(fmaxf(x, 0.0f), 255.0f)) need not ask whether its operand is too large for an int.
#include "kernel_passes.h"

#include <optional>

#include "llvm/IR/Constants.h"
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
/// the constant where the value is no number.
struct Bound {
  Value* of = nullptr;
  const llvm::APFloat* by = nullptr;
  bool upper = false;
};
std::optional<Bound> boundOf(Value* value) {
  auto* const choice = llvm::dyn_cast<llvm::SelectInst>(value);
  auto* const test = choice ? llvm::dyn_cast<FCmpInst>(choice->getCondition()) : nullptr;
  if (!test || test->getOperand(0) != choice->getTrueValue() ||
      test->getOperand(1) != choice->getFalseValue())
    return std::nullopt;
  const llvm::APFloat* const by = numberOf(choice->getFalseValue());
  const bool upper = test->getPredicate() == FCmpInst::FCMP_OLT;
  if (!by || !(upper || test->getPredicate() == FCmpInst::FCMP_OGT))
    return std::nullopt;
  return Bound{choice->getTrueValue(), by, upper};
}

/// Whether a value is that choice the other way around, which is the value where the two are equal
/// or it is no number: `x > c ? c : x` for the lesser.
bool isOther(Value* value, const Bound& bound) {
  auto* const choice = llvm::dyn_cast<llvm::SelectInst>(value);
  auto* const test = choice ? llvm::dyn_cast<FCmpInst>(choice->getCondition()) : nullptr;
  return test && choice->getFalseValue() == bound.of && test->getOperand(0) == bound.of &&
         test->getOperand(1) == choice->getTrueValue() && numberOf(choice->getTrueValue()) &&
         numberOf(choice->getTrueValue())->bitwiseIsEqual(*bound.by) &&
         test->getPredicate() == (bound.upper ? FCmpInst::FCMP_OGT : FCmpInst::FCMP_OLT);
}

/// Of both choices joined bit by bit, the one that is the function: `both` is the other one only
/// where `of` is no number.
std::optional<Bound> functionOf(Value* both, Value*& choice) {
  Value *left = nullptr, *right = nullptr;
  const bool lesser =
      match(both, m_BitCast(m_Or(m_BitCast(m_Value(left)), m_BitCast(m_Value(right)))));
  if (!lesser &&
      !match(both, m_BitCast(m_And(m_BitCast(m_Value(left)), m_BitCast(m_Value(right))))))
    return std::nullopt;
  if (left->getType() != both->getType() || right->getType() != both->getType())
    return std::nullopt;
  for (Value* one : {left, right}) {
    const std::optional<Bound> bound = boundOf(one);
    // Of two zeros -0 is the lesser.
    if (bound && bound->upper == lesser && isOther(one == left ? right : left, *bound) &&
        !(bound->by->isZero() && bound->by->isNegative() != lesser)) {
      choice = one;
      return bound;
    }
  }
  return std::nullopt;
}

/// The choice that is the same as the function which a value spells out, if there is one.
Value* sameAs(llvm::Instruction& value) {
  Value* choice = nullptr;
  // What has a bound is a number.
  if (llvm::isa<llvm::BitCastInst>(value)) {
    const std::optional<Bound> bound = functionOf(&value, choice);
    return bound && boundOf(bound->of) ? choice : nullptr;
  }
  auto* const whole = llvm::dyn_cast<llvm::SelectInst>(&value);
  auto* const test = whole ? llvm::dyn_cast<FCmpInst>(whole->getCondition()) : nullptr;
  if (!test ||
      !(test->getPredicate() == FCmpInst::FCMP_UNO || test->getPredicate() == FCmpInst::FCMP_ORD))
    return nullptr;
  const bool first = test->getPredicate() == FCmpInst::FCMP_UNO;
  Value* const tested = test->getOperand(0);
  const llvm::APFloat* const ifNone =
      numberOf(first ? whole->getTrueValue() : whole->getFalseValue());
  const std::optional<Bound> bound =
      functionOf(first ? whole->getFalseValue() : whole->getTrueValue(), choice);
  return bound && ifNone && bound->of == tested && bound->by->bitwiseIsEqual(*ifNone) &&
                 (test->getOperand(1) == tested || numberOf(test->getOperand(1)))
             ? choice
             : nullptr;
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
  bool changed = false;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> unused;
  for (llvm::Instruction& i : llvm::instructions(f)) {
    if (Value* const same = sameAs(i)) {
      i.replaceAllUsesWith(same);
      unused.push_back(&i);
    }
    if (auto* const test = llvm::dyn_cast<FCmpInst>(&i))
      if (const std::optional<bool> answer = answerOf(*test)) {
        test->replaceAllUsesWith(llvm::ConstantInt::getBool(test->getType(), *answer));
        unused.push_back(test);
      }
  }
  changed = !unused.empty();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return changed ? kept : llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that are decided before the loop over threads (split_inside.cpp): places that are kept
// within bounds.
#include "plan/split_inside_conditions.h"

#include "analyse/clamp_functions.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// `min(a, b)` or `max(a, b)` of integers of one type.
const clang::CallExpr* asClamp(const clang::Expr* e) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!isMinOrMax(callee) || call->getNumArgs() != 2 || !call->getType()->isIntegerType())
    return nullptr;
  const clang::QualType type = call->getType().getCanonicalType().getUnqualifiedType();
  for (const clang::Expr* argument : call->arguments()) {
    const clang::QualType given = argument->IgnoreParenImpCasts()->getType();
    if (given->isDependentType() || given.getCanonicalType().getUnqualifiedType() != type)
      return nullptr;
  }
  return call;
}

/// Whether an element is the last before a limit, or the first behind it: `n - 1`.
bool isBeside(const clang::Expr* e, const clang::Expr* limit, const clang::ASTContext& context) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  return op && op->isAdditiveOp() && constantOf(op->getRHS(), context) == 1 &&
         areAlike(op->getLHS(), limit, context);
}

/// `a` and `b` of `a % b`, or of another operator.
const clang::BinaryOperator* asOperator(const clang::Expr* e, clang::BinaryOperatorKind kind) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  return op && op->getOpcode() == kind ? op : nullptr;
}

} // namespace

bool InsideConditions::addWrapped(const clang::Expr* whole) {
  const auto* rest = asOperator(whole, clang::BO_Rem);
  const auto* sum = rest ? asOperator(rest->getLHS(), clang::BO_Add) : nullptr;
  if (!sum || onlyNamed_ || !splitter_.plan_.options.lineDirectives)
    return false;
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  const clang::Expr* size = rest->getRHS();
  const clang::Expr *place = sum->getLHS(), *more = sum->getRHS();
  if (!areAlike(more, size, context))
    std::swap(place, more);
  if (!areAlike(more, size, context))
    return false;
  if (const auto* inner = asOperator(place, clang::BO_Rem)) {
    if (!areAlike(inner->getRHS(), size, context))
      return false;
    place = inner->getLHS();
  }
  // Of signed numbers: others would wrap around before they are divided.
  place = place->IgnoreParenImpCasts();
  size = size->IgnoreParenImpCasts();
  const clang::QualType type = rest->getType();
  if (type->isDependentType() || !type->isSignedIntegerType() ||
      !context.hasSameUnqualifiedType(place->getType(), type) ||
      !context.hasSameUnqualifiedType(size->getType(), type) ||
      !splitter_.isGroupValue(size, true) || !splitter_.plan_.text.isWhole(whole))
    return false;
  const unsigned step = splitter_.stepInRow(place);
  if (step == 0)
    return false;
  Leaf least{whole, true, place, step, "atLeast", nullptr, {}};
  least.clamps = true;
  Leaf most{nullptr, true, place, step, "below", size, {}};
  most.clamps = true;
  leaves.insert(leaves.end(), {least, most});
  return true;
}

bool InsideConditions::addClamps(const clang::CallExpr* whole) {
  std::vector<Leaf> found;
  for (const clang::Expr* e = whole;;) {
    const clang::CallExpr* call = asClamp(e);
    if (!call)
      break;
    const bool least = call->getDirectCallee()->getName() == "max";
    const clang::Expr *place = call->getArg(0), *limit = call->getArg(1);
    if (!splitter_.isGroupValue(limit, true))
      std::swap(place, limit);
    if (!splitter_.isGroupValue(limit, true))
      return false;
    Leaf leaf{call, true, nullptr, 0, least ? "atLeast" : "atMost", limit->IgnoreParenImpCasts(),
              {}};
    leaf.clamps = true;
    found.push_back(leaf);
    e = place;
    // `min(max(mirror(x, n), 0), n - 1)`
    if (const auto* own = llvm::dyn_cast<clang::CallExpr>(place->IgnoreParenImpCasts());
        own && !asClamp(own)) {
      const std::size_t before = leaves.size();
      if (!splitter_.plan_.text.isWhole(whole) || !addOwnClamps(own))
        return false;
      for (Leaf& one : found) {
        Leaf around = leaves[before];
        around.condition = one.condition == whole ? whole : nullptr;
        around.bound = one.bound;
        around.limit = one.limit;
        around.number = 0;
        one = std::move(around);
      }
      for (std::size_t i = before; i < leaves.size(); ++i)
        leaves[i].condition = nullptr;
      leaves.insert(leaves.end(), found.begin(), found.end());
      return true;
    }
    if (const unsigned step = splitter_.stepInRow(place)) {
      if (!splitter_.plan_.text.isWhole(whole))
        return false;
      for (Leaf& one : found) {
        one.place = place->IgnoreParenImpCasts();
        one.step = step;
        if (one.condition != whole)
          one.condition = nullptr;
      }
      leaves.insert(leaves.end(), found.begin(), found.end());
      return true;
    }
  }
  return false;
}

bool InsideConditions::addOwnClamps(const clang::CallExpr* call) {
  const auto clamps = clampFunction(call->getDirectCallee());
  if (!clamps || !splitter_.plan_.text.isWhole(call))
    return false;
  const auto argument = [&](unsigned i) { return call->getArg(i)->IgnoreParenImpCasts(); };
  const clang::QualType type = call->getType();
  for (unsigned i = 0; i < call->getNumArgs(); ++i)
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument(i)) || argument(i)->isTypeDependent() ||
        !splitter_.plan_.unit.context().hasSameUnqualifiedType(argument(i)->getType(), type))
      return false;
  // Variables of the same branch or step are known where they are asked for.
  const unsigned known = splitter_.stepInRow(argument(clamps->place));
  CountedPlace own;
  if (known == 0 && (onlyNamed_ || !findCounted(argument(clamps->place), own) ||
                     own.locals.empty() || own.loop || !own.factors.empty()))
    return false;
  const unsigned step = known ? known : own.step;
  if (step == 0)
    return false;
  std::vector<Leaf> found;
  for (const ClampFunction::Bound& bound : clamps->bounds) {
    const clang::Expr* limit = bound.parameter < 0 ? nullptr : argument(unsigned(bound.parameter));
    if (limit && !splitter_.isGroupValue(limit, true))
      return false;
    Leaf leaf{found.empty() ? call : nullptr,
              true,
              argument(clamps->place),
              step,
              bound.least    ? bound.beyond ? "above" : "atLeast"
              : bound.beyond ? "below"
                             : "atMost",
              limit,
              {}};
    leaf.clamps = true;
    leaf.number = bound.number;
    if (known == 0)
      describe(own, leaf);
    found.push_back(leaf);
  }
  leaves.insert(leaves.end(), found.begin(), found.end());
  return true;
}

bool InsideConditions::addWrittenClamps(const clang::Expr* whole) {
  if (!whole->getType()->isIntegerType() || !splitter_.plan_.text.isWhole(whole))
    return false;
  std::vector<Leaf> found;
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  const auto isSame = [&](const clang::Expr* a, const clang::Expr* b) {
    return areAlike(a, b, context);
  };
  const auto plain = [](const clang::Expr* e) { return e->IgnoreParenImpCasts(); };
  const clang::Expr* place = nullptr;
  for (const clang::Expr* e = plain(whole);;) {
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e);
    const auto* compare =
        choice ? llvm::dyn_cast<clang::BinaryOperator>(plain(choice->getCond())) : nullptr;
    if (!compare || !Splitter::boundOf(compare->getOpcode()))
      break;
    const clang::Expr *at = compare->getLHS(), *limit = compare->getRHS();
    clang::BinaryOperatorKind relation = compare->getOpcode();
    if (!splitter_.isGroupValue(limit, true)) {
      std::swap(at, limit);
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
    }
    if (!splitter_.isGroupValue(limit, true) || limit->isTypeDependent() ||
        !limit->getType()->isIntegerType() || (place && !isSame(at, place)))
      return false;
    // The limit is given, or what lies beside it, or the place itself.
    const auto isLimit = [&](const clang::Expr* given) {
      return isSame(given, limit) || isBeside(given, limit, context);
    };
    const bool limits = isLimit(choice->getTrueExpr());
    if (!limits && !isLimit(choice->getFalseExpr()))
      return false;
    place = at;
    if (limits)
      relation = clang::BinaryOperator::negateComparisonOp(relation);
    Leaf leaf{found.empty() ? whole : nullptr, true,         nullptr, 0,
              Splitter::boundOf(relation),     plain(limit), {}};
    leaf.clamps = true;
    found.push_back(leaf);
    e = plain(limits ? choice->getFalseExpr() : choice->getTrueExpr());
    if (!llvm::isa<clang::ConditionalOperator>(e) && !isSame(e, place))
      return false;
  }
  const unsigned step = place ? splitter_.stepInRow(place) : 0;
  if (step == 0 || !context.hasSameUnqualifiedType(plain(place)->getType(), whole->getType()))
    return false;
  for (Leaf& one : found) {
    one.place = plain(place);
    one.step = step;
  }
  leaves.insert(leaves.end(), found.begin(), found.end());
  return true;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that are decided before the loop over threads (split_inside.cpp): places that rise
// with a counter of each thread.
#include "plan/split_inside_conditions.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// Whether an integer is a constant wherever a template is used.
bool isConstantInTemplate(const clang::Expr* e, const clang::ASTContext& context) {
  e = e->IgnoreParenImpCasts();
  if (!e->isValueDependent())
    return !e->isTypeDependent() && e->isIntegerConstantExpr(context);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
           isConstantInTemplate(op->getLHS(), context) &&
           isConstantInTemplate(op->getRHS(), context);
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return use && (llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()) ||
                 (variable && variable->isConstexpr()));
}

} // namespace

void InsideConditions::addCounted(const clang::Expr* condition, const clang::BinaryOperator* op,
                                  bool holds) {
  clang::BinaryOperatorKind relation = op->getOpcode();
  const clang::Expr *place = op->getLHS(), *limit = op->getRHS();
  CountedPlace found;
  if (!findCounted(place, found)) {
    std::swap(place, limit);
    relation = clang::BinaryOperator::reverseComparisonOp(relation);
    found = {};
    if (!findCounted(place, found))
      return;
  }
  // Without a step the row's threads leave the loop together, or not at all.
  const CountedLoop* const loop = found.loop;
  if ((!found.step && !found.ofRow) || (!loop && found.locals.empty() && !asksRows(found)) ||
      !splitter_.isGroupValue(limit, true) || !limit->getType()->isIntegerType() ||
      !splitter_.plan_.text.isWhole(op) ||
      (loop &&
       !(splitter_.plan_.text.isWhole(loop->first) && splitter_.plan_.text.isWhole(loop->limit))))
    return;
  if (!holds)
    relation = clang::BinaryOperator::negateComparisonOp(relation);
  Leaf leaf{condition,
            holds,
            place->IgnoreParenImpCasts(),
            found.step,
            Splitter::boundOf(relation),
            limit->IgnoreParenImpCasts(),
            found.factors};
  describe(found, leaf);
  leaves.push_back(std::move(leaf));
}

bool InsideConditions::asksRows(const CountedPlace& found) const {
  return found.ofRow && !found.step && !splitter_.elements_ &&
         splitter_.plan_.options.lineDirectives;
}

void InsideConditions::describe(const CountedPlace& found, Leaf& leaf) const {
  const auto declare = [&](const clang::VarDecl* variable) {
    return "const " + splitter_.typeOf(variable) + " " + variable->getNameAsString();
  };
  leaf.ofRow = !found.step && !found.loop;
  std::string lines;
  for (const clang::VarDecl* local : found.locals) {
    leaf.named.push_back(local->getInit());
    lines += declare(local) + " = " + splitter_.expressionText(local->getInit()) + "; ";
  }
  lines += "return " + splitter_.expressionText(leaf.place) + "; }";
  if (!found.loop) { // `const int column = first + threadIdx.x;` where it is asked for
    leaf.fromTo =
        found.locals.empty() ? splitter_.expressionText(leaf.place) : "[&] { " + lines + "()";
    if (leaf.ofRow)
      leaf.fromTo = "cu2cpp::alike(" + leaf.fromTo + ")";
    return;
  }
  leaf.counter = found.loop->counter;
  leaf.inStep = "[&](" + declare(leaf.counter) + ") { " + lines;
  const std::string limitOfLoop = splitter_.expressionText(found.loop->limit);
  leaf.fromTo = std::string(found.step ? "" : "cu2cpp::alike(") + "cu2cpp::fromTo(" + leaf.inStep +
                ", " + splitter_.expressionText(found.loop->first) + ", " + limitOfLoop +
                (found.loop->reachesLimit ? ")" : " - 1)") + (found.step ? "" : ")");
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  if (found.step && constantOf(found.loop->first, context) == 0 &&
      isConstantInTemplate(found.loop->limit, context))
    leaf.steps = "(" + limitOfLoop + (found.loop->reachesLimit ? ") + 1" : ")");
}

bool InsideConditions::findCounted(const clang::Expr* e, CountedPlace& found) const {
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
  if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
      width(e) < 32)
    return false;
  std::vector<const clang::Expr*> factors;
  if (const unsigned step = splitter_.stepInRow(e, &factors)) {
    // Sizes that a template has are constants, too.
    const bool isScaled = !factors.empty() || !found.factors.empty();
    if ((isScaled && found.step) ||
        !std::all_of(factors.begin(), factors.end(),
                     [](const clang::Expr* factor) { return factor->isValueDependent(); }))
      return false;
    found.factors = factors;
    found.step += step;
    return found.step <= mostStep;
  }
  if (splitter_.isGroupValue(e, true))
    return true;
  if (splitter_.stepAlong("y", e) || splitter_.stepAlong("z", e))
    return found.ofRow = true;
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return findCounted(parens->getSubExpr(), found);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    return !from->isTypeDependent() && from->getType()->isIntegerType() &&
           width(from) == width(e) && findCounted(from, found);
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
    return findCounted(use->getDecl(), found);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (op->getOpcode() == clang::BO_Add)
    return findCounted(op->getLHS(), found) && findCounted(op->getRHS(), found);
  if (op->getOpcode() == clang::BO_Sub)
    return splitter_.isGroupValue(op->getRHS(), true) && findCounted(op->getLHS(), found);
  if (op->getOpcode() != clang::BO_Mul)
    return false;
  const bool isLeft = isFactor(op->getLHS());
  if (!isLeft && !isFactor(op->getRHS()))
    return false;
  const clang::Expr* const factor = isLeft ? op->getLHS() : op->getRHS();
  CountedPlace times;
  if (!findCounted(isLeft ? op->getRHS() : op->getLHS(), times) || !times.factors.empty() ||
      (found.loop && times.loop && found.loop != times.loop))
    return false;
  clang::Expr::EvalResult by;
  if (times.step > 0) {
    if (!found.factors.empty() || factor->isValueDependent() || !factor->EvaluateAsInt(by, context))
      return false;
    times.step *= unsigned(by.Val.getInt().getExtValue());
  }
  found.step += times.step;
  found.ofRow |= times.ofRow;
  found.loop = times.loop ? times.loop : found.loop;
  found.locals.insert(found.locals.end(), times.locals.begin(), times.locals.end());
  return found.step <= mostStep;
}

bool InsideConditions::findCounted(const clang::ValueDecl* decl, CountedPlace& found) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
  for (const CountedLoop& loop : loops_)
    if (loop.counter == variable) {
      const bool isOnly = !found.loop || found.loop == &loop;
      found.loop = &loop;
      return isOnly;
    }
  // `int i = base + k;` in the loop.
  if (!variable || !variable->isLocalVarDecl() || variable->isStaticLocal() ||
      splitter_.regions_.storage.count(variable) || !variable->hasInit() ||
      variable->getType()->isReferenceType() || variable->getType()->isDependentType() ||
      variable->getType().isVolatileQualified() || variable->getInit()->isTypeDependent() ||
      splitter_.plan_.unit.context().getTypeSize(variable->getType()) !=
          splitter_.plan_.unit.context().getTypeSize(variable->getInit()->getType()) ||
      !splitter_.plan_.text.isWhole(variable->getInit()) ||
      !onlyReads(variable, splitter_.kernel_.decl->getBody()) ||
      !findCounted(variable->getInit(), found))
    return false;
  if (std::find(found.locals.begin(), found.locals.end(), variable) == found.locals.end())
    found.locals.push_back(variable);
  return true;
}

bool InsideConditions::isFactor(const clang::Expr* e) const {
  constexpr std::int64_t most = 1 << 16;
  e = e->IgnoreParenImpCasts();
  clang::Expr::EvalResult value;
  if (e->isValueDependent())
    return splitter_.isGroupValue(e, true);
  if (e->EvaluateAsInt(value, splitter_.plan_.unit.context()))
    return value.Val.getInt().isStrictlyPositive() && value.Val.getInt().getExtValue() <= most;
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isFactor(pseudo->getResultExpr());
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto* use =
      member ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
             : nullptr;
  return use && builtinOf(use->getDecl()) == BlockDim;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/steps_in_turn.h"

#include <algorithm>
#include <set>

#include <llvm/ADT/FoldingSet.h>

#include "analyse/shifted_accesses.h"

namespace cu2cpp {
namespace {

/// Whether an expression computes with numbers and variables only: no memory changes it.
bool computesOnly(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
           computesOnly(op->getLHS()) && computesOnly(op->getRHS());
  if (llvm::isa<clang::IntegerLiteral, clang::SubstNonTypeTemplateParmExpr>(e))
    return true;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()))
    return true;
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType();
}

/// Whether a condition bounds threads' places by numbers that are one for the block, or is a flag
/// that says so.
bool isRange(const clang::Expr* e, const ShiftedPlaces& shifts, const Uniformity& uniformity) {
  if (const clang::VarDecl* flag = namedBy(e)) {
    const LocalVariable* local = uniformity.find(flag);
    return local && !local->modified && !local->escapes && flag->hasLocalStorage() &&
           flag->getType()->isBooleanType() && flag->hasInit() && !namedBy(flag->getInit()) &&
           isRange(flag->getInit(), shifts, uniformity);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  if (!op)
    return false;
  if (op->getOpcode() == clang::BO_LAnd)
    return isRange(op->getLHS(), shifts, uniformity) && isRange(op->getRHS(), shifts, uniformity);
  const auto isBound = [&](const clang::Expr* side) {
    return uniformity.isUniform(side) && computesOnly(side);
  };
  return op->isRelationalOp() && ((shifts.isPlace(op->getLHS()) && isBound(op->getRHS())) ||
                                  (shifts.isPlace(op->getRHS()) && isBound(op->getLHS())));
}

/// The one branch that statements end with, behind nothing but declarations and expressions.
const clang::IfStmt* onlyBranch(const std::vector<const clang::Stmt*>& statements) {
  if (statements.empty() ||
      !std::all_of(statements.begin(), statements.end() - 1,
                   [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt, clang::Expr>(s); }))
    return nullptr;
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(statements.back());
  return branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
                 !branch->isConstexpr() && !branch->getBeginLoc().isMacroID()
             ? branch
             : nullptr;
}

} // namespace

bool runInTurn(const std::vector<const clang::Stmt*>& before,
               const std::vector<const clang::Stmt*>& behind, const Uniformity& uniformity,
               const Facts& facts, const clang::ASTContext& context) {
  const clang::IfStmt *reads = onlyBranch(before), *writes = onlyBranch(behind);
  if (!reads || !writes || behind.size() != 1)
    return false;
  llvm::FoldingSetNodeID one, other;
  reads->getCond()->Profile(one, context, true);
  writes->getCond()->Profile(other, context, true);
  const ShiftedPlaces shifts(uniformity);
  if (one != other || !isRange(reads->getCond(), shifts, uniformity))
    return false;
  const ShiftedAccesses first(before, &facts), second(behind, &facts);
  if (!first.fits || !second.fits || second.written.empty())
    return false;
  const clang::Expr* const own = second.written.front()->getIdx();
  if (!shifts.isPlace(own))
    return false;
  // What is stored before the barrier: nobody but its thread asks for it.
  std::set<const clang::VarDecl*> kept, changed;
  for (const clang::ArraySubscriptExpr* element : first.written)
    kept.insert(namedBy(element->getBase()));
  for (const clang::ArraySubscriptExpr* element : second.written)
    changed.insert(namedBy(element->getBase()));
  if (std::any_of(changed.begin(), changed.end(),
                  [&](const clang::VarDecl* array) { return kept.count(array) != 0; }))
    return false;
  const auto isOwn = [&](const clang::ArraySubscriptExpr* element) {
    return shifts.isSame(element->getIdx(), own);
  };
  const auto areOwn = [&](const std::vector<const clang::ArraySubscriptExpr*>& elements,
                          const std::set<const clang::VarDecl*>& arrays) {
    return std::all_of(elements.begin(), elements.end(), [&](const auto* element) {
      return !arrays.count(namedBy(element->getBase())) || isOwn(element);
    });
  };
  // (In front of the branch threads outside of the range run too, which may be behind it.)
  const ShiftedAccesses front({before.begin(), before.end() - 1}, &facts);
  return std::all_of(first.written.begin(), first.written.end(), isOwn) &&
         std::all_of(second.written.begin(), second.written.end(), isOwn) &&
         areOwn(first.read, kept) && areOwn(second.read, kept) && areOwn(second.read, changed) &&
         areOwn(front.read, changed) &&
         std::all_of(first.read.begin(), first.read.end(), [&](const auto* element) {
           const auto side = shifts.side(element->getIdx(), own);
           return !changed.count(namedBy(element->getBase())) || (side && *side >= 0);
         });
}

} // namespace cu2cpp

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

/// Whether a condition bounds threads' places by numbers that are one for the block.
bool isRange(const clang::Expr* e, const ShiftedPlaces& shifts, const Uniformity& uniformity) {
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

/// The one branch that statements end with, behind nothing but declarations.
const clang::IfStmt* onlyBranch(const std::vector<const clang::Stmt*>& statements) {
  if (statements.empty() ||
      !std::all_of(statements.begin(), statements.end() - 1,
                   [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt>(s); }))
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
  if (!first.fits || !second.fits || !first.written.empty() || second.written.empty())
    return false;
  const clang::Expr* const own = second.written.front()->getIdx();
  std::set<const clang::VarDecl*> changed;
  for (const clang::ArraySubscriptExpr* element : second.written) {
    if (!shifts.isPlace(own) || !shifts.isSame(element->getIdx(), own))
      return false;
    changed.insert(namedBy(element->getBase()));
  }
  const auto liesAt = [&](const clang::ArraySubscriptExpr* element, bool mayBeBehind) {
    const auto side = shifts.side(element->getIdx(), own);
    return !changed.count(namedBy(element->getBase())) ||
           (side && (*side == 0 || (mayBeBehind && *side > 0)));
  };
  return std::all_of(first.read.begin(), first.read.end(),
                     [&](const auto* element) { return liesAt(element, true); }) &&
         std::all_of(second.read.begin(), second.read.end(),
                     [&](const auto* element) { return liesAt(element, false); });
}

} // namespace cu2cpp

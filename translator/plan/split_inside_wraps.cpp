// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that are decided before the loop over threads (split_inside.cpp): places that branches
// bring back within bounds. Where no branch is taken the place is what it begins as.
//
//   int gx = x0 + lx - 1;
//   if (gx < 0) gx += nx; else if (gx >= nx) gx -= nx;
//   ->
//   cu2cpp::Inside().atLeast(x0 + lx - 1, 0).below(x0 + lx - 1, nx), and
//   if ((!cuInside && (gx < 0))) gx += nx; else if ((!cuInside && (gx >= nx))) gx -= nx;
#include "plan/split_inside_conditions.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// All that names a variable.
class Uses : public SyntaxVisitor {
public:
  explicit Uses(const clang::VarDecl* variable) : variable_(variable) {}
  std::vector<const clang::DeclRefExpr*> all;
  bool inLambda = false;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() == variable_)
      all.push_back(use);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return !(inLambda = true); }

private:
  const clang::VarDecl* const variable_;
};

/// The statement list that a declaration stands in.
const clang::CompoundStmt* listOf(const clang::DeclStmt* declared,
                                  const clang::ParentMap& parents) {
  return llvm::dyn_cast_or_null<clang::CompoundStmt>(
      parents.getParent(const_cast<clang::DeclStmt*>(declared)));
}

/// The branch that changes a variable by what its condition says: the innermost one around an
/// assignment, if that is where it is taken.
const clang::IfStmt* branchAround(const clang::Stmt* assignment, const clang::ParentMap& parents) {
  const clang::Stmt* inner = assignment;
  for (const clang::Stmt* s = parents.getParent(const_cast<clang::Stmt*>(inner)); s;
       inner = s, s = parents.getParent(const_cast<clang::Stmt*>(s))) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return branch->getThen() == inner && !branch->getInit() && !branch->getConditionVariable() &&
                     !branch->isConstexpr()
                 ? branch
                 : nullptr;
    if (!llvm::isa<clang::CompoundStmt>(s))
      return nullptr;
  }
  return nullptr;
}

} // namespace

bool InsideConditions::VisitDeclStmt(clang::DeclStmt* declared) {
  const clang::CompoundStmt* list = listOf(declared, *splitter_.parents_);
  if (list && !onlyNamed_ && splitter_.plan_.options.lineDirectives)
    for (const clang::Decl* decl : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        addBroughtBack(variable, list);
  return true;
}

void InsideConditions::addBroughtBack(const clang::VarDecl* variable,
                                      const clang::CompoundStmt* scope) {
  if (!variable->hasInit() || !variable->hasLocalStorage() ||
      variable->getType()->isDependentType() || !variable->getType()->isSignedIntegerType() ||
      variable->getType().isVolatileQualified())
    return;
  const clang::Expr* const first = variable->getInit()->IgnoreParenImpCasts();
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  const unsigned step = context.hasSameUnqualifiedType(first->getType(), variable->getType())
                            ? splitter_.stepInRow(first)
                            : 0;
  if (step == 0)
    return;
  Uses uses(variable);
  uses.TraverseStmt(const_cast<clang::CompoundStmt*>(scope));
  // A list of the kernel's own goes on behind the region.
  const auto isHere = [&](const clang::Stmt* s) {
    return std::any_of(roots_.begin(), roots_.end(),
                       [&](const clang::Stmt* root) { return splitter_.isInside(s, root); });
  };
  if (uses.inLambda || !std::all_of(uses.all.begin(), uses.all.end(), isHere))
    return;
  std::vector<const clang::IfStmt*> branches;
  for (const clang::DeclRefExpr* use : uses.all) {
    const clang::Stmt* around =
        splitter_.parents_->getParentIgnoreParens(const_cast<clang::DeclRefExpr*>(use));
    const auto* read = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(around);
    if (read && read->getCastKind() == clang::CK_LValueToRValue)
      continue;
    const auto* change = llvm::dyn_cast_or_null<clang::BinaryOperator>(around);
    const clang::IfStmt* branch =
        change && change->isAssignmentOp() && change->getLHS()->IgnoreParens() == use
            ? branchAround(change, *splitter_.parents_)
            : nullptr;
    if (!branch)
      return;
    if (std::find(branches.begin(), branches.end(), branch) == branches.end())
      branches.push_back(branch);
  }
  std::vector<Leaf> found;
  for (const clang::IfStmt* branch : branches) {
    const clang::Expr* condition = branch->getCond()->IgnoreParenImpCasts();
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!test || !Splitter::boundOf(test->getOpcode()))
      return;
    clang::BinaryOperatorKind relation = test->getOpcode();
    const clang::Expr *place = test->getLHS()->IgnoreParenImpCasts(),
                      *limit = test->getRHS()->IgnoreParenImpCasts();
    if (namedBy(place) != variable) {
      std::swap(place, limit);
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
    }
    // Compared as signed numbers of the place's own type.
    if (namedBy(place) != variable || limit->isTypeDependent() ||
        !context.hasSameUnqualifiedType(test->getLHS()->getType(), variable->getType()) ||
        !context.hasSameUnqualifiedType(limit->getType(), variable->getType()) ||
        !splitter_.isGroupValue(limit, true) || !splitter_.plan_.text.isWhole(test))
      return;
    relation = clang::BinaryOperator::negateComparisonOp(relation);
    found.push_back({condition, false, first, step, Splitter::boundOf(relation), limit, {}});
  }
  for (Leaf& leaf : found) {
    leaf.bringsBack = true;
    // What the branches do keeps those outside from being like threads that fail a condition.
    conditions += 2;
    leaves.push_back(std::move(leaf));
  }
}

} // namespace cu2cpp

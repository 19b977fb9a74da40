// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/prefetch_parts.h"

#include <cstdlib>

#include "analyse/clamp_functions.h"
#include "analyse/facts.h"
#include "analyse/marks.h"

namespace cu2cpp {

bool isHarmless(const clang::Expr* e, const std::function<bool(const clang::VarDecl*)>& isThere,
                unsigned depth) {
  constexpr unsigned deepest = 8; // `int n = n;` has no end
  if (depth > deepest)
    return false;
  class Finder : public SyntaxVisitor {
  public:
    bool harmless = true;
    bool VisitCallExpr(clang::CallExpr* call) override {
      return harmless = harmless && (keepsWithinBounds(*call) || isRankInBlock(call));
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return harmless = false; }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return harmless = harmless && op->getOpcode() != clang::UO_Deref;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return harmless = harmless && !member->isArrow();
    }
    bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) override {
      return harmless = harmless && !member->isArrow();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto* by = llvm::dyn_cast<clang::IntegerLiteral>(op->getRHS()->IgnoreParenImpCasts());
      const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
      return harmless =
                 harmless && !op->isAssignmentOp() && (!divides || (by && by->getValue().ugt(0)));
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return harmless =
                 harmless && (!variable || !variable->hasLocalStorage() ||
                              llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasInit() ||
                              isNamedConstant(variable) || (isThere && isThere(variable)) ||
                              isHarmless(variable->getInit(), isThere, depth + 1));
    }
    std::function<bool(const clang::VarDecl*)> isThere;
    unsigned depth = 0;
  } finder;
  finder.isThere = isThere;
  finder.depth = depth;
  finder.TraverseStmt(const_cast<clang::Expr*>(e));
  return finder.harmless;
}

bool isNearAnother(const clang::Expr* place, const clang::ASTContext& context) {
  constexpr std::int64_t nearBy = 64;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(place->IgnoreParenImpCasts());
  clang::Expr::EvalResult by;
  return op && op->isAdditiveOp() && !op->getRHS()->isValueDependent() &&
         op->getRHS()->EvaluateAsInt(by, context) &&
         std::abs(by.Val.getInt().getExtValue()) < nearBy;
}

} // namespace cu2cpp

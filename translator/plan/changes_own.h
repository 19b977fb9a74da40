// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a thread that nobody else notices.
#pragma once

#include <set>

#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// Whether code does no more than to compute and to change variables of its thread.
class ChangesOwn : public SyntaxVisitor {
public:
  explicit ChangesOwn(const Facts& facts) : facts_(facts) {}
  bool fits = true;
  std::set<const clang::VarDecl*> changed;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || change(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      return change(op->getSubExpr());
    return fits = fits && op->getOpcode() != clang::UO_AddrOf;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || isPureFunction(callee, facts_))
      return fits = fits && callee;
    // `combine(all, one);`
    const std::vector<const clang::Expr*> given = givenBy(call);
    return fits = fits && !given.empty() && changesGivenOnly(callee, facts_) &&
                  llvm::all_of(given, [&](const clang::Expr* one) { return change(one); });
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits = fits &&
                  !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt,
                             clang::ReturnStmt, clang::BreakStmt, clang::GotoStmt,
                             clang::LambdaExpr, clang::AsmStmt, clang::CXXNewExpr,
                             clang::CXXForRangeStmt, clang::UnresolvedLookupExpr>(s);
  }

private:
  bool change(const clang::Expr* target) {
    target = target->IgnoreParens();
    while (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(target))
      target = member->isArrow() ? nullptr : member->getBase()->IgnoreParens();
    const clang::VarDecl* variable = target ? namedBy(target) : nullptr;
    if (!variable || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
      return fits = false;
    changed.insert(variable);
    return true;
  }

  const Facts& facts_;
};

} // namespace cu2cpp

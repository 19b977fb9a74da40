// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a piece of code names, changes and calls.
#pragma once

#include <set>
#include <vector>

#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// CodeUses collects them; heirs add what else they ask.
class CodeUses : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> variables;
  std::vector<const clang::Expr*> changed; ///< what is assigned to, or counted
  std::vector<const clang::CallExpr*> calls;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      variables.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      changed.push_back(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      changed.push_back(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }
};

} // namespace cu2cpp

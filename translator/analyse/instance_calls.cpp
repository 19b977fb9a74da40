// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/instance_calls.h"

#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// The callees of the calls at one place.
class CallsAt : public SyntaxVisitor {
public:
  explicit CallsAt(clang::SourceLocation at) : at_(at) {}
  std::vector<const clang::FunctionDecl*> callees;
  bool known = true;

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (call->getExprLoc() != at_)
      return true;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    known &= callee != nullptr;
    callees.push_back(callee);
    return true;
  }

private:
  clang::SourceLocation at_;
};

/// The local variables declared at one place.
class VariablesAt : public SyntaxVisitor {
public:
  explicit VariablesAt(clang::SourceLocation at) : at_(at) {}
  std::vector<const clang::VarDecl*> variables;
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getLocation() == at_)
      variables.push_back(variable);
    return true;
  }

private:
  clang::SourceLocation at_;
};

} // namespace

std::vector<const clang::FunctionDecl*> calleesOf(const clang::CallExpr* call,
                                                  const FunctionFacts& function) {
  if (const clang::FunctionDecl* callee = call->getDirectCallee())
    return {callee};
  CallsAt calls(call->getExprLoc());
  for (const clang::FunctionDecl* body : function.bodies)
    if (!body->isDependentContext() && body->getBody())
      calls.TraverseStmt(body->getBody());
  return calls.known ? std::move(calls.callees) : std::vector<const clang::FunctionDecl*>();
}

std::vector<const clang::VarDecl*> instancesOf(const clang::VarDecl* variable,
                                               const FunctionFacts& function) {
  if (!variable->getDeclContext()->isDependentContext())
    return {variable};
  VariablesAt found(variable->getLocation());
  for (const clang::FunctionDecl* body : function.bodies)
    if (!body->isDependentContext() && body->getBody())
      found.TraverseStmt(body->getBody());
  return std::move(found.variables);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lambda's body that is written before a statement runs before all that the statement does
// besides. That is the same if the lambda changes nothing and neither does the rest:
//
//   s += a * weight(x);            may be       float r; { ...; r = ...; } s += a * r;
//   s = k + next();                not, where next() changes k
#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/plain_lambdas.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"

namespace cu2cpp {
namespace {

/// What code changes and reads, but for one call in it.
class Effects : public SyntaxVisitor {
public:
  Effects(const PlainBody& body, const Facts& facts, const clang::Expr* without, unsigned depth = 0)
      : body_(body), facts_(facts), without_(without), depth_(depth) {}
  bool stores = false, reads = false;

  bool TraverseStmt(clang::Stmt* s) override {
    return (s && s == without_) || SyntaxVisitor::TraverseStmt(s);
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    own_.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp() && !isAround(op))
      store(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      store(op->getSubExpr());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    stores |= variable && variable->getType().getNonReferenceType().isVolatileQualified();
    reads |= variable && !isNamedConstant(variable) && !own_.count(variable) && !isTarget(use);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    std::vector<const clang::FunctionDecl*> callees;
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      callees = {callee};
    else if (const FunctionFacts* known = facts_.find(body_.function))
      callees = calleesOf(call, *known);
    // `z = sum(z, c);` of a structure
    const auto* set = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    const auto* method =
        callees.size() == 1 ? llvm::dyn_cast<clang::CXXMethodDecl>(callees.front()) : nullptr;
    if (set && set->getOperator() == clang::OO_Equal && method && method->isTrivial()) {
      if (!isAround(call))
        store(set->getArg(0));
      return true;
    }
    stores |= callees.empty() ||
              !std::all_of(callees.begin(), callees.end(),
                           [&](const clang::FunctionDecl* callee) { return isPure(callee); });
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    stores |= !made->getConstructor()->isTrivial() && !storesParts(made->getConstructor());
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(clang::CXXUnresolvedConstructExpr*) override {
    return stores = true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    stores |= llvm::isa<clang::AsmStmt, clang::CXXNewExpr, clang::CXXDeleteExpr,
                        clang::CXXThrowExpr, clang::LambdaExpr, clang::AtomicExpr>(s);
    reads |= llvm::isa<clang::ArraySubscriptExpr, clang::CXXThisExpr>(s);
    return true;
  }

private:
  bool isPure(const clang::FunctionDecl* callee) const {
    constexpr unsigned deepest = 3;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    if (!method || !method->getParent()->isLambda())
      return isPureFunction(callee, facts_);
    if (depth_ >= deepest || !method->getBody())
      return false;
    Effects inside(body_, facts_, nullptr, depth_ + 1);
    inside.TraverseStmt(method->getBody());
    return !inside.stores;
  }
  void store(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (member->isArrow())
        break;
      e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    stores |= !variable || !own_.count(variable) || !variable->hasLocalStorage() ||
              variable->getType()->isReferenceType() || variable->getType()->isPointerType();
  }
  /// Whether the call that is left out is what an expression stores.
  bool isAround(const clang::Stmt* around) const {
    for (const clang::Stmt* s = without_; s; s = body_.variables.parents().getParent(s))
      if (s == around)
        return true;
    return false;
  }
  /// `x` of `x = f();`
  bool isTarget(const clang::DeclRefExpr* use) const {
    const auto* op =
        llvm::dyn_cast_or_null<clang::BinaryOperator>(body_.variables.parents().getParent(use));
    return op && op->isAssignmentOp() && op->getLHS() == use && isAround(op);
  }

  const PlainBody& body_;
  const Facts& facts_;
  const clang::Expr* const without_;
  const unsigned depth_;
  std::set<const clang::ValueDecl*> own_;
};

} // namespace

bool mayRunFirst(const PlainBody& body, const Facts& facts, const clang::CallExpr* call,
                 const clang::LambdaExpr* lambda, const clang::Stmt* statement) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    statement = branch->getCond();
  Effects around(body, facts, call);
  around.TraverseStmt(const_cast<clang::Stmt*>(statement));
  if (around.stores)
    return false;
  if (!around.reads)
    return true;
  Effects own(body, facts, nullptr);
  for (const clang::ParmVarDecl* parameter : lambda->getCallOperator()->parameters())
    own.VisitVarDecl(const_cast<clang::ParmVarDecl*>(parameter));
  own.TraverseStmt(lambda->getBody());
  for (const clang::Expr* argument : call->arguments())
    own.TraverseStmt(const_cast<clang::Expr*>(argument));
  return !own.stores;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/pure_functions.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

bool isPureHeaderFunction(const clang::FunctionDecl* callee) {
  if (hasMark(callee, "pure") && !hasMark(callee, "thread"))
    return true;
  if (hasMark(callee, "thread") || syncScope(callee) != Scope::None || callee->isVariadic())
    return false;
  if (callee->isConstexpr() || callee->hasAttr<clang::ConstAttr>() ||
      callee->hasAttr<clang::PureAttr>())
    return true;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  // malloc() and alloca() give each thread memory of its own.
  if (!method && callee->getReturnType()->isPointerType())
    return false;
  if (callee->getNumParams() == 0 && !(method && (method->isConst() || method->isStatic())))
    return false;
  for (const clang::ParmVarDecl* parameter : callee->parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isPointerType() ||
        (type->isReferenceType() && !type->getPointeeType().isConstQualified()) ||
        !(type.getNonReferenceType()->isScalarType() || type.getNonReferenceType()->isRecordType()))
      return false;
  }
  return !method || method->isConst() || method->isStatic();
}

bool setsOwnNumbers(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || llvm::isa<clang::CXXMethodDecl>(callee) || callee->isVariadic() ||
      hasMark(callee, "thread") || hasMark(callee, "in_block") ||
      syncScope(callee) != Scope::None || call->getNumArgs() != callee->getNumParams() ||
      !(callee->getReturnType()->isVoidType() || callee->getReturnType()->isArithmeticType()))
    return false;
  bool sets = false;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    if (type->isArithmeticType())
      continue;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call->getArg(i)->IgnoreParenImpCasts());
    const auto* use =
        address && address->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts())
            : nullptr;
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!type->isPointerType() || !variable || !variable->hasLocalStorage() || isShared(variable) ||
        !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified())
      return false;
    sets = true;
  }
  return sets;
}

namespace {

/// The user's device function that only computes: no write but to its own variables, no call but of
/// such functions.
class PureBody : public SyntaxVisitor {
public:
  PureBody(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
  bool pure = true;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || target(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !op->isIncrementDecrementOp() || target(op->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && !isOfUser(callee) && setsOwnNumbers(call))
      return true;
    return callee && isPure(callee, facts_, depth_) ? true : fail();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
    const clang::CXXConstructorDecl* constructor = construct->getConstructor();
    return constructor->isTrivial() || storesParts(constructor) ||
                   (isOfValues(construct->getType()) && isPure(constructor, facts_, depth_))
               ? true
               : fail();
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fail(); }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fail(); }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return fail(); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) override { return fail(); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && (isShared(variable) || variable->getType().isVolatileQualified()) ? fail()
                                                                                         : true;
  }

  static bool isPure(const clang::FunctionDecl* callee, const Facts& facts, unsigned depth) {
    const FunctionFacts* f = facts.find(callee);
    if (!f)
      return !hasMark(callee, "device") && isPureHeaderFunction(callee);
    if (depth == 0 || f->kernel || f->reached.scope != Scope::None || f->publishesThread ||
        (f->builtins & ThreadIdx) || f->indirectCalls || !f->assembly.empty() ||
        !f->shared.empty() || !callee->getBody())
      return false;
    for (const clang::ParmVarDecl* parameter : callee->parameters())
      if (parameter->getType()->isReferenceType() &&
          !parameter->getType()->getPointeeType().isConstQualified())
        return false;
    PureBody body(facts, depth - 1);
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(callee)) {
      body.constructs_ = true;
      for (const clang::CXXCtorInitializer* init : constructor->inits())
        body.TraverseStmt(init->getInit());
    }
    body.TraverseStmt(callee->getBody());
    return body.pure;
  }

  static bool isPure(const clang::Expr* expression, const Facts& facts) {
    PureBody body(facts, 4);
    body.ofExpression_ = true;
    body.TraverseStmt(const_cast<clang::Expr*>(expression));
    return body.pure;
  }

private:
  bool isOfUser(const clang::FunctionDecl* callee) const {
    const FunctionFacts* known = facts_.find(callee);
    return hasMark(callee, "device") || (known && known->device);
  }
  bool fail() { return pure = false; }
  bool target(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    while (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType())
        return fail();
      e = base;
    }
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (constructs_ && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
        return true; // what it makes
      if (member->isArrow())
        return fail();
      e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !ofExpression_ &&
                   !variable->getType()->isReferenceType()
               ? true
               : fail();
  }
  const Facts& facts_;
  unsigned depth_;
  bool constructs_ = false;
  bool ofExpression_ = false; ///< no variable in it is its own
};

} // namespace

bool isPureFunction(const clang::FunctionDecl* function, const Facts& facts) {
  return PureBody::isPure(function, facts, 4);
}

bool isPureExpression(const clang::Expr* expression, const Facts& facts) {
  return PureBody::isPure(expression, facts);
}

bool hasMutable(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->hasMutableFields();
}

} // namespace cu2cpp

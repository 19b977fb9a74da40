// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/pure_functions.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/trivial_copies.h"
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
    // `z = z * z + c;`
    if (const auto* assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
        assignment && isTrivialAssignment(callee))
      return target(assignment->getArg(0));
    return callee && (isPure(callee, facts_, depth_) || changesOwn(call)) ? true : fail();
  }
  /// What stands where they are declared.
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* e) override {
    return TraverseStmt(e->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* e) override {
    return TraverseStmt(e->getExpr());
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

  /// What a function may change besides its own variables.
  enum class Given {
    Nothing,
    References, ///< what it gets by reference, and its object
    Addresses   ///< what it gets the addresses of too
  };
  static bool isPure(const clang::FunctionDecl* callee, const Facts& facts, unsigned depth,
                     Given given = Given::Nothing) {
    // What a lambda names is not what its call is given: it may change it, and others may.
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
        method && method->getParent()->isLambda() && !method->getParent()->isCapturelessLambda())
      return false;
    const FunctionFacts* f = facts.find(callee);
    if (!f)
      return given == Given::Nothing && !hasMark(callee, "device") && isPureHeaderFunction(callee);
    if (depth == 0 || f->kernel || f->reached.scope != Scope::None || f->publishesThread ||
        (f->builtins & ThreadIdx) || f->indirectCalls || !f->assembly.empty() ||
        !f->shared.empty() || !callee->getBody())
      return false;
    for (const clang::ParmVarDecl* parameter : callee->parameters())
      if (parameter->getType()->isReferenceType() &&
          !parameter->getType()->getPointeeType().isConstQualified() &&
          !(given != Given::Nothing && parameter->getType()->isLValueReferenceType() &&
            isOwn(parameter->getType()->getPointeeType())))
        return false;
    PureBody body(facts, depth - 1);
    body.given_ = given;
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
  /// A type of what a function may change that it is given.
  static bool isOwn(clang::QualType type) { return isPlain(type) || isOfValues(type); }
  /// Whether all that a call changes is this function's to change.
  bool changesOwn(const clang::CallExpr* call) {
    const std::vector<const clang::Expr*> given = givenBy(call), pointers = pointersGivenBy(call);
    return !(given.empty() && pointers.empty()) &&
           isPure(call->getDirectCallee(), facts_, depth_, Given::Addresses) &&
           std::all_of(given.begin(), given.end(), [&](const auto* e) { return target(e); }) &&
           std::all_of(pointers.begin(), pointers.end(), [&](const auto* e) {
             const auto* address = llvm::dyn_cast<clang::UnaryOperator>(e->IgnoreParenImpCasts());
             return address && address->getOpcode() == clang::UO_AddrOf
                        ? target(address->getSubExpr())
                        : isOwnAddress(e);
           });
  }
  /// The arguments of a call by which its function may change what they point to.
  static std::vector<const clang::Expr*> pointersGivenBy(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const unsigned first =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    std::vector<const clang::Expr*> out;
    for (unsigned i = 0; i < callee->getNumParams() && i + first < call->getNumArgs(); ++i)
      if (const clang::QualType type = callee->getParamDecl(i)->getType();
          type->isPointerType() && !type->getPointeeType().isConstQualified())
        out.push_back(call->getArg(i + first));
    return out;
  }
  /// A parameter that is the address of what the function may change.
  bool isOwnAddress(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && given_ == Given::Addresses && llvm::isa<clang::ParmVarDecl>(use->getDecl()) &&
           use->getType()->isPointerType() && isOwn(use->getType()->getPointeeType());
  }
  /// The object, in a method that may change it.
  bool isOwnObject(const clang::Expr* e) const {
    const auto* object = llvm::dyn_cast<clang::CXXThisExpr>(e->IgnoreParenImpCasts());
    return given_ != Given::Nothing && object && isOfValues(object->getType()->getPointeeType());
  }
  bool target(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* all = llvm::dyn_cast<clang::UnaryOperator>(e);
        all && all->getOpcode() == clang::UO_Deref &&
        (isOwnObject(all->getSubExpr()) || isOwnAddress(all->getSubExpr())))
      return true;
    if (isOwnObject(e)) // `this->turn(angle)`
      return true;
    if (isOwnAddress(e)) // the address itself
      return fail();
    while (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType())
        return fail();
      e = base;
    }
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (constructs_ && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
        return true; // what it makes
      if (isOwnObject(member->getBase()) || (member->isArrow() && isOwnAddress(member->getBase())))
        return true;
      if (member->isArrow())
        return fail();
      e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    const bool isOwn =
        variable && (!variable->getType()->isReferenceType() ||
                     (given_ != Given::Nothing && llvm::isa<clang::ParmVarDecl>(variable)));
    return isOwn && variable->hasLocalStorage() && !ofExpression_ ? true : fail();
  }
  const Facts& facts_;
  unsigned depth_;
  bool constructs_ = false;
  Given given_ = Given::Nothing;
  bool ofExpression_ = false; ///< no variable in it is its own
};

} // namespace

bool isPureFunction(const clang::FunctionDecl* function, const Facts& facts) {
  return PureBody::isPure(function, facts, 4);
}

bool changesGivenOnly(const clang::FunctionDecl* function, const Facts& facts) {
  return PureBody::isPure(function, facts, 4, PureBody::Given::References);
}

std::vector<const clang::Expr*> givenBy(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const auto* ofObject = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const unsigned first = method && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  std::vector<const clang::Expr*> out;
  if (method && !method->isStatic() && !method->isConst() && (ofObject || first))
    out.push_back(ofObject ? ofObject->getImplicitObjectArgument() : call->getArg(0));
  for (unsigned i = 0; callee && i < callee->getNumParams() && i + first < call->getNumArgs(); ++i)
    if (const clang::QualType type = callee->getParamDecl(i)->getType();
        type->isReferenceType() && !type->getPointeeType().isConstQualified())
      out.push_back(call->getArg(i + first));
  return out;
}

bool isPureExpression(const clang::Expr* expression, const Facts& facts) {
  return PureBody::isPure(expression, facts);
}

bool hasMutable(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->hasMutableFields();
}

} // namespace cu2cpp

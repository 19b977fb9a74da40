// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniformity: which expressions read what other threads may write.
#include "analyse/uniformity.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether a variable may be another name for an object in shared memory. (Elements of arrays are
/// seen anyway.)
bool refersToObject(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  return llvm::isa<clang::ParmVarDecl>(variable) && type->isLValueReferenceType() &&
         !type->getPointeeType().isConstQualified() && !type->getPointeeType()->isArrayType();
}

/// Whether a function of the user makes one integer of others, in a few operations: a place within
/// bounds, or one in rows: `int at(int x, int y, int width) { return y * width + x; }`
bool isOfIntegers(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  if (llvm::isa<clang::CXXMethodDecl>(function) || !function->hasBody(definition) ||
      !function->getReturnType()->isIntegerType())
    return false;
  if (clampFunction(function))
    return true;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  const auto* value =
      body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  class Integers : public SyntaxVisitor {
  public:
    unsigned operations = 0;
    bool fits = true;
    bool VisitStmt(clang::Stmt* s) override {
      const auto* e = llvm::dyn_cast<clang::Expr>(s);
      operations += llvm::isa<clang::BinaryOperator, clang::ConditionalOperator>(s);
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      const auto* of = llvm::dyn_cast<clang::UnaryOperator>(s);
      fits &= e && e->getType()->isIntegerType() && !e->getType().isVolatileQualified() &&
              (use  ? llvm::isa<clang::ParmVarDecl>(use->getDecl())
               : op ? !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma
               : of ? !of->isIncrementDecrementOp() && of->getOpcode() != clang::UO_Deref
                    : llvm::isa<clang::ConditionalOperator, clang::CastExpr, clang::ParenExpr,
                                clang::IntegerLiteral>(s));
      return fits;
    }
  } integers;
  if (!value || !value->getRetValue() ||
      !std::all_of(definition->param_begin(), definition->param_end(),
                   [](const auto* parameter) { return parameter->getType()->isIntegerType(); }))
    return false;
  constexpr unsigned most = 6;
  integers.TraverseStmt(const_cast<clang::Expr*>(value->getRetValue()));
  return integers.fits && integers.operations <= most;
}

} // namespace

bool Uniformity::readsMemory(const clang::Expr* expression) {
  class Visitor : public SyntaxVisitor {
  public:
    bool found = false;
    // A part of an array that is an array is only asked for its address. What has a template's type
    // may be an operator of a class.
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
      const clang::QualType base = element->getBase()->IgnoreParenImpCasts()->getType();
      found |= !element->getType()->isArrayType() &&
               !(addressed_.count(element) && (base->isPointerType() || base->isArrayType()));
      return !found;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      found |= !callee || ((!hasMark(callee, "pure") || hasMark(callee, "thread") ||
                            !callee->getReturnType()->isArithmeticType()) &&
                           !isOfIntegers(callee));
      return !found;
    }
    // Each time memory of its own; a constructor may do anything.
    bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return !(found = true); }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
      const clang::CXXConstructorDecl* constructor = construct->getConstructor();
      found |= !constructor->isTrivial() && !constructor->isConstexpr();
      return !found;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      if (op->getOpcode() == clang::UO_AddrOf)
        addressed_.insert(op->getSubExpr()->IgnoreParens());
      found |= op->getOpcode() == clang::UO_Deref;
      return !found;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      found |= member->isArrow();
      return !found;
    }
    bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) override {
      found |= member->isArrow();
      return !found;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      // An array's name is its address.
      if (variable && !hasMark(variable, "builtin") && !variable->getType()->isArrayType() &&
          (variable->hasGlobalStorage() || isShared(variable) || refersToObject(variable)))
        found |= !variable->isConstexpr() &&
                 !(variable->getType().isConstQualified() && variable->hasInit());
      return !found;
    }

  private:
    std::set<const clang::Expr*> addressed_; // by &
  } visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(expression));
  return visitor.found;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): which statement a function's body can stand before.
#include "analyse/plain_calls.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace cu2cpp::calls {

/// Whether an expression calls something.
static bool calls(const clang::Expr* e) {
  class Calls : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
  } in;
  in.TraverseStmt(const_cast<clang::Expr*>(e));
  return in.found;
}

std::optional<CallSite> siteOf(const clang::CallExpr* call, const clang::ParentMap& parents) {
  CallSite site;
  site.call = call;
  if (call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID() ||
      !llvm::isa<clang::DeclRefExpr, clang::UnresolvedLookupExpr, clang::LambdaExpr,
                 clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts()))
    return std::nullopt;
  const clang::Stmt* at = call;
  const clang::Stmt* parent = parents.getParent(at);
  bool whole = true; // nothing is done with the result but to store it
  for (;; at = parent, parent = parents.getParent(at)) {
    if (!parent)
      return std::nullopt;
    if (llvm::isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::ExprWithCleanups,
                  clang::MaterializeTemporaryExpr>(parent)) {
      const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
      whole &= !cast || cast->getCastKind() == clang::CK_NoOp;
      continue;
    }
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent)) {
      whole &=
          made->getConstructor()->isCopyOrMoveConstructor() && made->getConstructor()->isTrivial();
      continue;
    }
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(parent)) {
      // What stands before it in the list is computed before it.
      for (const clang::Expr* other : list->inits()) {
        if (other == at)
          break;
        if (!llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr>(
                other->IgnoreParenImpCasts()))
          return std::nullopt;
      }
      whole = false;
      continue;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
      if (op->isAssignmentOp()) {
        if (op->getRHS() != at)
          return std::nullopt;
        const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens());
        if (whole && op->getOpcode() == clang::BO_Assign && target)
          site.result = llvm::dyn_cast<clang::VarDecl>(target->getDecl());
      } else if (op->isLogicalOp() || op->isShiftOp() || op->isPtrMemOp() ||
                 op->getOpcode() == clang::BO_Comma) {
        return std::nullopt;
      }
      whole = false;
      continue;
    }
    if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
      if (op->isAssignmentOp() && (op->getNumArgs() != 2 || op->getArg(1) != at))
        return std::nullopt;
      const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(op->getArg(0)->IgnoreParenImpCasts());
      const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(op->getDirectCallee());
      if (whole && target && op->getOperator() == clang::OO_Equal && method && method->isTrivial())
        site.result = llvm::dyn_cast<clang::VarDecl>(target->getDecl());
      if (op->getOperator() == clang::OO_AmpAmp || op->getOperator() == clang::OO_PipePipe ||
          op->getOperator() == clang::OO_Comma || op->getOperator() == clang::OO_LessLess ||
          op->getOperator() == clang::OO_GreaterGreater)
        return std::nullopt;
      whole = false;
      continue;
    }
    if (llvm::isa<clang::UnaryOperator, clang::MemberExpr, clang::ExplicitCastExpr,
                  clang::CallExpr>(parent)) {
      const auto* around = llvm::dyn_cast<clang::CallExpr>(parent);
      if (around && around->getCallee() == at && !llvm::isa<clang::CXXMemberCallExpr>(around))
        return std::nullopt;
      // `a.moved().add(a.sum())`: what gives the object comes first.
      if (llvm::isa<clang::CXXMemberCallExpr>(parent) && around->getCallee() != at &&
          calls(around->getCallee()))
        return std::nullopt;
      whole = false;
      continue;
    }
    break;
  }
  site.statement = at;
  site.alone = at == call || (llvm::isa<clang::ExprWithCleanups>(at) && whole && !site.result);
  site.inList = llvm::isa<clang::CompoundStmt>(parent);
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(parent)) {
    const auto* variable = declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    parent = parents.getParent(declaration);
    if (!variable || !variable->hasLocalStorage() || isShared(variable) ||
        variable->isConstexpr() || !llvm::isa_and_nonnull<clang::CompoundStmt>(parent))
      return std::nullopt;
    site.statement = declaration;
    site.alone = false;
    site.inList = true;
    // A structured binding's object has no name that the body could set.
    if (whole && !variable->getType()->isReferenceType() &&
        !llvm::isa<clang::DecompositionDecl>(variable)) {
      site.result = variable;
      site.declares = true;
    }
    return site;
  }
  if (llvm::isa<clang::ReturnStmt>(parent)) {
    site.statement = parent;
    site.alone = false;
    site.result = nullptr;
    parent = parents.getParent(parent);
    site.inList = llvm::isa_and_nonnull<clang::CompoundStmt>(parent);
    at = site.statement;
  }
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
  const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
  if (!(site.inList || (loop && loop->getBody() == at) ||
        (branch && (branch->getThen() == at || branch->getElse() == at))))
    return std::nullopt;
  return site;
}

} // namespace cu2cpp::calls

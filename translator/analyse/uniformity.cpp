// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimistic fixed point: every plain scalar starts as uniform and loses that when a definition
// of it depends on the thread, or stands under a condition that does.
#include "analyse/uniformity.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_agreements.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/shared_parameters.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

bool isPlainType(clang::QualType type) {
  type = type.getNonReferenceType();
  if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl())
    return record->hasDefinition() && !record->isDependentContext() && !record->isLambda() &&
           record->hasTrivialDestructor() && record->hasTrivialCopyConstructor();
  return type->isDependentType() || type->isScalarType() || type->isUndeducedAutoType();
}

/// The condition by which a statement's parts run; null where there is none. (What `return` does is
/// ignored: exited threads do not take part.)
const clang::Expr* flowCondition(const clang::Stmt* statement) {
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::DoStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(statement))
    return s->getCond();
  return nullptr;
}

class JumpCollector : public SyntaxVisitor {
public:
  std::vector<const clang::Stmt*> jumps;
  bool VisitBreakStmt(clang::BreakStmt* s) override { return add(s); }
  bool VisitContinueStmt(clang::ContinueStmt* s) override { return add(s); }

private:
  bool add(const clang::Stmt* s) {
    jumps.push_back(s);
    return true;
  }
};

} // namespace

Uniformity::Uniformity(const clang::FunctionDecl* function, const std::set<unsigned>& divergent,
                       const Facts* facts, bool rows, bool joined)
    : kernel_(function), facts_(facts), divergent_(divergent), rows_(rows), joined_(joined),
      parents_(std::make_unique<clang::ParentMap>(function->getBody())) {
  if (const FunctionFacts* known = facts ? facts->find(function) : nullptr)
    lanes_ = known->lanesTogether;
  collect();
  solve(Scope::Block);
  solve(Scope::Warp);
}

const LocalVariable* Uniformity::find(const clang::VarDecl* variable) const {
  const auto found = variables_.find(variable);
  return found == variables_.end() ? nullptr : &found->second;
}

bool Uniformity::isUniform(const clang::Expr* expression, Scope scope) const {
  if (!expression || (scope == Scope::Warp && sameInWarp(expression)))
    return true;
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                clang::CharacterLiteral, clang::CXXNullPtrLiteralExpr,
                clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr,
                clang::StringLiteral, clang::SizeOfPackExpr, clang::GNUNullExpr>(e))
    return true;
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e))
    return isUniform(constant->getSubExpr(), scope);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* decl = reference->getDecl();
    if (const unsigned builtin = builtinOf(decl))
      return builtin != ThreadIdx && (builtin != BlockIdx || !joined_ || scope != Scope::Block);
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(decl))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || variable->getType().isVolatileQualified())
      return false;
    if (variable->isConstexpr())
      return true;
    if (const LocalVariable* local = find(variable))
      return scope == Scope::Warp ? local->uniform || local->warpUniform : local->uniform;
    if (const FunctionFacts* known = facts_ ? facts_->find(kernel_) : nullptr;
        known && isSharedParameter(variable, *known))
      return true;
    // Shared, constant and global variables: one value for the block wherever the program has no
    // race.
    return variable->hasGlobalStorage() || isShared(variable);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
           isUniform(op->getLHS(), scope) && isUniform(op->getRHS(), scope);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf)
      return false;
    if (op->getOpcode() == clang::UO_Deref && op->getType().isVolatileQualified())
      return false;
    return isUniform(op->getSubExpr(), scope);
  }
  if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return isUniform(op->getCond(), scope) && isUniform(op->getTrueExpr(), scope) &&
           isUniform(op->getFalseExpr(), scope);
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
    return isUniform(cast->getSubExpr(), scope);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
      member && joined_ && member->getMemberDecl()->getName() != "x")
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
        use && builtinOf(use->getDecl()) == BlockIdx)
      return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           !member->getType().isVolatileQualified() && isUniform(member->getBase(), scope);
  // `Shape<M, N>::threads`: of static members device code takes constants only.
  if (llvm::isa<clang::DependentScopeDeclRefExpr>(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(e))
    return !member->isImplicitAccess() && plainPlaces_.count(member->getMemberLoc()) != 0 &&
           isUniform(member->getBase(), scope);
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isUniform(member->getResultExpr(), scope);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const clang::QualType base = subscript->getBase()->getType();
    const bool plain = base->isPointerType() || base->isArrayType() || !base->isDependentType() ||
                       plainPlaces_.count(subscript->getRBracketLoc()) != 0;
    return plain && !subscript->getType().isVolatileQualified() &&
           isUniform(subscript->getBase(), scope) && isUniform(subscript->getIdx(), scope);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
    return (scope == Scope::Warp && isAgreed(call)) || callIsUniform(call, scope);
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (!construct->getConstructor()->isTrivial() && !construct->getConstructor()->isConstexpr() &&
        !storesParts(construct->getConstructor()))
      return false;
    for (const clang::Expr* argument : construct->arguments())
      if (!isUniform(argument, scope))
        return false;
    return true;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(e)) {
    for (const clang::Expr* element : list->inits())
      if (!isUniform(element, scope))
        return false;
    return true;
  }
  if (llvm::isa<clang::CXXThisExpr>(
          e)) // a method is split only where all threads call it of one object
    return true;
  if (const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e))
    return isUniform(byDefault->getExpr(), scope);
  if (const auto* construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
    for (const clang::Expr* argument : construct->arguments())
      if (!isUniform(argument, scope))
        return false;
    return true;
  }
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return isUniform(temporary->getSubExpr(), scope);
  return false;
}

bool Uniformity::callIsUniform(const clang::CallExpr* call, Scope scope) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || (llvm::isa<clang::CXXOperatorCallExpr>(call) && !givenBy(call).empty()))
    return false; // (an operator changes its operands, as far as its declaration shows)
  // A verdict over the whole block is the same for each thread.
  const bool verdict =
      syncScope(callee) == Scope::Block && callee->getReturnType()->isIntegerType();
  if (verdict || (scope == Scope::Warp && hasMark(callee, "alike")))
    return true;
  if (facts_ && facts_->find(callee)) {
    if (!isPureFunction(callee, *facts_))
      return false;
  } else if (hasMark(callee, "device") || !isPureHeaderFunction(callee)) {
    return false; // the user's, but defined in another file
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    if (!isUniform(member->getImplicitObjectArgument(), scope))
      return false;
  for (const clang::Expr* argument : call->arguments())
    if (!isUniform(argument, scope))
      return false;
  return true;
}

bool Uniformity::controlIsUniform(const clang::Stmt* statement, const clang::Stmt* home,
                                  Scope scope) const {
  const clang::Stmt* parent = nullptr;
  for (const clang::Stmt* at = statement; (parent = parents_->getParent(at)) != nullptr;
       at = parent) {
    if (parent == home)
      return true;
    if (unevenLoops_.count(parent))
      return false;
    if (llvm::isa<clang::LambdaExpr, clang::CXXForRangeStmt, clang::CXXTryStmt>(parent))
      return false;
    const clang::Expr* condition = flowCondition(parent);
    if (condition && condition != at && !isUniform(condition, scope))
      return false;
    // A for loop's step runs as often as its condition says; so does the right side of && and ?:.
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent))
      if (loop->getCond() && !isUniform(loop->getCond(), scope) && at != loop->getInit())
        return false;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent))
      if (op->isLogicalOp() && op->getRHS() == at && !isUniform(op->getLHS(), scope))
        return false;
    if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(parent))
      if (op->getCond() != at && !isUniform(op->getCond(), scope))
        return false;
  }
  return true;
}

void Uniformity::solve(Scope scope) {
  const auto flag = [&](LocalVariable& local) -> bool& {
    return scope == Scope::Warp ? local.warpUniform : local.uniform;
  };
  for (auto& [decl, local] : variables_) {
    const auto* parm = llvm::dyn_cast<clang::ParmVarDecl>(decl);
    const bool parameter = parm && decl->getDeclContext() == kernel_;
    flag(local) = !local.escapes && !decl->getType().isVolatileQualified() &&
                  !decl->getType()->isReferenceType() &&
                  (parameter ? (isPlainType(decl->getType()) || !local.modified) &&
                                   !divergent_.count(parm->getFunctionScopeIndex())
                             : isPlainType(decl->getType()) && local.statement);
  }
  unevenLoops_.clear();
  JumpCollector jumps;
  jumps.TraverseStmt(kernel_->getBody());
  for (bool changed = true; changed;) {
    changed = false;
    // A jump under a condition that depends on the thread: the loop it leaves runs unevenly from
    // then on.
    for (const clang::Stmt* jump : jumps.jumps) {
      const clang::Stmt* loop = parents_->getParent(jump);
      bool even = true;
      const clang::Stmt* at = jump;
      while (loop && !isLoop(loop) &&
             !(llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(loop))) {
        const clang::Expr* condition = flowCondition(loop);
        if (condition && condition != at && !isUniform(condition, scope))
          even = false;
        at = loop;
        loop = parents_->getParent(loop);
      }
      if (loop && !even && isLoop(loop))
        changed |= unevenLoops_.insert(loop).second;
    }
    for (auto& [decl, local] : variables_) {
      if (!flag(local))
        continue;
      bool uniform = true;
      const clang::Stmt* home = local.statement ? parents_->getParent(local.statement) : nullptr;
      if (local.statement && decl->hasInit() && !isUniform(decl->getInit(), scope))
        uniform = false;
      for (const clang::Expr* assignment : local.assignments) {
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(assignment))
          uniform &= isUniform(op->getRHS(), scope);
        else if (!llvm::isa<clang::UnaryOperator>(assignment))
          uniform = false;
        uniform &= controlIsUniform(assignment, home, scope);
      }
      if (!uniform) {
        flag(local) = false;
        changed = true;
      }
    }
  }
}

} // namespace cu2cpp

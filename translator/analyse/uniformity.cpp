// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimistic fixed point: every plain scalar starts as uniform and loses that when a definition of it depends on the
// thread, or stands under a condition that does.
#include "analyse/uniformity.h"

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/marks.h"

namespace cu2cpp {
namespace {

enum class Use { Read, Assigned, Escapes };

/// How a reference to a variable is used. Dependent code has no casts, so there the parent's kind decides.
Use classify(const clang::Expr* reference, const clang::ParentMap& parents, const clang::Expr*& assignment) {
  const clang::Stmt* at = reference;
  bool whole = true; // still the variable itself, not a part of it
  while (const clang::Stmt* parent = parents.getParent(at)) {
    if (llvm::isa<clang::ParenExpr, clang::ConstantExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr>(
            parent)) {
      at = parent;
      continue;
    }
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        return Use::Read;
      if (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())
        return Use::Read;
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
        const clang::Stmt* next = parents.getParentIgnoreParens(cast);
        if (!llvm::isa_and_nonnull<clang::ArraySubscriptExpr>(next))
          return Use::Escapes;
      }
      at = parent;
      continue;
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
        return method->isConst() || method->isStatic() ? Use::Read : Use::Escapes;
      if (member->isArrow())
        return Use::Read;
      whole = false;
      at = parent;
      continue;
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      if (subscript->getIdx() == at || !llvm::cast<clang::Expr>(at)->getType()->isArrayType()) {
        // A dependent base may be an array or a pointer: only an array's element is part of the variable.
        if (subscript->getIdx() == at || !llvm::isa<clang::ImplicitCastExpr>(at))
          if (subscript->getIdx() == at || llvm::cast<clang::Expr>(at)->getType()->isPointerType())
            return Use::Read;
      }
      whole = false;
      at = parent;
      continue;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
      if (op->isAssignmentOp() && op->getLHS() == at) {
        assignment = op;
        // A part changed: the rest keeps its value, which only matters for scalars, so treat it as an escape.
        return whole ? Use::Assigned : Use::Escapes;
      }
      return op->getOpcode() == clang::BO_Comma && op->getRHS() == at ? Use::Escapes : Use::Read;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(parent)) {
      if (op->isIncrementDecrementOp()) {
        assignment = op;
        return whole ? Use::Assigned : Use::Escapes;
      }
      return op->getOpcode() == clang::UO_AddrOf ? Use::Escapes : Use::Read;
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
      if (call->isAssignmentOp() && call->getNumArgs() > 0 && call->getArg(0) == at) {
        assignment = call;
        return whole ? Use::Assigned : Use::Escapes;
      }
      return Use::Escapes;
    }
    if (llvm::isa<clang::ExplicitCastExpr, clang::ConditionalOperator, clang::UnaryExprOrTypeTraitExpr,
                  clang::CXXConstructExpr, clang::InitListExpr, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                  clang::DoStmt, clang::SwitchStmt, clang::DeclStmt>(parent)) {
      const auto* here = llvm::dyn_cast<clang::Expr>(at);
      // Dependent code: a value is read unless a reference is bound to it.
      if (llvm::isa<clang::DeclStmt>(parent)) {
        for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(parent)->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            if (variable->getInit() == at && variable->getType()->isReferenceType() &&
                !variable->getType()->getPointeeType().isConstQualified())
              return Use::Escapes;
        return Use::Read;
      }
      if (llvm::isa<clang::ConditionalOperator>(parent) && here && here->isLValue() && !here->isTypeDependent()) {
        at = parent;
        continue;
      }
      return Use::Read;
    }
    return Use::Escapes;
  }
  return Use::Read;
}

class Collector : public clang::RecursiveASTVisitor<Collector> {
public:
  Collector(std::map<const clang::VarDecl*, LocalVariable>& variables, const clang::ParentMap& parents)
      : variables_(variables), parents_(parents) {}

  bool VisitDeclStmt(clang::DeclStmt* statement) {
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && variable->hasLocalStorage() && !isShared(variable)) {
        LocalVariable& local = variables_[variable];
        local.decl = variable;
        local.statement = statement;
      }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const auto found = variable ? variables_.find(variable) : variables_.end();
    if (found == variables_.end())
      return true;
    const clang::Expr* assignment = nullptr;
    switch (classify(use, parents_, assignment)) {
    case Use::Read:
      break;
    case Use::Assigned:
      found->second.modified = true;
      found->second.assignments.push_back(assignment);
      break;
    case Use::Escapes:
      found->second.modified = found->second.escapes = true;
      break;
    }
    return true;
  }
  // A lambda may change what it captures by reference whenever it is called.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          if (const auto found = variables_.find(variable); found != variables_.end())
            found->second.modified = found->second.escapes = true;
    return RecursiveASTVisitor::TraverseLambdaExpr(lambda);
  }

private:
  std::map<const clang::VarDecl*, LocalVariable>& variables_;
  const clang::ParentMap& parents_;
};

bool isPlainType(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isDependentType() || type->isScalarType() || type->isUndeducedAutoType();
}

/// Whether a condition of the block's flow holds for all threads alike, ignoring what `return` does: exited threads do
/// not take part.
const clang::Expr* conditionOf(const clang::Stmt* statement) {
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

bool isLoop(const clang::Stmt* statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
}

class JumpCollector : public clang::RecursiveASTVisitor<JumpCollector> {
public:
  std::vector<const clang::Stmt*> jumps;
  bool VisitBreakStmt(clang::BreakStmt* s) { return add(s); }
  bool VisitContinueStmt(clang::ContinueStmt* s) { return add(s); }

private:
  bool add(const clang::Stmt* s) {
    jumps.push_back(s);
    return true;
  }
};

} // namespace

Uniformity::Uniformity(const clang::FunctionDecl* kernel)
    : kernel_(kernel), parents_(std::make_unique<clang::ParentMap>(kernel->getBody())) {
  collect();
  solve();
}

const LocalVariable* Uniformity::find(const clang::VarDecl* variable) const {
  const auto found = variables_.find(variable);
  return found == variables_.end() ? nullptr : &found->second;
}

void Uniformity::collect() {
  for (const clang::ParmVarDecl* parameter : kernel_->parameters())
    variables_[parameter].decl = parameter;
  Collector(variables_, *parents_).TraverseStmt(kernel_->getBody());
  // Declarations come before uses in the walk, so one pass is enough, except for lambdas' bodies: they are walked too.
}

bool Uniformity::isUniform(const clang::Expr* expression) const {
  if (!expression)
    return true;
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                clang::CXXNullPtrLiteralExpr, clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr,
                clang::StringLiteral, clang::SizeOfPackExpr, clang::GNUNullExpr>(e))
    return true;
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e))
    return isUniform(constant->getSubExpr());
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* decl = reference->getDecl();
    if (const unsigned builtin = builtinOf(decl))
      return builtin != ThreadIdx;
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(decl))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || variable->getType().isVolatileQualified())
      return false;
    if (const LocalVariable* local = find(variable))
      return local->uniform;
    // Shared, constant and global variables: one value for the block wherever the program has no race.
    return variable->hasGlobalStorage() || isShared(variable);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma && isUniform(op->getLHS()) &&
           isUniform(op->getRHS());
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf)
      return false;
    if (op->getOpcode() == clang::UO_Deref && op->getType().isVolatileQualified())
      return false;
    return isUniform(op->getSubExpr());
  }
  if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return isUniform(op->getCond()) && isUniform(op->getTrueExpr()) && isUniform(op->getFalseExpr());
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
    return isUniform(cast->getSubExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) && !member->getType().isVolatileQualified() &&
           isUniform(member->getBase());
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isUniform(member->getResultExpr());
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return !subscript->getType().isVolatileQualified() && isUniform(subscript->getBase()) &&
           isUniform(subscript->getIdx());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !(callee->isConstexpr() || callee->hasAttr<clang::ConstAttr>() || callee->hasAttr<clang::PureAttr>()) ||
        llvm::isa<clang::CXXMemberCallExpr>(call) || llvm::isa<clang::CXXOperatorCallExpr>(call))
      return false;
    for (const clang::Expr* argument : call->arguments())
      if (!isUniform(argument))
        return false;
    return true;
  }
  if (const auto* construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
    for (const clang::Expr* argument : construct->arguments())
      if (!isUniform(argument))
        return false;
    return true;
  }
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return isUniform(temporary->getSubExpr());
  return false;
}

bool Uniformity::readsMemory(const clang::Expr* expression) {
  class Visitor : public clang::RecursiveASTVisitor<Visitor> {
  public:
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) { return !(found = true); }
    bool VisitCallExpr(clang::CallExpr*) { return !(found = true); }
    bool VisitUnaryOperator(clang::UnaryOperator* op) {
      found |= op->getOpcode() == clang::UO_Deref;
      return !found;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) {
      found |= member->isArrow();
      return !found;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variable && !builtinOf(variable) && (variable->hasGlobalStorage() || isShared(variable)))
        found |= !variable->isConstexpr() && !(variable->getType().isConstQualified() && variable->hasInit());
      return !found;
    }
  } visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(expression));
  return visitor.found;
}

bool Uniformity::controlIsUniform(const clang::Stmt* statement) const {
  const clang::Stmt* parent = nullptr;
  for (const clang::Stmt* at = statement; (parent = parents_->getParent(at)) != nullptr; at = parent) {
    if (unevenLoops_.count(parent))
      return false;
    if (llvm::isa<clang::LambdaExpr, clang::CXXForRangeStmt, clang::CXXTryStmt>(parent))
      return false;
    const clang::Expr* condition = conditionOf(parent);
    if (condition && condition != at && !isUniform(condition))
      return false;
    // A for loop's step runs as often as its condition says; so does the right side of && and ?:.
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent))
      if (loop->getCond() && !isUniform(loop->getCond()) && at != loop->getInit())
        return false;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent))
      if (op->isLogicalOp() && op->getRHS() == at && !isUniform(op->getLHS()))
        return false;
    if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(parent))
      if (op->getCond() != at && !isUniform(op->getCond()))
        return false;
  }
  return true;
}

void Uniformity::solve() {
  for (auto& [decl, local] : variables_) {
    const bool parameter = llvm::isa<clang::ParmVarDecl>(decl) && decl->getDeclContext() == kernel_;
    local.uniform = !local.escapes && !decl->getType().isVolatileQualified() && !decl->getType()->isReferenceType() &&
                    (parameter ? (isPlainType(decl->getType()) || !local.modified)
                               : isPlainType(decl->getType()) && local.statement);
  }
  JumpCollector jumps;
  jumps.TraverseStmt(kernel_->getBody());
  for (bool changed = true; changed;) {
    changed = false;
    // A jump under a condition that depends on the thread: the loop it leaves runs unevenly from then on.
    for (const clang::Stmt* jump : jumps.jumps) {
      const clang::Stmt* loop = parents_->getParent(jump);
      bool even = true;
      const clang::Stmt* at = jump;
      while (loop && !isLoop(loop) && !(llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(loop))) {
        const clang::Expr* condition = conditionOf(loop);
        if (condition && condition != at && !isUniform(condition))
          even = false;
        at = loop;
        loop = parents_->getParent(loop);
      }
      if (loop && !even && isLoop(loop))
        changed |= unevenLoops_.insert(loop).second;
    }
    for (auto& [decl, local] : variables_) {
      if (!local.uniform)
        continue;
      bool uniform = true;
      if (local.statement) {
        if (decl->hasInit() && !isUniform(decl->getInit()))
          uniform = false;
        if (!controlIsUniform(local.statement))
          uniform = false;
      }
      for (const clang::Expr* assignment : local.assignments) {
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(assignment))
          uniform &= isUniform(op->getRHS());
        else if (!llvm::isa<clang::UnaryOperator>(assignment))
          uniform = false;
        uniform &= controlIsUniform(assignment);
      }
      if (!uniform) {
        local.uniform = false;
        changed = true;
      }
    }
  }
}

} // namespace cu2cpp

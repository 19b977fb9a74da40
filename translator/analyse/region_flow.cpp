// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What control flow around a barrier asks for: uniform conditions, and with them the variables that
// steer them; or threads that enter and leave one by one.
#include "analyse/region_builder.h"

namespace cu2cpp {

bool RegionBuilder::requireUniform(const clang::Stmt* around, const clang::Expr* expression,
                                   const char* what) {
  if (!expression || masked_.count(around))
    return true;
  requiredFor_ = around;
  if (!uniformConditionOf(expression) && maskInstead(around))
    return true;
  if (!uniformConditionOf(expression))
    return fail(std::string("a barrier stands under ") + what +
                    " that may differ between threads (" + line(expression->getExprLoc()) + ")",
                expression->getExprLoc());
  const std::set<const clang::Stmt*> calls = calledIn(expression);
  for (const clang::VarDecl* used : Contents(expression, &calls).uses)
    require(used);
  return true;
}

bool RegionBuilder::maskInstead(const clang::Stmt* around) {
  if (masked_.count(around))
    return true;
  if (!llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::IfStmt>(
          around) ||
      holds(conditionOf(around)) != Scope::None || around->getBeginLoc().isMacroID())
    return false;
  // Threads in both branches may mean to meet at a barrier of each.
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around))
    if (branch->isConstexpr() || branch->isConsteval() ||
        (holds(branch->getThen()) == Scope::Block && holds(branch->getElse()) == Scope::Block))
      return false;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(around))
    if (isStridedOfBlock(loop))
      return false;
  for (const clang::Stmt* inner : blockLoops_)
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(inner);
        loop && isStridedOfBlock(loop) && isWithin(loop, around))
      return false;
  masked_.insert(around);
  return true;
}

static bool isOneForBlock(const GroupCall& call) {
  return call.uniformResult && call.scope == Scope::Block;
}

bool RegionBuilder::uniformConditionOf(const clang::Expr* expression) const {
  if (uniformity_.isUniform(expression))
    return true;
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
    const auto found = callIndex_.find(call);
    return found != callIndex_.end() && isOneForBlock(out_->calls[found->second]);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return op->getOpcode() != clang::BO_Comma && uniformConditionOf(op->getLHS()) &&
           uniformConditionOf(op->getRHS());
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return (op->getOpcode() == clang::UO_LNot || op->isIncrementDecrementOp()) &&
           uniformConditionOf(op->getSubExpr());
  return false;
}

bool RegionBuilder::effectsOf(const clang::Expr* e, Scope level,
                              std::vector<const clang::Expr*>& assignments) const {
  if (!e)
    return true;
  e = e->IgnoreParenImpCasts();
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  const auto* step = llvm::dyn_cast<clang::UnaryOperator>(e);
  if ((op && op->isAssignmentOp()) || (step && step->isIncrementDecrementOp()))
    return isBlockAssignment(e, assignments, level);
  if (op && !op->isLogicalOp() && op->getOpcode() != clang::BO_Comma)
    return effectsOf(op->getLHS(), level, assignments) &&
           effectsOf(op->getRHS(), level, assignments);
  if (step && step->getOpcode() == clang::UO_LNot)
    return effectsOf(step->getSubExpr(), level, assignments);
  if (isScalarExpression(e, level))
    return true;
  // What a warp or each thread finds out is no value of the block.
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  const auto found = callIndex_.find(call);
  return found != callIndex_.end() && isOneForBlock(out_->calls[found->second]);
}

std::set<const clang::Stmt*> RegionBuilder::calledIn(const clang::Stmt* s) const {
  std::set<const clang::Stmt*> calls;
  for (const auto& [call, index] : callIndex_)
    if (!out_->calls[index].oneByOne && isWithin(call, s))
      calls.insert(call);
  return calls;
}

void RegionBuilder::require(const clang::VarDecl* variable) {
  const LocalVariable* local = uniformity_.find(variable);
  if (!local || !required_.insert(variable).second)
    return;
  requiredBy_[variable] = requiredFor_;
  block_.insert(variable);
  requireDefinitions(*local);
}

void RegionBuilder::requireDefinitions(const LocalVariable& local) {
  const auto all = [&](const clang::Stmt* s) {
    const std::set<const clang::Stmt*> calls = calledIn(s);
    for (const clang::VarDecl* used : Contents(s, &calls).uses)
      require(used);
  };
  if (local.statement && local.decl->hasInit())
    all(local.decl->getInit());
  for (const clang::Expr* assignment : local.assignments) {
    all(assignment);
    for (const clang::IfStmt* branch : branchesThatAssign(local.decl, assignment))
      all(branch);
  }
  // Its siblings in one declaration move with it, unless they can be declared apart.
  if (local.statement && !canStandAlone(local.statement))
    for (const clang::Decl* sibling : local.statement->decls())
      if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling))
        require(other);
}

bool RegionBuilder::findRequired() {
  for (const auto& [around, scope] : holds_) {
    if (scope != Scope::Block || llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(around))
      continue;
    if (const auto* s = llvm::dyn_cast<clang::ForStmt>(around)) {
      if (isStridedOfBlock(s)) {
        const auto* step = llvm::cast<clang::BinaryOperator>(s->getInc()->IgnoreParens());
        for (const clang::VarDecl* used : Contents(step->getRHS()).uses)
          require(used);
        continue;
      }
      if (s->getConditionVariable() || !requireUniform(s, s->getCond(), "a loop condition"))
        return fail("a loop condition declares a variable", s->getBeginLoc());
      if (masked_.count(s))
        continue;
      if (s->getInit())
        for (const clang::VarDecl* used : Contents(s->getInit()).uses)
          require(used);
      if (const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(s->getInit()))
        for (const clang::Decl* decl : init->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            require(variable);
      if (s->getInc())
        for (const clang::VarDecl* used : Contents(s->getInc()).uses)
          require(used);
    } else if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(around)) {
      if (s->getConditionVariable() || !requireUniform(s, s->getCond(), "a loop condition"))
        return fail("a loop condition declares a variable", s->getBeginLoc());
    } else if (const auto* s = llvm::dyn_cast<clang::DoStmt>(around)) {
      if (!requireUniform(s, s->getCond(), "a loop condition"))
        return false;
    } else if (const auto* s = llvm::dyn_cast<clang::IfStmt>(around)) {
      if (s->getInit() || s->getConditionVariable())
        return fail("a condition around a barrier declares a variable", s->getBeginLoc());
      if (!requireUniform(s, s->getCond(), "a condition"))
        return false;
    } else if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(around)) {
      if (s->getInit() || s->getConditionVariable())
        return fail("a switch around a barrier declares a variable", s->getBeginLoc());
      if (!requireUniform(s, s->getCond(), "a switch"))
        return false;
    } else if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt, clang::SwitchCase>(around)) {
      return fail("a barrier stands inside a " + std::string(around->getStmtClassName()) + " (" +
                      line(around->getBeginLoc()) + ")",
                  around->getBeginLoc());
    }
  }
  for (const clang::VarDecl* variable : required_) {
    const LocalVariable* local = uniformity_.find(variable);
    if (local->uniform)
      continue;
    if (!maskFor(variable))
      return fail("'" + variable->getNameAsString() +
                      "', which steers a barrier, may differ between threads",
                  variable->getLocation());
    break; // what else is required may be so by what is masked now
  }
  return true;
}

bool RegionBuilder::maskFor(const clang::VarDecl* variable) {
  const auto by = requiredBy_.find(variable);
  if (by == requiredBy_.end() || !by->second || masked_.count(by->second) ||
      !maskInstead(by->second))
    return false;
  return restart_ = true;
}

} // namespace cu2cpp

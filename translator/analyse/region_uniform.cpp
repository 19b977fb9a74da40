// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the group itself can compute, assign or decide: values that are one for all of its threads.
#include "analyse/region_builder.h"

#include <algorithm>

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

bool RegionBuilder::isScalar(const clang::VarDecl* variable) const {
  const LocalVariable* local = uniformity_.find(variable);
  return !local || constants_.count(variable) || isBlockVariable(variable) ||
         isFixedParameter(variable);
}

bool RegionBuilder::isScalarExpression(const clang::Expr* e, Scope level) const {
  if (!uniformity_.isUniform(e, level) || namesThread(e))
    return false;
  const std::set<const clang::Stmt*> calls = calledIn(e);
  if (level == Scope::Warp)
    for (const auto& [call, index] : callIndex_)
      if (calls.count(call) &&
          !(out_->calls[index].uniformResult && out_->calls[index].scope == Scope::Warp))
        return false;
  for (const clang::VarDecl* used : Contents(e, &calls).uses)
    if (!isScalar(used))
      return false;
  return true;
}

bool RegionBuilder::namesThread(const clang::Stmt* s) {
  class Visitor : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      return !(found = builtinOf(use->getDecl()) == ThreadIdx);
    }
  } visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  return visitor.found;
}

bool RegionBuilder::isBlockAssignment(const clang::Expr* expression,
                                      std::vector<const clang::Expr*>& assignments,
                                      Scope level) const {
  const clang::Expr* e = expression->IgnoreParens();
  if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(e))
    e = cleanups->getSubExpr()->IgnoreParens();
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (op->getOpcode() == clang::BO_Comma)
      return isBlockAssignment(op->getLHS(), assignments, level) &&
             isBlockAssignment(op->getRHS(), assignments, level);
    if (!op->isAssignmentOp() || !uniformity_.isUniform(op->getRHS(), level))
      return false;
    assignments.push_back(op);
    return isBlockReference(op->getLHS());
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    assignments.push_back(op);
    return op->isIncrementDecrementOp() && isBlockReference(op->getSubExpr());
  }
  return false;
}

bool RegionBuilder::isBlockReference(const clang::Expr* e) const {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && isBlockVariable(variable);
}

bool RegionBuilder::onlyAssignsForBlock(const clang::Stmt* s, bool& any) const {
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return llvm::all_of(list->body(),
                        [&](const clang::Stmt* inner) { return onlyAssignsForBlock(inner, any); });
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    return !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr() &&
           !branch->isConsteval() && isScalarExpression(branch->getCond(), Scope::Block) &&
           onlyAssignsForBlock(branch->getThen(), any) &&
           (!branch->getElse() || onlyAssignsForBlock(branch->getElse(), any));
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  std::vector<const clang::Expr*> assignments;
  any |= e != nullptr;
  return llvm::isa<clang::NullStmt>(s) ||
         (e && isBlockAssignment(e, assignments, Scope::Block) && atHome(assignments));
}

bool RegionBuilder::isBranchOfBlock(const clang::IfStmt* branch) const {
  bool any = false;
  return !branch->getBeginLoc().isMacroID() && !branch->getEndLoc().isMacroID() &&
         onlyAssignsForBlock(branch, any) && any;
}

bool RegionBuilder::isListOfGroup(const clang::CompoundStmt* list, Scope level) const {
  if (list->getBeginLoc().isMacroID() || list->getEndLoc().isMacroID())
    return false;
  bool assigns = false;
  for (const clang::Stmt* s : list->body()) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      if (!allBlockVariables(declaration, level) || isMixed(declaration) ||
          !scalarDefinitions(declaration, level))
        return false;
      continue;
    }
    std::vector<const clang::Expr*> assignments;
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (!llvm::isa<clang::NullStmt>(s) &&
        !(e && isBlockAssignment(e, assignments, level) && atHome(assignments)))
      return false;
    assigns |= e != nullptr;
  }
  return assigns;
}

void RegionBuilder::takeAssignments(const std::vector<const clang::Expr*>& assignments) {
  for (const clang::Expr* e : assignments) {
    handled_.insert(e);
    const clang::Expr* target = nullptr;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      target = op->getLHS();
    else
      target = llvm::cast<clang::UnaryOperator>(e)->getSubExpr();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
        homes_[variable].insert(section_);
  }
}

const clang::Stmt* RegionBuilder::jumpOf(const clang::Stmt* s) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    if (branch->getElse() || branch->getInit() || branch->getConditionVariable())
      return nullptr;
    s = branch->getThen();
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      if (compound->size() != 1)
        return nullptr;
      s = compound->body_front();
    }
  }
  return isJump(s) ? s : nullptr;
}

bool RegionBuilder::isGroupJump(const clang::Stmt* s, Scope level) const {
  const clang::Stmt* jump = jumpOf(s);
  if (!jump)
    return false;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    std::vector<const clang::Expr*> effects;
    if (!isScalarExpression(branch->getCond(), level) &&
        !(level == Scope::Block && effectsOf(branch->getCond(), level, effects) && atHome(effects)))
      return false;
  }
  if (llvm::isa<clang::ReturnStmt>(jump)) {
    if (level == Scope::Block)
      return kernel_.kernel && !section_ && !insideMasked_;
    // In the only loop over warps, a warp that returns has nothing else to do.
    return kernel_.kernel && out_->scope == Scope::Warp && !severalSections_ &&
           std::none_of(around_.begin(), around_.end(),
                        [&](const auto& a) { return a.second || uneven_.count(a.first); });
  }
  const clang::Stmt* target = targetOf(jump);
  if (uneven_.count(target))
    return false;
  // Lanes that wait outside a branch still have to go on in the loop.
  for (auto it = around_.rbegin(); it != around_.rend(); ++it) {
    // Behind `continue`, a loop that is tested at its end has more to do than to test.
    if (it->first == target)
      return !(llvm::isa<clang::ContinueStmt>(jump) && llvm::isa<clang::DoStmt>(target) &&
               (it->second || holds(conditionOf(target)) != Scope::None));
    if (it->second)
      return false;
  }
  return false;
}

bool RegionBuilder::groupJumpsFrom(const clang::IfStmt* branch, const Contents& contents,
                                   Scope level) const {
  if (branch->getInit() || branch->getConditionVariable() || branch->getBeginLoc().isMacroID() ||
      branch->isConsteval())
    return false;
  if (contents.returns && insideMasked_)
    return false;
  bool leads = level == Scope::Block && kernel_.kernel && contents.returns;
  for (const clang::Stmt* jump : contents.jumps) {
    if (targetsInside(jump, branch))
      continue;
    if (uneven_.count(targetOf(jump)))
      return false;
    leads = true;
  }
  return leads && isScalarExpression(branch->getCond(), level);
}

bool RegionBuilder::isFixedParameter(const clang::VarDecl* variable) const {
  const LocalVariable* local = uniformity_.find(variable);
  return local && !local->statement && !local->modified &&
         variable->getDeclContext() == kernel_.decl && (kernel_.kernel || local->uniform);
}

bool RegionBuilder::isConstantDeclaration(const clang::DeclStmt* statement) const {
  for (const clang::Decl* decl : statement->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable && !variable->isConstexpr() && !variable->isStaticLocal() && !isConstant(variable))
      return false;
  }
  return true;
}

bool RegionBuilder::isConstant(const clang::VarDecl* variable) const {
  if (!variable->getType().isConstQualified() ||
      !variable->getType()->isIntegralOrEnumerationType() || !variable->hasInit() ||
      !uniformity_.isUniform(variable->getInit()))
    return false;
  for (const clang::VarDecl* used : Contents(variable->getInit()).uses)
    if (!constants_.count(used) && !used->isConstexpr())
      return false;
  return variable->getInit()->isValueDependent() ||
         variable->getInit()->isIntegerConstantExpr(unit_.context());
}

bool RegionBuilder::scalarDefinitions(const clang::DeclStmt* declaration, Scope level) const {
  for (const clang::Decl* decl : declaration->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        variable && variable->hasInit())
      if (level == Scope::Warp && !isScalarExpression(variable->getInit(), level))
        return false;
  return true;
}

bool RegionBuilder::allBlockVariables(const clang::DeclStmt* declaration, Scope level) const {
  bool any = false;
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable)
      return false;
    if (!isBlockVariable(variable)) {
      if (!canStandAlone(declaration))
        return false;
      continue;
    }
    if (level == Scope::Block && !uniformity_.find(variable)->uniform)
      return false;
    any = true;
  }
  return any;
}

bool RegionBuilder::isMixed(const clang::DeclStmt* declaration) const {
  return std::any_of(declaration->decl_begin(), declaration->decl_end(),
                     [&](const clang::Decl* decl) {
                       const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                       return variable && !isBlockVariable(variable);
                     });
}

bool RegionBuilder::canStandAlone(const clang::DeclStmt* declaration) const {
  if (llvm::isa_and_nonnull<clang::ForStmt>(uniformity_.parents().getParent(declaration)) ||
      declaration->getBeginLoc().isMacroID() || holds(declaration) != Scope::None)
    return false;
  std::set<const clang::VarDecl*> declared;
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || !variable->getType()->isScalarType() ||
        variable->getType()->isDependentType() ||
        (variable->hasInit() && variable->getInitStyle() != clang::VarDecl::CInit))
      return false;
    for (const clang::VarDecl* used : Contents(variable->getInit()).uses)
      if (declared.count(used))
        return false;
    declared.insert(variable);
  }
  return true;
}

bool RegionBuilder::definedByBlock(const LocalVariable& local) const {
  const auto known = [&](const clang::Stmt* s) {
    const std::set<const clang::Stmt*> calls = calledIn(s);
    for (const clang::VarDecl* used : Contents(s, &calls).uses)
      if (used != local.decl && !isScalar(used))
        return false;
    return true;
  };
  if (local.statement && local.decl->hasInit() && !known(local.decl->getInit()))
    return false;
  return std::all_of(local.assignments.begin(), local.assignments.end(),
                     [&](const clang::Expr* a) { return !handled_.count(a) || known(a); });
}

bool RegionBuilder::isWithin(const clang::Stmt* inner, const clang::Stmt* outer) const {
  for (const clang::Stmt* at = inner; at; at = uniformity_.parents().getParent(at))
    if (at == outer)
      return true;
  return false;
}

} // namespace cu2cpp

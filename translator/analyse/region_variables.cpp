// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables are the group's: offered where a value is uniform, taken back where only threads
// know it.
#include "analyse/region_builder.h"
#include "parse/syntax_visitor.h"

#include <algorithm>

namespace cu2cpp {

bool RegionBuilder::settleBlockVariables() {
  bool settled = true;
  for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(block_)) {
    const LocalVariable* local = uniformity_.find(variable);
    const auto home = homes_.find(variable);
    const bool good =
        !forced_.count(variable) && (home == homes_.end() || home->second.size() == 1) &&
        (local->statement ? home != homes_.end()
                          : home == homes_.end() || home->second.count(0) ||
                                (!kernel_.kernel && out_->scope == Scope::Warp)) &&
        std::all_of(local->assignments.begin(), local->assignments.end(),
                    [&](const clang::Expr* a) {
                      return handled_.count(a) != 0 || isCounterOfOwnLoop(variable, a);
                    });
    if (good)
      continue;
    if (required_.count(variable) && maskFor(variable))
      return false;
    if (required_.count(variable)) {
      fail("'" + variable->getNameAsString() +
               "', which steers a barrier, changes inside a nested statement",
           variable->getLocation());
      continue;
    }
    refuse(variable);
    settled = false;
  }
  // A declaration belongs to the group as a whole or not at all.
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(block_)) {
      const LocalVariable& local = *uniformity_.find(variable);
      const auto home = homes_.find(variable);
      const bool ofWarp = home != homes_.end() && !home->second.count(0);
      if ((local.statement &&
           !allBlockVariables(local.statement, ofWarp ? Scope::Warp : Scope::Block)) ||
          (!ofWarp && !definedByBlock(local))) {
        if (required_.count(variable) && maskFor(variable))
          return false;
        if (required_.count(variable)) {
          fail("'" + variable->getNameAsString() +
                   "', which steers a barrier, depends on what only threads know",
               variable->getLocation());
          continue;
        }
        refuse(variable);
        changed = true;
        settled = false;
      }
    }
  }
  return settled;
}

const clang::ForStmt* RegionBuilder::loopThatStarts(const clang::VarDecl* variable,
                                                    const clang::Stmt* use) const {
  for (const clang::Stmt* at = use; at; at = uniformity_.parents().getParent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    const auto* init = loop ? llvm::dyn_cast_or_null<clang::Expr>(loop->getInit()) : nullptr;
    if (init && AssignedFirst(variable).run(init, false))
      return loop;
  }
  return nullptr;
}

bool RegionBuilder::isCounterOfOwnLoop(const clang::VarDecl* variable,
                                       const clang::Expr* assignment) const {
  const clang::ForStmt* own = loopThatStarts(variable, assignment);
  if (!own || holds(own) != Scope::None || !variable->getType()->isScalarType())
    return false;
  class Uses : public SyntaxVisitor {
  public:
    const clang::VarDecl* variable = nullptr;
    std::vector<const clang::DeclRefExpr*> all;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (use->getDecl() == variable)
        all.push_back(use);
      return true;
    }
  } uses;
  uses.variable = variable;
  uses.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  return std::all_of(uses.all.begin(), uses.all.end(), [&](const clang::DeclRefExpr* use) {
    return loopThatStarts(variable, use) != nullptr;
  });
}

void RegionBuilder::markCounters(std::vector<RegionNode>& nodes) const {
  for (RegionNode& node : nodes) {
    if (node.kind == Kind::Region)
      for (const clang::VarDecl* variable : node.uses) {
        const LocalVariable* local =
            isBlockVariable(variable) ? uniformity_.find(variable) : nullptr;
        if (local)
          for (const clang::Expr* a : local->assignments)
            for (const clang::Stmt* s : node.statements)
              if (!handled_.count(a) && isWithin(a, s))
                node.fresh.insert(variable);
      }
    markCounters(node.children);
    markCounters(node.otherwise);
  }
}

bool RegionBuilder::isGivenAlike(const LocalVariable& local) const {
  return !local.assignments.empty() &&
         std::all_of(local.assignments.begin(), local.assignments.end(),
                     [&](const clang::Expr* assignment) {
                       const auto* op = llvm::dyn_cast<clang::BinaryOperator>(assignment);
                       const GroupCall* call = op && op->getOpcode() == clang::BO_Assign
                                                   ? callOf(op->getRHS()->IgnoreParenImpCasts())
                                                   : nullptr;
                       return call && call->uniformResult && call->scope == Scope::Warp;
                     });
}

bool RegionBuilder::offer(const clang::VarDecl* variable, bool ofWarp) {
  if (isBlockVariable(variable))
    return false;
  std::set<const clang::VarDecl*> together;
  if (gather(variable, together)) {
    block_.insert(together.begin(), together.end());
    return true;
  }
  const LocalVariable* local = uniformity_.find(variable);
  if (!ofWarp || !local || !local->warpUniform || refused_.count(variable) ||
      forced_.count(variable) || !local->statement || !local->statement->isSingleDecl() ||
      (variable->hasInit() ? isGroupFactory(variable->getInit()) : !isGivenAlike(*local)))
    return false;
  block_.insert(variable);
  return true;
}

std::vector<const clang::IfStmt*>
RegionBuilder::branchesThatAssign(const clang::VarDecl* variable,
                                  const clang::Expr* assignment) const {
  std::vector<const clang::IfStmt*> out;
  if (!isCounterOfOwnLoop(variable, assignment))
    for (const clang::Stmt* at = assignment; (at = uniformity_.parents().getParent(at));)
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(at);
          branch && holds(branch) == Scope::None)
        out.push_back(branch);
  return out;
}

bool RegionBuilder::gather(const clang::VarDecl* variable,
                           std::set<const clang::VarDecl*>& together) const {
  if (isScalar(variable) || !together.insert(variable).second)
    return true;
  const LocalVariable* local = uniformity_.find(variable);
  if (!local || !local->uniform || refused_.count(variable) || forced_.count(variable))
    return false;
  const auto all = [&](const clang::Stmt* s) {
    const std::set<const clang::Stmt*> calls = calledIn(s);
    for (const clang::VarDecl* used : Contents(s, &calls).uses)
      if (!gather(used, together))
        return false;
    return true;
  };
  if (local->statement && variable->hasInit() && !all(variable->getInit()))
    return false;
  if (!std::all_of(local->assignments.begin(), local->assignments.end(), all))
    return false;
  // Of a branch that only assigns the block has to have all.
  for (const clang::Expr* assignment : local->assignments)
    for (const clang::IfStmt* branch : branchesThatAssign(variable, assignment))
      if (!all(branch))
        return false;
  if (local->statement && !canStandAlone(local->statement))
    for (const clang::Decl* sibling : local->statement->decls()) {
      const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling);
      if (!other || !gather(other, together))
        return false;
    }
  return true;
}

void RegionBuilder::offerJumpConditions(const clang::Stmt* s) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    if (holds(s) == Scope::None && jumpOf(s) && uniformConditionOf(branch->getCond()))
      for (const clang::VarDecl* used : Contents(branch->getCond()).uses)
        offer(used);
  if (holds(s) == Scope::Block || s == body_)
    for (const clang::Stmt* child : s->children())
      if (child)
        offerJumpConditions(child);
}

void RegionBuilder::offerSteps(const clang::Stmt* s) {
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
  if (loop && loop->getInc() && holds(s) != Scope::None)
    for (const clang::VarDecl* used : Contents(loop->getInc()).uses)
      offer(used);
  for (const clang::Stmt* child : s->children())
    if (child)
      offerSteps(child);
}

} // namespace cu2cpp

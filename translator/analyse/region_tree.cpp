// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of statements as lists of regions, divided at what the group does together.
#include "analyse/region_builder.h"

#include <algorithm>

#include "analyse/block_sizes.h"
#include "analyse/steps_in_turn.h"
#include "parse/source_text.h"

namespace cu2cpp {

const SharedVariable* RegionBuilder::sharedOf(const clang::DeclStmt* statement) const {
  for (const SharedVariable& shared : kernel_.shared)
    if (shared.statement == statement)
      return &shared;
  return nullptr;
}

bool RegionBuilder::movesWithShared(const clang::DeclStmt* statement) const {
  for (const SharedVariable& shared : kernel_.shared)
    if (shared.movable &&
        std::find(shared.needs.begin(), shared.needs.end(), statement) != shared.needs.end())
      return true;
  return false;
}

bool RegionBuilder::canMoveUp(const clang::DeclStmt* statement) const {
  for (const clang::Decl* decl : statement->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
      if (isNameShared(variable) ||
          (variable->hasInit() && Uniformity::readsMemory(variable->getInit())))
        return false;
  return true;
}

bool RegionBuilder::endsCleanly(const clang::Stmt* s) const {
  const SourceText text(unit_);
  const clang::SourceLocation anchor = body_->getLBracLoc();
  if (!s->getEndLoc().isMacroID() && !s->getBeginLoc().isMacroID())
    return true;
  const auto end = text.endOf(text.lift(s->getEndLoc(), anchor, true));
  if (!end)
    return false;
  if (!s->getEndLoc().isMacroID())
    return true;
  return text.buffer(end->file).substr(end->offset).ltrim().starts_with(";");
}

bool RegionBuilder::exitsOnly(const RegionNode& region) const {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(region.statements.back());
  const clang::Stmt* then = branch ? branch->getThen() : nullptr;
  if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(then))
    then = list->size() == 1 ? list->body_front() : nullptr;
  if (!kernel_.kernel || out_->scope != Scope::Block ||
      !llvm::isa_and_nonnull<clang::ReturnStmt>(then) || branch->getElse() || branch->getInit() ||
      branch->getConditionVariable() || branch->isConstexpr() ||
      branch->getBeginLoc().isMacroID() || branch->getEndLoc().isMacroID() ||
      branch->getRParenLoc().isMacroID() || uniformity_.parents().getParent(branch) != body_ ||
      branch->getCond()->HasSideEffects(unit_.context()))
    return false;
  // Warps find out themselves who has returned; and behind the last region nobody asks.
  const auto behind = std::find(body_->body_begin(), body_->body_end(), branch);
  const auto next = std::find_if(behind, body_->body_end(),
                                 [&](const clang::Stmt* s) { return holds(s) != Scope::None; });
  if (next == body_->body_end() || holds(*next) != Scope::Block)
    return false;
  std::set<const clang::VarDecl*> declared;
  for (const clang::Stmt* s : region.statements) {
    if (s == branch)
      continue;
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declaration)
      return false;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !isRecomputable(variable, declared))
        return false;
      declared.insert(variable);
    }
  }
  return true;
}

bool RegionBuilder::buildTop() {
  const std::vector<const clang::Stmt*> all(body_->body_begin(), body_->body_end());
  if (out_->scope == Scope::Block)
    return buildList(all, out_->nodes, Scope::Block);
  if (!kernel_.kernel) {
    section_ = ++sections_;
    return buildList(all, out_->nodes, Scope::Warp);
  }
  // Everything is what each warp does; what moves to the head and what the whole block shares
  // does not.
  return buildList(all, out_->nodes, Scope::Block);
}

bool RegionBuilder::buildWarps(RegionNode& region, std::vector<RegionNode>& out) {
  RegionNode node{Kind::Warps};
  node.statements = region.statements;
  node.movedHere = region.movedHere;
  node.order = region.order;
  section_ = ++sections_;
  auto outerAround = std::move(around_);
  around_.clear();
  const bool good = buildList(node.statements, node.children, Scope::Warp);
  around_ = std::move(outerAround);
  section_ = 0;
  if (good)
    out.push_back(std::move(node));
  return good;
}

bool RegionBuilder::picksByWarp(const RegionNode& region) const {
  const bool usesWarps = std::any_of(out_->calls.begin(), out_->calls.end(),
                                     [](const GroupCall& c) { return c.scope == Scope::Warp; });
  if (!usesWarps || region.oneByOne || region.returns || out_->joined)
    return false;
  class Picks : public SyntaxVisitor {
  public:
    explicit Picks(const Uniformity& uniformity) : uniformity_(uniformity) {}
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      found |=
          uniformity_.isUniform(e->getIdx(), Scope::Warp) && !uniformity_.isUniform(e->getIdx());
      return !found;
    }

  private:
    const Uniformity& uniformity_;
  } picks(uniformity_);
  for (const clang::Stmt* s : region.statements)
    picks.TraverseStmt(const_cast<clang::Stmt*>(s));
  return picks.found;
}

RegionNode RegionBuilder::takeOneThreadBehind(RegionNode& region) const {
  const auto isOneThread = [](const clang::Stmt* s) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    const auto* both =
        branch ? llvm::dyn_cast<clang::BinaryOperator>(branch->getCond()->IgnoreParens()) : nullptr;
    while (both && both->getOpcode() == clang::BO_LAnd)
      both = llvm::dyn_cast<clang::BinaryOperator>(both->getRHS()->IgnoreParens());
    return both && both->getOpcode() == clang::BO_EQ;
  };
  RegionNode behind{Kind::Region};
  std::size_t kept = region.statements.size();
  while (kept > 0 && isOneThread(region.statements[kept - 1]))
    --kept;
  behind.statements.assign(region.statements.begin() + kept, region.statements.end());
  if (kept == 0 || picksByWarp(behind))
    return RegionNode{Kind::Region};
  for (const clang::Stmt* s : behind.statements) {
    const auto uses = Contents(s).uses;
    behind.uses.insert(uses.begin(), uses.end());
  }
  region.statements.resize(kept);
  return behind;
}

WarpOrder RegionBuilder::orderAt(const clang::Stmt* barrier, const RegionNode& region,
                                 const std::vector<const clang::Stmt*>& list) const {
  if (!kernel_.kernel || out_->joined || region.oneByOne || region.returns || region.exitsOnly ||
      !region.movedHere.empty() || region.statements.empty())
    return WarpOrder::None;
  const auto behind = std::find(list.begin(), list.end(), barrier) + 1;
  const auto end = std::find_if(behind, list.end(),
                                [&](const clang::Stmt* s) { return holds(s) != Scope::None; });
  const WarpOrder order = orderAcross(region.statements, {behind, end}, uniformity_);
  // Rows of threads that do the same, one behind the other, would read what has changed already.
  return order != WarpOrder::None &&
                 (namesRowsOfBlock(kernel_, facts_) || !blocksHaveOneRow(unit_, facts_, kernel_))
             ? WarpOrder::None
             : order;
}

bool RegionBuilder::buildList(const std::vector<const clang::Stmt*>& statements,
                              std::vector<RegionNode>& out, Scope level) {
  RegionNode region{Kind::Region};
  bool hasWarps = false, hasBlockCalls = false;
  bool good = true;
  std::map<std::string, const clang::VarDecl*> names;
  std::vector<const clang::Stmt*> passed; // barriers inside the region, which need not part it
  const auto flush = [&] {
    if (region.statements.empty()) {
      for (const clang::DeclStmt* moved : region.movedHere)
        addStatement(moved, out, level);
    } else if (hasWarps) {
      good = good && buildWarps(region, out);
    } else if (level == Scope::Block && picksByWarp(region)) {
      RegionNode behind = takeOneThreadBehind(region);
      good = good && buildWarps(region, out);
      if (!behind.statements.empty())
        out.push_back(std::move(behind));
    } else {
      out.push_back(std::move(region));
    }
    for (const clang::Stmt* barrier : passed) {
      out.push_back(RegionNode{Kind::Barrier});
      out.back().statement = barrier;
    }
    passed.clear();
    region = RegionNode{Kind::Region};
    names.clear();
    hasWarps = hasBlockCalls = false;
    return good;
  };
  // Whether threads need not wait at a barrier: it stands between steps that they may take in turn,
  // or between such and the declarations in front of them.
  const auto isPassed = [&](const clang::Stmt* barrier) {
    if (level != Scope::Block || hasWarps || hasBlockCalls || !kernel_.kernel || out_->joined ||
        region.oneByOne || region.returns || !region.movedHere.empty() ||
        region.statements.empty() || namesRowsOfBlock(kernel_, facts_) ||
        !blocksHaveOneRow(unit_, facts_, kernel_))
      return false;
    std::vector<const clang::Stmt*> before = region.statements, behind;
    const auto take = [&](auto from) {
      for (; from != statements.end() && holds(*from) == Scope::None; ++from)
        if (!llvm::isa<clang::NullStmt>(*from))
          behind.push_back(*from);
      return from;
    };
    const auto at = std::find(statements.begin(), statements.end(), barrier);
    if (at == statements.end())
      return false; // behind a label
    const auto next = take(at + 1);
    if (llvm::isa<clang::DeclStmt>(before.back())) {
      if (next == statements.end() || !isBarrier(*next))
        return false;
      before.insert(before.end(), behind.begin(), behind.end());
      behind.clear();
      take(next + 1);
    }
    return runInTurn(before, behind, uniformity_, facts_, unit_.context());
  };
  clang::SourceLocation previous;
  for (const clang::Stmt* s : statements) {
    // Two statements of one macro call have one place in the text.
    const clang::SourceLocation here = unit_.sources().getExpansionLoc(s->getBeginLoc());
    const bool together = s->getBeginLoc().isMacroID() && here == previous;
    previous = here;
    if (together || !endsCleanly(s))
      return fail("a macro holds whole statements (" + line(s->getBeginLoc()) + ")",
                  s->getBeginLoc());
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(s)) {
      if (!flush())
        return false;
      out.push_back(RegionNode{Kind::Label});
      out.back().statement = label;
      s = label->getSubStmt();
    }
    const Scope held = holds(s);
    const bool cut = held == level || held > level;
    if (cut && isBarrier(s)) {
      if (isPassed(s)) {
        passed.push_back(s);
        continue;
      }
      const WarpOrder order = level == Scope::Block && !hasWarps && !hasBlockCalls
                                  ? orderAt(s, region, statements)
                                  : WarpOrder::None;
      if (order != WarpOrder::None) {
        region.order = order;
        region.statements.push_back(s);
        out_->lanes = hasWarps = true;
        continue;
      }
      if (!flush())
        return false;
      out.push_back(RegionNode{Kind::Barrier});
      out.back().statement = s;
      continue;
    }
    const bool simple = llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(s);
    if (cut && !simple) {
      if (!flush() || !buildAround(s, out, level))
        return false;
      continue;
    }
    if (llvm::isa<clang::NullStmt>(s))
      continue;
    // `[[fallthrough]];` belongs in front of the next label, not into a loop.
    if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s);
        marked && llvm::isa<clang::NullStmt>(marked->getSubStmt())) {
      if (!flush())
        return false;
      addStatement(s, out, level);
      continue;
    }
    std::set<const clang::Stmt*> skip;
    bool oneByOne = false;
    if (cut) {
      if (!flush())
        return false;
      std::vector<unsigned> calls;
      if (!hoist(s, calls))
        return false;
      const GroupCall* alone = callOf(s);
      for (const unsigned index : calls) {
        if (out_->calls[index].oneByOne) {
          oneByOne = true;
          continue;
        }
        addCall(index, s, out);
        skip.insert(out_->calls[index].call);
        callStatements_.insert(out_->calls[index].call);
      }
      if (alone && !oneByOne)
        continue;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s); declaration && !oneByOne) {
      const SharedVariable* shared = sharedOf(declaration);
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && isConstantDeclaration(declaration)) {
          constants_.insert(variable);
          homes_[variable].insert(section_);
        }
      if ((shared && shared->movable) || movesWithShared(declaration)) {
        // What is declared before it may belong to the warps behind it.
        const bool onlyDeclares = std::all_of(
            region.statements.begin(), region.statements.end(),
            [](const clang::Stmt* before) { return llvm::isa<clang::DeclStmt>(before); });
        if (!onlyDeclares && !flush())
          return false;
        out.push_back(RegionNode{Kind::Shared});
        out.back().statement = s;
        continue;
      }
      const bool blocks =
          shared || isConstantDeclaration(declaration) || allBlockVariables(declaration, level);
      if (blocks) {
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            homes_[variable].insert(section_);
        // A constant stays where it is, but for one that would part those who stay from the return
        // of the others.
        const bool isConstant = isConstantDeclaration(declaration);
        if (!shared && !region.statements.empty() && (region.returns || !isConstant) &&
            canMoveUp(declaration) && scalarDefinitions(declaration, level) &&
            (isConstant || !isMixed(declaration))) {
          region.movedHere.push_back(declaration);
        } else {
          if (!flush())
            return false;
          addStatement(s, out, level);
        }
        continue;
      }
    }
    std::vector<const clang::Expr*> assignments;
    const auto* expression = llvm::dyn_cast<clang::Expr>(s);
    if (expression && !oneByOne && isBlockAssignment(expression, assignments, level) &&
        atHome(assignments)) {
      takeAssignments(assignments);
      if (!flush())
        return false;
      addStatement(s, out, level);
      continue;
    }
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s);
        list && held == Scope::None && isListOfGroup(list, level)) {
      if (!flush() || !buildAround(s, out, level))
        return false;
      continue;
    }
    if (isGroupJump(s, level)) {
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
        std::vector<const clang::Expr*> effects;
        if (effectsOf(branch->getCond(), level, effects))
          takeAssignments(effects);
      }
      if (!flush())
        return false;
      addStatement(s, out, level);
      continue;
    }
    const Contents contents(s, &skip);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
        branch && held == Scope::None &&
        (groupJumpsFrom(branch, contents, level) ||
         (level == Scope::Block && isBranchOfBlock(branch)))) {
      if (!flush() || !buildAround(s, out, level))
        return false;
      continue;
    }
    if (level == Scope::Warp || held == Scope::None) {
      for (const clang::Stmt* jump : contents.jumps)
        if (!targetsInside(jump, s) && !unevenJump(jump, level))
          return false;
      if (contents.returnInMacro)
        return fail("a macro returns from the kernel (" + line(s->getBeginLoc()) + ")",
                    s->getBeginLoc());
      if (contents.returns && level == Scope::Warp && insideMasked_)
        return fail("threads return from a warp's code where they entered one by one (" +
                        line(s->getBeginLoc()) + ")",
                    s->getBeginLoc());
      if (contents.returns && level == Scope::Warp && s != lastReturn_)
        for (const auto& [around, masked] : around_)
          if (isLoop(around) && uneven_.insert(around).second)
            again_ = true;
    }
    // One name, one variable in a region: its bindings stand at its head.
    std::set<const clang::VarDecl*> named;
    for (const clang::VarDecl* variable : contents.uses)
      if (!contents.declares.count(variable))
        named.insert(variable);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          named.insert(variable);
    bool clash = false;
    for (const clang::VarDecl* variable : named) {
      const auto known = names.find(variable->getNameAsString());
      clash |= known != names.end() && known->second != variable;
    }
    const bool leaves = level == Scope::Warp && held == Scope::None && leavesAtOnce(s);
    const bool alone = oneByOne || alone_.count(s) || leaves;
    if ((alone || clash) && !region.statements.empty())
      if (!flush())
        return false;
    for (const clang::VarDecl* variable : named)
      names[variable->getNameAsString()] = variable;
    // What a call of the block gave belongs to the block's own list, not to that of its warps.
    if (level == Scope::Block && held == Scope::Warp && hasBlockCalls && !flush())
      return false;
    hasBlockCalls |= level == Scope::Block && held == Scope::Block;
    hasWarps |= level == Scope::Block && held == Scope::Warp;
    region.statements.push_back(s);
    region.uses.insert(contents.uses.begin(), contents.uses.end());
    region.returns |= contents.returns && s != lastReturn_;
    region.oneByOne = oneByOne;
    region.leavesAtOnce = leaves;
    const bool exits = contents.returns && level == Scope::Block && held == Scope::None &&
                       !hasWarps && exitsOnly(region);
    region.exitsOnly = exits;
    if ((alone || exits) && !flush())
      return false;
  }
  return flush();
}

bool RegionBuilder::atHome(const std::vector<const clang::Expr*>& assignments) const {
  for (const clang::Expr* e : assignments) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    const clang::Expr* target =
        op ? op->getLHS() : llvm::cast<clang::UnaryOperator>(e)->getSubExpr();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    const auto home = homes_.find(variable);
    const bool here = home == homes_.end()
                          ? section_ == 0 || (!kernel_.kernel && out_->scope == Scope::Warp)
                          : home->second.count(section_) != 0;
    if (!here)
      return false;
  }
  return true;
}

void RegionBuilder::addStatement(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level) {
  out.push_back(RegionNode{Kind::Statement});
  out.back().statement = s;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      declaration && !isConstantDeclaration(declaration) && !sharedOf(declaration) &&
      isMixed(declaration)) {
    out_->mixed.insert(declaration);
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && !isBlockVariable(variable)) {
        const auto used = Contents(variable->getInit()).uses;
        out.back().uses.insert(used.begin(), used.end());
        if (variable->hasInit())
          out.back().uses.insert(variable);
      }
  }
  noteDefinitions(s, out.back(), level);
}

void RegionBuilder::noteDefinitions(const clang::Stmt* s, RegionNode& node, Scope level) {
  const auto note = [&](const clang::Expr* value) {
    if (!value || level != Scope::Warp || isScalarExpression(value, level))
      return;
    compare(value);
    const auto used = Contents(value, &callStatements_).uses;
    node.uses.insert(used.begin(), used.end());
  };
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        note(variable->getInit());
  } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(s)) {
    const clang::Expr* e = expression->IgnoreParens();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
        op && op->getOpcode() == clang::BO_Comma) {
      noteDefinitions(op->getLHS(), node, level);
      noteDefinitions(op->getRHS(), node, level);
    } else if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      note(op->getRHS());
    }
  }
}

std::vector<const clang::Stmt*> RegionBuilder::listOf(const clang::Stmt* s) const {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(s))
    return {compound->body_begin(), compound->body_end()};
  return {s};
}

} // namespace cu2cpp

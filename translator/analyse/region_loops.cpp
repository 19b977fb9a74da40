// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches and switches around what the group does together, and the loops at which code is
// cut because they run best outside of the loop over threads.
#include "analyse/region_builder.h"

#include <algorithm>
#include <functional>

#include "analyse/lane_loops.h"
#include "analyse/marks.h"
#include "analyse/register_loops.h"
#include "parse/source_text.h"

namespace cu2cpp {

void RegionBuilder::cutAtLoops(Scope level) {
  std::vector<std::pair<const clang::Stmt*, Scope>> marked;
  const bool warps = warpsAreRows(unit_, facts_, kernel_);
  out_->rowParts = !warps && (parts_ || meetsNobody(kernel_));
  const bool rows = warps || out_->rowParts;
  LaneLoops chosen = findLaneLoops(facts_, kernel_, uniformity_,
                                   !rows              ? LaneRowsOf::Nothing
                                   : parts_ && !warps ? LaneRowsOf::Parts
                                                      : LaneRowsOf::Warps);
  strided_ = chosen.strided;
  if (level == Scope::Block && kernel_.kernel) {
    addLayerLoops(chosen);
    addElementLoops(chosen);
  }
  arithmetic_ = chosen.arithmetic;
  out_->unrolled = chosen.writtenOut;
  if (asksForThread(facts_, kernel_))
    return;
  if (level == Scope::Block && kernel_.kernel) {
    addSharedSteps(chosen);
    addSharedSums(chosen);
    addTileLoops(chosen);
  }
  if (level == Scope::Block && kernel_.kernel)
    dropShortLoops(chosen);
  // A warp's function stays one.
  if (!kernel_.kernel && out_->scope == Scope::Warp)
    level = Scope::Warp;
  for (const clang::ForStmt* loop : chosen.ofBlock)
    if (level == Scope::Block && holds(loop) == Scope::None && !loop->getBeginLoc().isMacroID() &&
        standsInFlowOfBlock(loop, chosen.ofBlock)) {
      blockLoops_.insert(loop);
      if (chosen.byRows.count(loop))
        strided_.insert(loop);
    }
  for (const clang::Stmt* loop : chosen.loops) {
    if (holds(loop) != Scope::None || loop->getBeginLoc().isMacroID() ||
        (!rows && !blockLoops_.count(loop)))
      continue;
    out_->lanes = true;
    const Scope scope = blockLoops_.count(loop) ? Scope::Block : Scope::Warp;
    marked.push_back({loop, scope});
  }
  for (const auto& [loop, scope] : marked) {
    for (const clang::Stmt* at = loop; at; at = uniformity_.parents().getParent(at)) {
      Scope& held = holds_[at];
      held = std::max(held, scope);
    }
    if (scope == Scope::Block)
      out_->scope = Scope::Block;
  }
}

void RegionBuilder::dropShortLoops(LaneLoops& chosen) {
  if (kernel_.reached.scope != Scope::Block)
    return;
  constexpr unsigned mostLoops = 64;
  const auto isChosen = [&](const clang::Stmt* s) { return chosen.loops.count(s) != 0; };
  std::set<const clang::Stmt*> mayBe = chosen.loops;
  mayBe.insert(chosen.inShortRows.begin(), chosen.inShortRows.end());
  std::vector<std::pair<const clang::ForStmt*, std::set<const clang::ForStmt*>>> found;
  for (const clang::Stmt* s : mayBe) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    std::set<const clang::ForStmt*> all;
    if (!loop || found.size() > mostLoops || chosen.arithmetic.count(loop) ||
        chosen.strided.count(loop) || chosen.ofBlock.count(loop) || holds(loop) != Scope::None ||
        !(isBehindCollectives(loop) || chosen.inShortRows.count(loop)) ||
        !addWrittenOut(loop, kernel_, all, mostCopiesBehind))
      continue;
    bool within = false;
    for (const clang::Stmt* at = loop; (at = uniformity_.parents().getParent(at));)
      within |= isChosen(at);
    if (!within)
      found.push_back({loop, std::move(all)});
  }
  for (auto& [loop, all] : found) {
    // `for (int q = 0; q < 4; ++q) { if (y + q * 8 >= h) break; for ... }`: a loop of constant
    // steps that stays around would keep the one over threads from becoming vectors.
    constexpr std::uint64_t anyNumber = ~std::uint64_t(0);
    bool fits = true;
    for (const clang::Stmt* at = loop; (at = uniformity_.parents().getParent(at));)
      if (const auto* around = llvm::dyn_cast<clang::ForStmt>(at);
          around && holds(around) == Scope::None)
        fits = addWrittenOut(around, kernel_, all, mostCopiesBehind, true) ||
               !addWrittenOut(around, kernel_, all, anyNumber, true);
    if (!fits)
      continue;
    chosen.loops.erase(loop);
    out_->behind.insert(all.begin(), all.end());
  }
}

bool RegionBuilder::isBehindCollectives(const clang::Stmt* s) const {
  // What stands in one list with it, or in one around: nothing behind may wait, and no loop.
  for (const clang::Stmt* parent = nullptr; (parent = uniformity_.parents().getParent(s));
       s = parent) {
    if (isLoop(parent) && holds(parent) != Scope::None)
      return false;
    // Nor is what waits in the other branch of one around.
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(parent);
    const auto at = list ? std::find(list->body_begin(), list->body_end(), s)
                         : clang::CompoundStmt::const_body_iterator();
    if (list && at != list->body_end() &&
        std::any_of(at + 1, list->body_end(),
                    [&](const clang::Stmt* one) { return holds(one) != Scope::None; }))
      return false;
  }
  return true;
}

void RegionBuilder::addLayerLoops(LaneLoops& chosen) const {
  if (!hasMark(kernel_.decl, "layers"))
    return;
  for (const clang::ForStmt* loop : forLoopsIn(body_)) {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* layer = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
    if (layer && layer->getName() == "cuLayer" && isCountedAlike(loop)) {
      chosen.loops.insert(loop);
      chosen.ofBlock.insert(loop);
    }
  }
}

void RegionBuilder::addElementLoops(LaneLoops& chosen) {
  for (const auto& [loop, element] : findElementLoops(facts_, kernel_, uniformity_)) {
    if (holds(loop) != Scope::None || !standsInFlowOfBlock(loop, chosen.ofBlock))
      continue;
    // Rows of a one-dimensional block's threads run as well in steps, with what belongs to each
    // thread. Of elements in shared memory there are few.
    const bool steps = strided_.count(loop) && chosen.ofBlock.count(loop) && !element.ofRanks &&
                       !(element.neighbours && element.inShared);
    if (element.inTurn && !element.columns && !element.width && steps)
      continue;
    if (element.columns || element.inTurn) {
      chosen.loops.insert(loop);
      chosen.ofBlock.insert(loop);
      strided_.insert(loop);
      std::set<const clang::ForStmt*> inner{element.columns};
      for (const ElementLoop::Columns& columns : element.inner)
        inner.insert(columns.loop);
      for (const clang::ForStmt* one : inner) {
        chosen.loops.erase(one);
        chosen.ofBlock.erase(one);
        strided_.erase(one);
      }
    } else if (element.items) {
      chosen.loops.insert(loop);
      chosen.ofBlock.insert(loop);
    } else if (!strided_.count(loop) || !chosen.ofBlock.count(loop)) {
      continue;
    }
    out_->elementLoops[loop] = element;
  }
}

bool RegionBuilder::isCountedAlike(const clang::ForStmt* loop) const {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const LocalVariable* local = counter ? uniformity_.find(counter) : nullptr;
  return local && local->uniform && !local->escapes && local->assignments.size() == 1 &&
         loop->getInc() && loop->getInc()->IgnoreParens() == local->assignments.front() &&
         loop->getCond() && uniformity_.isUniform(loop->getCond());
}

void RegionBuilder::addSharedSteps(LaneLoops& chosen) const {
  const clang::ParentMap& parents = uniformity_.parents();
  for (const auto& [variable, local] : uniformity_.variables()) {
    if (!local.uniform || local.escapes || !variable->getType()->isIntegerType())
      continue;
    std::set<const clang::ForStmt*> loops;
    bool atBarrier = false;
    for (const clang::Expr* change : local.assignments) {
      const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(parents.getParent(change));
      const auto* loop =
          list ? llvm::dyn_cast_or_null<clang::ForStmt>(parents.getParent(list)) : nullptr;
      if (!loop)
        continue;
      if (holds(loop) == Scope::Block)
        atBarrier = true;
      else if (holds(loop) == Scope::None && list->size() > 1 && isCountedAlike(loop) &&
               Contents(list).jumps.empty() && !Contents(list).returns)
        loops.insert(loop);
    }
    if (!atBarrier)
      continue;
    for (const clang::ForStmt* loop : loops) {
      chosen.loops.insert(loop);
      chosen.ofBlock.insert(loop);
    }
  }
}

void RegionBuilder::addSharedSums(LaneLoops& chosen) const {
  if (kernel_.reached.scope != Scope::Block)
    return;
  class Computes : public SyntaxVisitor {
  public:
    bool fits = true;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return fits = fits && !op->isAssignmentOp();
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return fits = fits && !op->isIncrementDecrementOp();
    }
  };
  const auto computes = [](const clang::Expr* e) {
    Computes all;
    all.TraverseStmt(const_cast<clang::Expr*>(e));
    return all.fits;
  };
  const auto isSum = [&](const clang::Stmt* s) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    const clang::VarDecl* variable = op && op->isAssignmentOp() ? namedBy(op->getLHS()) : nullptr;
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    return local && local->uniform && !local->escapes && local->statement && local->scalar &&
           uniformity_.isUniform(op->getRHS()) && computes(op->getRHS());
  };
  for (const clang::ForStmt* loop : forLoopsIn(body_)) {
    if (chosen.loops.count(loop) || holds(loop) != Scope::None || !isCountedAlike(loop) ||
        loop->getConditionVariable() || !standsInFlowOfBlock(loop, chosen.ofBlock))
      continue;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    if (list ? !list->body_empty() && llvm::all_of(list->body(), isSum) : isSum(loop->getBody())) {
      chosen.loops.insert(loop);
      chosen.ofBlock.insert(loop);
    }
  }
}

void RegionBuilder::addTileLoops(LaneLoops& chosen) {
  if (kernel_.reached.scope != Scope::Block)
    return;
  for (const auto& [loop, tile] : findTileLoops(kernel_, uniformity_)) {
    // What is added up lives through the barriers of a loop around.
    const LocalVariable* local = uniformity_.find(tile.array);
    bool livesLonger = false;
    for (const clang::Stmt* at = uniformity_.parents().getParent(loop); at && local;
         at = uniformity_.parents().getParent(at))
      livesLonger |= isLoop(at) && holds(at) == Scope::Block && local->statement &&
                     !isWithin(local->statement, at);
    if (!livesLonger || holds(loop) != Scope::None)
      continue;
    chosen.loops.insert(loop);
    chosen.ofBlock.insert(loop);
    strided_.erase(loop);
    out_->tileLoops[loop] = tile;
  }
}

void RegionBuilder::settleTileLoops(const std::vector<RegionNode>& nodes) {
  std::set<const clang::ForStmt*> good;
  const std::function<void(const std::vector<RegionNode>&)> visit =
      [&](const std::vector<RegionNode>& list) {
        for (const RegionNode& node : list) {
          const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(node.statement);
          const auto found = loop ? out_->tileLoops.find(loop) : out_->tileLoops.end();
          if (node.kind == Kind::Loop && !node.masked && found != out_->tileLoops.end() &&
              node.children.size() == 1 && node.children.front().kind == Kind::Region) {
            const auto storage = out_->storage.find(found->second.array);
            if (storage != out_->storage.end() && storage->second == Storage::PerThread)
              good.insert(loop);
          }
          visit(node.children);
          visit(node.otherwise);
        }
      };
  visit(nodes);
  for (auto at = out_->tileLoops.begin(); at != out_->tileLoops.end();)
    at = good.count(at->first) ? std::next(at) : out_->tileLoops.erase(at);
}

bool RegionBuilder::standsInFlowOfBlock(const clang::Stmt* loop,
                                        const std::set<const clang::ForStmt*>& ofBlock) const {
  for (const clang::Stmt* at = uniformity_.parents().getParent(loop); at && at != body_;
       at = uniformity_.parents().getParent(at)) {
    if (llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(at) || holds(at) == Scope::Block)
      continue;
    const auto* outer = llvm::dyn_cast<clang::ForStmt>(at);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(at);
    const bool uniform = outer ? ofBlock.count(outer) && !strided_.count(outer)
                               : branch && !branch->getInit() && !branch->getConditionVariable() &&
                                     !branch->isConsteval() &&
                                     uniformity_.isUniform(branch->getCond());
    if (!uniform)
      return false;
  }
  return true;
}

const clang::Stmt* RegionBuilder::targetOf(const clang::Stmt* jump) const {
  for (const clang::Stmt* at = uniformity_.parents().getParent(jump); at;
       at = uniformity_.parents().getParent(at))
    if (isLoop(at) || (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
      return at;
  return nullptr;
}

bool RegionBuilder::leavesAtOnce(const clang::Stmt* s) const {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  const clang::Stmt* jump = branch ? jumpOf(s) : nullptr;
  if (!jump || branch->isConstexpr() || branch->isConsteval() || s->getBeginLoc().isMacroID() ||
      s->getEndLoc().isMacroID() || jump->getBeginLoc().isMacroID())
    return false;
  // The block learns of threads that return from its kernel one by one.
  const clang::Stmt* left = llvm::isa<clang::ReturnStmt>(jump)
                                ? kernel_.kernel || around_.empty() ? nullptr : around_.back().first
                                : targetOf(jump);
  if (!left || !arithmetic_.count(left))
    return false;
  // A comment between the two would be lost.
  const SourceText text(unit_);
  const auto begin = text.positionOf(branch->getIfLoc()), end = text.endOf(jump->getEndLoc());
  if (!begin || !end || begin->file != end->file)
    return false;
  const llvm::StringRef code = text.buffer(begin->file).slice(begin->offset, end->offset);
  return !code.contains("//") && !code.contains("/*");
}

bool RegionBuilder::unevenJump(const clang::Stmt* jump, Scope level) {
  const clang::Stmt* target = targetOf(jump);
  const bool here =
      std::any_of(around_.begin(), around_.end(), [&](const auto& a) { return a.first == target; });
  if (!target || !isLoop(target) || !here || (level == Scope::Block && !maskInstead(target)))
    return fail("threads leave a loop with a barrier one by one (" + line(jump->getBeginLoc()) +
                    ")",
                jump->getBeginLoc());
  if (uneven_.insert(target).second)
    again_ = true;
  (llvm::isa<clang::BreakStmt>(jump) ? leaves_ : skips_).insert(target);
  return true;
}

bool RegionBuilder::buildBody(const clang::Stmt* around, bool masked, const clang::Stmt* body,
                              std::vector<RegionNode>& out, Scope level) {
  around_.push_back({around, masked});
  insideMasked_ += masked && level == Scope::Block;
  const bool good = buildList(listOf(body), out, level);
  insideMasked_ -= masked && level == Scope::Block;
  around_.pop_back();
  return good;
}

bool RegionBuilder::buildCondition(const clang::Expr* condition, RegionNode& node, Scope level) {
  if (!condition)
    return true;
  if (holds(condition) != Scope::None && !hoist(condition, node.calls))
    return false;
  for (const unsigned index : node.calls) {
    const GroupCall& call = out_->calls[index];
    if (call.oneByOne)
      return fail("a condition calls " + call.callee->getNameAsString() + " (" +
                      line(call.call->getExprLoc()) + ")",
                  call.call->getExprLoc());
    noteComparedArguments(out_->calls[index]);
    const auto used = usesOf(out_->calls[index]);
    node.uses.insert(used.begin(), used.end());
    callStatements_.insert(out_->calls[index].call);
  }
  if (level == Scope::Block && masked_.count(node.statement)) {
    node.masked = true;
    const auto used = Contents(condition).uses;
    node.uses.insert(used.begin(), used.end());
    return true;
  }
  if (level == Scope::Block) {
    // findRequired() has asked for a uniform one.
    std::vector<const clang::Expr*> effects;
    if (effectsOf(condition, level, effects) && atHome(effects))
      takeAssignments(effects);
    return true;
  }
  if (!isScalarExpression(condition, level))
    node.masked = true;
  if (node.masked || !node.calls.empty()) {
    node.masked = true;
    node.alike = node.calls.empty() && uniformity_.isUniform(condition, Scope::Warp);
    const auto used = Contents(condition, &callStatements_).uses;
    node.uses.insert(used.begin(), used.end());
  }
  return true;
}

bool RegionBuilder::buildAround(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level) {
  // `#pragma unroll` in front of a loop.
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
    s = attributed->getSubStmt();
  RegionNode node{Kind::Block};
  node.statement = s;
  if (s->getBeginLoc().isMacroID())
    return fail("a barrier stands inside a macro's statement (" + line(s->getBeginLoc()) + ")",
                s->getBeginLoc());
  bool good = true;
  if (llvm::isa<clang::CompoundStmt>(s)) {
    good = buildList(listOf(s), node.children, level);
  } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    node.kind = Kind::Loop;
    good = buildFor(loop, node, level);
  } else if (llvm::isa<clang::WhileStmt, clang::DoStmt>(s)) {
    node.kind = Kind::Loop;
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s);
        loop && loop->getConditionVariable())
      return fail("a loop condition declares a variable (" + line(s->getBeginLoc()) + ")",
                  s->getBeginLoc());
    node.unevenJumps = node.masked = uneven_.count(s) != 0;
    good = buildCondition(conditionOf(s), node, level) &&
           buildBody(s, node.masked, bodyOf(s), node.children, level);
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    node.kind = Kind::Branch;
    if (branch->getInit() || branch->getConditionVariable() || branch->isConsteval())
      return fail("a condition around a barrier declares a variable (" + line(s->getBeginLoc()) +
                      ")",
                  s->getBeginLoc());
    if (branch->isConstexpr())
      node.masked = false;
    else if (!buildCondition(branch->getCond(), node, level))
      return false;
    good =
        buildBody(s, node.masked, branch->getThen(), node.children, level) &&
        (!branch->getElse() || buildBody(s, node.masked, branch->getElse(), node.otherwise, level));
  } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(s)) {
    node.kind = Kind::Switch;
    if (!isScalarExpression(choice->getCond(), level) ||
        !llvm::isa<clang::CompoundStmt>(choice->getBody()))
      return fail("threads may take different cases of a switch around a collective (" +
                      line(s->getBeginLoc()) + ")",
                  s->getBeginLoc());
    good = buildBody(s, false, choice->getBody(), node.children, level);
  } else {
    return fail("a collective stands inside a " + std::string(s->getStmtClassName()) + " (" +
                    line(s->getBeginLoc()) + ")",
                s->getBeginLoc());
  }
  if (!good)
    return false;
  node.leaves = leaves_.count(s) != 0;
  node.skips = skips_.count(s) != 0;
  out.push_back(std::move(node));
  return true;
}

bool RegionBuilder::buildFor(const clang::ForStmt* loop, RegionNode& node, Scope level) {
  if (loop->getConditionVariable())
    return fail("a loop condition declares a variable (" + line(loop->getBeginLoc()) + ")",
                loop->getBeginLoc());
  if (holds(loop->getInit()) != Scope::None || holds(loop->getInc()) != Scope::None)
    return fail("a collective stands in the head of a loop (" + line(loop->getBeginLoc()) + ")",
                loop->getBeginLoc());
  const auto at = [](const clang::Stmt* s) { return s->getBeginLoc(); };
  if ((level == Scope::Warp && strided_.count(loop)) || isStridedOfBlock(loop))
    return buildStrided(loop, node, level);
  if (level == Scope::Warp)
    offerHeader(loop);
  std::vector<const clang::Expr*> assignments;
  if (const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
    if (allBlockVariables(init, level)) {
      for (const clang::Decl* decl : init->decls())
        homes_[llvm::cast<clang::VarDecl>(decl)].insert(section_);
      noteDefinitions(init, node, level);
      if (level == Scope::Warp && !scalarDefinitions(init, level) && !init->isSingleDecl())
        return fail("a loop starts several variables from values of a thread (" + line(at(init)) +
                        ")",
                    at(init));
    } else if (level == Scope::Block && !masked_.count(loop)) {
      return fail("a loop with a barrier starts with more than uniform assignments (" +
                      line(at(init)) + ")",
                  at(init));
    } else {
      node.startsPerThread = true;
    }
  } else if (const auto* init = llvm::dyn_cast_or_null<clang::Expr>(loop->getInit())) {
    if (isBlockAssignment(init, assignments, level) && atHome(assignments)) {
      takeAssignments(assignments);
      noteDefinitions(init, node, level);
    } else if (level == Scope::Block && !masked_.count(loop)) {
      return fail("a loop with a barrier starts with more than uniform assignments (" +
                      line(at(init)) + ")",
                  at(init));
    } else {
      node.startsPerThread = true;
    }
  }
  assignments.clear();
  if (const clang::Expr* step = loop->getInc()) {
    if (isBlockAssignment(step, assignments, level) && atHome(assignments)) {
      takeAssignments(assignments);
      noteDefinitions(step, node, level);
      // A step that each lane computes is not the group's.
      for (const clang::Expr* value : out_->compared)
        if (isWithin(value, step))
          for (const clang::VarDecl* stepped : Contents(step).uses)
            if (isBlockVariable(stepped)) {
              refuse(stepped);
              again_ = true;
            }
    } else if (level == Scope::Block && !masked_.count(loop)) {
      return fail("a loop with a barrier steps by more than uniform assignments (" +
                      line(at(step)) + ")",
                  at(step));
    } else {
      node.stepsPerThread = true;
    }
  }
  node.unevenJumps = uneven_.count(loop) != 0;
  node.masked = node.unevenJumps || node.startsPerThread || node.stepsPerThread ||
                (level == Scope::Block && masked_.count(loop));
  if (!buildCondition(loop->getCond(), node, level))
    return false;
  for (const clang::Stmt* part :
       {static_cast<const clang::Stmt*>(node.startsPerThread ? loop->getInit() : nullptr),
        static_cast<const clang::Stmt*>(node.stepsPerThread ? loop->getInc() : nullptr)}) {
    const auto used = Contents(part).uses;
    node.uses.insert(used.begin(), used.end());
    if (const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(part))
      for (const clang::Decl* decl : init->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          node.uses.insert(variable);
  }
  return buildBody(loop, node.masked, loop->getBody(), node.children, level);
}

bool RegionBuilder::buildStrided(const clang::ForStmt* loop, RegionNode& node, Scope level) {
  const auto* variable =
      llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  node.strided = node.masked = true;
  node.unevenJumps = uneven_.count(loop) != 0;
  refuse(variable);
  stridedVariables_.insert(variable);
  if (uniformity_.isNeverNegative(variable->getInit()))
    out_->neverNegative.insert(variable);
  std::vector<const clang::Expr*>& parts = out_->startParts[variable];
  parts.clear();
  collectStartParts(variable->getInit(), parts, level);
  std::set<const clang::Stmt*> apart(parts.begin(), parts.end());
  for (const clang::Expr* part : parts)
    if (!isScalarExpression(part, level)) {
      compare(part);
      const auto used = Contents(part, &callStatements_).uses;
      node.uses.insert(used.begin(), used.end());
    }
  if (!isScalarExpression(step->getRHS(), level)) {
    compare(step->getRHS());
    const auto used = Contents(step->getRHS(), &callStatements_).uses;
    node.uses.insert(used.begin(), used.end());
  }
  if (level == Scope::Warp && !buildCondition(loop->getCond(), node, level))
    return false;
  if (level == Scope::Block) {
    const auto used = Contents(loop->getCond()).uses;
    node.uses.insert(used.begin(), used.end());
  }
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  const auto* counted =
      test ? llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts()) : nullptr;
  node.rising = counted && counted->getDecl() == variable &&
                (test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE) &&
                uniformity_.isUniform(test->getRHS(), Scope::Warp) &&
                uniformity_.risesTo(test, variable, true) && node.calls.empty();
  const auto used = Contents(variable->getInit(), &apart).uses;
  node.uses.insert(used.begin(), used.end());
  node.uses.insert(variable);
  if (level == Scope::Block)
    return buildStridedBody(loop->getBody(), node);
  return buildBody(loop, true, loop->getBody(), node.children, level);
}

bool RegionBuilder::buildStridedBody(const clang::Stmt* body, RegionNode& node) {
  RegionNode region{Kind::Region};
  std::set<std::string> declared, named;
  for (const clang::Stmt* s : listOf(body)) {
    if (llvm::isa<clang::NullStmt>(s))
      continue;
    if (!endsCleanly(s))
      return fail("a macro holds whole statements (" + line(s->getBeginLoc()) + ")",
                  s->getBeginLoc());
    const Contents contents(s);
    region.statements.push_back(s);
    region.uses.insert(contents.uses.begin(), contents.uses.end());
    for (const clang::VarDecl* variable : contents.declares)
      declared.insert(variable->getNameAsString());
  }
  // What the region's head binds must not have the name of what it declares itself, nor may two
  // have one name.
  std::set<const clang::VarDecl*> own = Contents(body).declares;
  for (const clang::VarDecl* variable : region.uses)
    if (!own.count(variable) && (declared.count(variable->getNameAsString()) ||
                                 !named.insert(variable->getNameAsString()).second))
      return fail("two variables in a loop are called " + variable->getNameAsString(),
                  variable->getLocation());
  if (!region.statements.empty())
    node.children.push_back(std::move(region));
  return !node.children.empty() || fail("a loop has nothing inside", body->getBeginLoc());
}

void RegionBuilder::collectStartParts(const clang::Expr* e, std::vector<const clang::Expr*>& parts,
                                      Scope level) const {
  if (!readsMemory(e))
    return;
  if (uniformity_.isUniform(e, level)) {
    parts.push_back(e);
    return;
  }
  for (const clang::Stmt* child : e->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child))
      collectStartParts(part, parts, level);
}

void RegionBuilder::offerHeader(const clang::ForStmt* loop) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  if (!init)
    return;
  for (const clang::Decl* decl : init->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
      if (const LocalVariable* local = uniformity_.find(variable))
        if ((local->uniform || local->warpUniform) && !refused_.count(variable))
          block_.insert(variable);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the tree of regions and decides where each variable lives. Conservative: whatever is not understood is an
// obstacle, and the kernel runs on fibers.
#include "analyse/regions.h"

#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/analyses.h"
#include "analyse/marks.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

using Kind = RegionNode::Kind;

/// The local variables and jumps in a piece of code.
class Contents : public clang::RecursiveASTVisitor<Contents> {
public:
  std::set<const clang::VarDecl*> uses;
  std::set<const clang::VarDecl*> declares;
  std::vector<const clang::Stmt*> jumps;
  unsigned nodes = 0;
  bool returns = false;
  bool labels = false;
  bool returnInMacro = false;

  explicit Contents(const clang::Stmt* statement) { TraverseStmt(const_cast<clang::Stmt*>(statement)); }
  bool VisitStmt(clang::Stmt*) {
    ++nodes;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      if (variable->hasLocalStorage() && !isShared(variable))
        uses.insert(variable);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    declares.insert(variable);
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt* s) { return addJump(s); }
  bool VisitContinueStmt(clang::ContinueStmt* s) { return addJump(s); }
  bool VisitReturnStmt(clang::ReturnStmt* s) {
    returnInMacro |= s->getBeginLoc().isMacroID();
    return returns = true;
  }
  bool VisitGotoStmt(clang::GotoStmt*) { return labels = true; }
  bool VisitLabelStmt(clang::LabelStmt*) { return labels = true; }
  // A lambda's return leaves the lambda.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    const bool before = returns;
    const bool more = RecursiveASTVisitor::TraverseLambdaExpr(lambda);
    returns = before;
    return more;
  }

private:
  bool addJump(const clang::Stmt* s) {
    jumps.push_back(s);
    return true;
  }
};

bool isLoop(const clang::Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

class Builder {
public:
  Builder(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel)
      : unit_(unit), facts_(facts), kernel_(kernel), uniformity_(kernel.decl),
        body_(llvm::dyn_cast<clang::CompoundStmt>(kernel.decl->getBody())) {}

  std::shared_ptr<Regions> build() {
    out_ = std::make_shared<Regions>();
    if (!checkCollectives())
      return out_;
    if (!findRequired())
      return out_;
    offerJumpConditions(body_);
    // Uniform variables that cross regions join the block's; each that turns out not to fit leaves again.
    for (int round = 0; round < 64; ++round) {
      out_->nodes.clear();
      handled_.clear();
      if (!buildList({body_->body_begin(), body_->body_end()}, out_->nodes))
        return out_;
      if (!settleBlockVariables())
        continue;
      if (out_->obstacle.empty())
        assignStorage();
      if (!grown_)
        break;
      grown_ = false;
    }
    return out_;
  }

private:
  bool fail(const std::string& why, clang::SourceLocation at) {
    if (out_->obstacle.empty()) {
      out_->obstacle = why;
      out_->obstacleAt = at;
    }
    return false;
  }

  std::string line(clang::SourceLocation at) const { return "line " + std::to_string(unit_.placeOf(at).line); }

  // --- What is a barrier ---------------------------------------------------------------------------------------------

  static const clang::CallExpr* callOf(const clang::Stmt* statement) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    if (!expression)
      return nullptr;
    if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      expression = cleanups->getSubExpr();
    return llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParens());
  }

  /// A statement that does nothing but wait for the block.
  static bool isBarrier(const clang::Stmt* statement) {
    const clang::CallExpr* call = callOf(statement);
    if (!call)
      return false;
    const clang::Decl* callee = call->getCalleeDecl();
    return callee && syncScope(callee) == Scope::Block && call->getType()->isVoidType();
  }

  void collectBarriers(const clang::Stmt* statement) {
    if (!statement)
      return;
    if (isBarrier(statement)) {
      barriers_.push_back(statement);
      for (const clang::Stmt* at = uniformity_.parents().getParent(statement); at; at = uniformity_.parents().getParent(at))
        containsBarrier_.insert(at);
      return;
    }
    for (const clang::Stmt* child : statement->children())
      collectBarriers(child);
  }

  bool checkCollectives() {
    if (!body_)
      return fail("its body is not a block", kernel_.decl->getLocation());
    if (body_->getLBracLoc().isMacroID())
      return fail("the kernel is written by a macro", kernel_.decl->getLocation());
    collectBarriers(body_);
    // Every collective that any instance reaches must be one of these statements.
    for (const Collective& collective : kernel_.collectives) {
      const bool known = std::any_of(barriers_.begin(), barriers_.end(), [&](const clang::Stmt* barrier) {
        const clang::SourceRange range = barrier->getSourceRange();
        const clang::SourceManager& sm = unit_.sources();
        return collective.at == range.getBegin() || collective.at == range.getEnd() ||
               (sm.isBeforeInTranslationUnit(range.getBegin(), collective.at) &&
                sm.isBeforeInTranslationUnit(collective.at, range.getEnd()));
      });
      if (!known)
        return fail("uses " + collective.name + " (" + line(collective.at) + ")", collective.at);
    }
    for (std::size_t i = 0; i < kernel_.callees.size(); ++i) {
      const FunctionFacts* callee = facts_.find(kernel_.callees[i]);
      const bool waits = callee ? !callee->kernel && callee->reached.scope != Scope::None
                                : hasMark(kernel_.callees[i], "device") && !hasMark(kernel_.callees[i], "host");
      if (waits)
        return fail("calls " + kernel_.callees[i]->getNameAsString() + ", which waits at a collective (" +
                        line(kernel_.calleeAt[i]) + ")",
                    kernel_.calleeAt[i]);
    }
    if (kernel_.indirectCalls && kernel_.reached.scope > kernel_.own.scope)
      return fail("calls through a pointer what may wait at a collective", kernel_.decl->getLocation());
    if (Contents(body_).labels)
      return fail("uses goto", kernel_.decl->getLocation());
    return true;
  }

  // --- Which variables the block's own control flow needs -----------------------------------------------------------

  bool requireUniform(const clang::Expr* expression, const char* what) {
    if (!expression)
      return true;
    if (!uniformity_.isUniform(expression))
      return fail(std::string("a barrier stands under ") + what + " that may differ between threads (" +
                      line(expression->getExprLoc()) + ")",
                  expression->getExprLoc());
    for (const clang::VarDecl* used : Contents(expression).uses)
      require(used);
    return true;
  }

  void require(const clang::VarDecl* variable) {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !required_.insert(variable).second)
      return;
    block_.insert(variable);
    requireDefinitions(*local);
  }

  void requireDefinitions(const LocalVariable& local) {
    if (local.statement && local.decl->hasInit())
      for (const clang::VarDecl* used : Contents(local.decl->getInit()).uses)
        require(used);
    for (const clang::Expr* assignment : local.assignments)
      for (const clang::VarDecl* used : Contents(assignment).uses)
        require(used);
    // Its siblings in one declaration move with it.
    if (local.statement)
      for (const clang::Decl* sibling : local.statement->decls())
        if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling))
          require(other);
  }

  bool findRequired() {
    for (const clang::Stmt* around : containsBarrier_) {
      if (const auto* s = llvm::dyn_cast<clang::ForStmt>(around)) {
        if (s->getConditionVariable() || !requireUniform(s->getCond(), "a loop condition"))
          return fail("a loop condition declares a variable", s->getBeginLoc());
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
        if (s->getConditionVariable() || !requireUniform(s->getCond(), "a loop condition"))
          return fail("a loop condition declares a variable", s->getBeginLoc());
      } else if (const auto* s = llvm::dyn_cast<clang::DoStmt>(around)) {
        if (!requireUniform(s->getCond(), "a loop condition"))
          return false;
      } else if (const auto* s = llvm::dyn_cast<clang::IfStmt>(around)) {
        if (s->getInit() || s->getConditionVariable())
          return fail("a condition around a barrier declares a variable", s->getBeginLoc());
        if (!requireUniform(s->getCond(), "a condition"))
          return false;
      } else if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(around)) {
        return fail("a barrier stands inside a " + std::string(around->getStmtClassName()) + " (" +
                        line(around->getBeginLoc()) + ")",
                    around->getBeginLoc());
      }
    }
    for (const clang::VarDecl* variable : required_) {
      const LocalVariable* local = uniformity_.find(variable);
      if (!local->uniform)
        return fail("'" + variable->getNameAsString() + "', which steers a barrier, may differ between threads",
                    variable->getLocation());
    }
    return true;
  }

  // --- The tree -----------------------------------------------------------------------------------------------------

  bool isBlockVariable(const clang::VarDecl* variable) const { return block_.count(variable) != 0; }

  /// Whether an expression statement only changes the block's variables, and from uniform values.
  bool isBlockAssignment(const clang::Expr* expression, std::vector<const clang::Expr*>& assignments) const {
    const clang::Expr* e = expression->IgnoreParens();
    if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(e))
      e = cleanups->getSubExpr()->IgnoreParens();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (op->getOpcode() == clang::BO_Comma)
        return isBlockAssignment(op->getLHS(), assignments) && isBlockAssignment(op->getRHS(), assignments);
      if (!op->isAssignmentOp() || !uniformity_.isUniform(op->getRHS()))
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
  bool isBlockReference(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && isBlockVariable(variable);
  }

  static bool isJump(const clang::Stmt* s) {
    return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(s);
  }
  /// `if (uniform) return;` and the like: the whole block jumps.
  bool isUniformJump(const clang::Stmt* s) const {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        !uniformity_.isUniform(branch->getCond()))
      return false;
    for (const clang::VarDecl* used : Contents(branch->getCond()).uses)
      if (!isBlockVariable(used) && !isFixedParameter(used))
        return false;
    const clang::Stmt* then = branch->getThen();
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(then)) {
      if (compound->size() != 1)
        return false;
      then = compound->body_front();
    }
    return isJump(then);
  }
  bool isFixedParameter(const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    return local && !local->statement && !local->modified && variable->getDeclContext() == kernel_.decl;
  }

  bool isConstantDeclaration(const clang::DeclStmt* statement) const {
    for (const clang::Decl* decl : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable && !variable->isConstexpr() && !variable->isStaticLocal())
        return false;
    }
    return true;
  }

  const SharedVariable* sharedOf(const clang::DeclStmt* statement) const {
    for (const SharedVariable& shared : kernel_.shared)
      if (shared.statement == statement)
        return &shared;
    return nullptr;
  }
  bool movesWithShared(const clang::DeclStmt* statement) const {
    for (const SharedVariable& shared : kernel_.shared)
      if (shared.movable && std::find(shared.needs.begin(), shared.needs.end(), statement) != shared.needs.end())
        return true;
    return false;
  }

  /// Whether a uniform declaration can run earlier, before the region it stands in. Changes of the block's variables end
  /// a region, so only memory could have another value there.
  bool canMoveUp(const clang::DeclStmt* statement) const {
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (isNameShared(variable) || (variable->hasInit() && Uniformity::readsMemory(variable->getInit())))
          return false;
    return true;
  }

  /// A macro that brings its own semicolon leaves no place at which to cut.
  bool endsCleanly(const clang::Stmt* s) const {
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

  bool buildList(const std::vector<const clang::Stmt*>& statements, std::vector<RegionNode>& out) {
    RegionNode region{Kind::Region};
    const auto flush = [&] {
      if (!region.statements.empty())
        out.push_back(std::move(region));
      else
        for (const clang::DeclStmt* moved : region.movedHere)
          addStatement(moved, out);
      region = RegionNode{Kind::Region};
    };
    clang::SourceLocation previous;
    for (const clang::Stmt* s : statements) {
      // Two statements of one macro call have one place in the text.
      const clang::SourceLocation here = unit_.sources().getExpansionLoc(s->getBeginLoc());
      const bool together = s->getBeginLoc().isMacroID() && here == previous;
      previous = here;
      if (together || !endsCleanly(s))
        return fail("a macro holds whole statements (" + line(s->getBeginLoc()) + ")", s->getBeginLoc());
      if (isBarrier(s)) {
        flush();
        out.push_back(RegionNode{Kind::Barrier});
        out.back().statement = s;
        continue;
      }
      if (containsBarrier_.count(s)) {
        flush();
        if (!buildAround(s, out))
          return false;
        continue;
      }
      if (llvm::isa<clang::NullStmt>(s))
        continue;
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
        const SharedVariable* shared = sharedOf(declaration);
        if ((shared && shared->movable) || movesWithShared(declaration)) {
          flush();
          out.push_back(RegionNode{Kind::Shared});
          out.back().statement = s;
          continue;
        }
        const bool blocks = shared || isConstantDeclaration(declaration) || allBlockVariables(declaration);
        if (blocks) {
          if (!shared && !region.statements.empty() && !isConstantDeclaration(declaration) && canMoveUp(declaration)) {
            region.movedHere.push_back(declaration);
          } else {
            flush();
            addStatement(s, out);
          }
          continue;
        }
      }
      std::vector<const clang::Expr*> assignments;
      const auto* expression = llvm::dyn_cast<clang::Expr>(s);
      if (expression && isBlockAssignment(expression, assignments)) {
        handled_.insert(assignments.begin(), assignments.end());
        flush();
        addStatement(s, out);
        continue;
      }
      if (isJump(s) || isUniformJump(s)) {
        flush();
        addStatement(s, out);
        continue;
      }
      const Contents contents(s);
      for (const clang::Stmt* jump : contents.jumps)
        if (!targetsInside(jump, s))
          return fail("threads leave a loop with a barrier one by one (" + line(jump->getBeginLoc()) + ")",
                      jump->getBeginLoc());
      if (contents.returnInMacro)
        return fail("a macro returns from the kernel (" + line(s->getBeginLoc()) + ")", s->getBeginLoc());
      region.statements.push_back(s);
      region.uses.insert(contents.uses.begin(), contents.uses.end());
      region.returns |= contents.returns;
    }
    flush();
    return true;
  }

  void addStatement(const clang::Stmt* s, std::vector<RegionNode>& out) {
    out.push_back(RegionNode{Kind::Statement});
    out.back().statement = s;
  }

  bool allBlockVariables(const clang::DeclStmt* declaration) const {
    bool any = false;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !isBlockVariable(variable))
        return false;
      any = true;
    }
    return any;
  }

  bool targetsInside(const clang::Stmt* jump, const clang::Stmt* top) const {
    for (const clang::Stmt* at = uniformity_.parents().getParent(jump); at; at = uniformity_.parents().getParent(at)) {
      if (isLoop(at) || (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
        return true;
      if (at == top)
        return false;
    }
    return false;
  }

  std::vector<const clang::Stmt*> listOf(const clang::Stmt* s) const {
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(s))
      return {compound->body_begin(), compound->body_end()};
    return {s};
  }

  bool buildAround(const clang::Stmt* s, std::vector<RegionNode>& out) {
    // `#pragma unroll` in front of a loop.
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
      s = attributed->getSubStmt();
    RegionNode node{Kind::Block};
    node.statement = s;
    if (s->getBeginLoc().isMacroID())
      return fail("a barrier stands inside a macro's statement (" + line(s->getBeginLoc()) + ")", s->getBeginLoc());
    bool good = true;
    if (llvm::isa<clang::CompoundStmt>(s)) {
      good = buildList(listOf(s), node.children);
    } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      node.kind = Kind::Loop;
      std::vector<const clang::Expr*> assignments;
      if (const auto* init = llvm::dyn_cast_or_null<clang::Expr>(loop->getInit()))
        if (!isBlockAssignment(init, assignments))
          return fail("a loop with a barrier starts with more than uniform assignments (" + line(init->getExprLoc()) + ")",
                      init->getExprLoc());
      if (loop->getInc() && !isBlockAssignment(loop->getInc(), assignments))
        return fail("a loop with a barrier steps by more than uniform assignments (" +
                        line(loop->getInc()->getExprLoc()) + ")",
                    loop->getInc()->getExprLoc());
      handled_.insert(assignments.begin(), assignments.end());
      good = buildList(listOf(loop->getBody()), node.children);
    } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
      node.kind = Kind::Loop;
      good = buildList(listOf(loop->getBody()), node.children);
    } else if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) {
      node.kind = Kind::Loop;
      good = buildList(listOf(loop->getBody()), node.children);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      node.kind = Kind::Branch;
      good = buildList(listOf(branch->getThen()), node.children) &&
             (!branch->getElse() || buildList(listOf(branch->getElse()), node.otherwise));
    }
    if (good)
      out.push_back(std::move(node));
    return good;
  }

  // --- Where variables live -----------------------------------------------------------------------------------------

  /// Drops block variables that are changed where only threads run; false if the tree must be built again.
  bool settleBlockVariables() {
    bool settled = true;
    for (auto it = block_.begin(); it != block_.end();) {
      const LocalVariable* local = uniformity_.find(*it);
      const bool good = std::all_of(local->assignments.begin(), local->assignments.end(),
                                    [&](const clang::Expr* a) { return handled_.count(a) != 0; });
      if (good) {
        ++it;
        continue;
      }
      if (required_.count(*it)) {
        fail("'" + (*it)->getNameAsString() + "', which steers a barrier, changes inside a nested statement",
             (*it)->getLocation());
        ++it;
        continue;
      }
      refused_.insert(*it);
      it = block_.erase(it);
      settled = false;
    }
    // A declaration belongs to the block as a whole or not at all.
    for (bool changed = true; changed;) {
      changed = false;
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(block_)) {
        const clang::DeclStmt* statement = uniformity_.find(variable)->statement;
        if ((statement && !allBlockVariables(statement)) || !definedByBlock(*uniformity_.find(variable))) {
          if (required_.count(variable)) {
            fail("'" + variable->getNameAsString() + "', which steers a barrier, depends on what only threads know",
                 variable->getLocation());
            continue;
          }
          refused_.insert(variable);
          block_.erase(variable);
          changed = true;
          settled = false;
        }
      }
    }
    return settled;
  }

  /// Whether all definitions of a block variable name only what the block knows.
  bool definedByBlock(const LocalVariable& local) const {
    const auto known = [&](const clang::Stmt* s) {
      for (const clang::VarDecl* used : Contents(s).uses)
        if (used != local.decl && !isBlockVariable(used) && !isFixedParameter(used))
          return false;
      return true;
    };
    if (local.statement && local.decl->hasInit() && !known(local.decl->getInit()))
      return false;
    return std::all_of(local.assignments.begin(), local.assignments.end(), known);
  }

  /// Whether another local variable has the same name: text that moves could then name the wrong one.
  bool isNameShared(const clang::VarDecl* variable) const {
    for (const auto& [other, local] : uniformity_.variables())
      if (other != variable && other->getDeclName() == variable->getDeclName())
        return true;
    return false;
  }

  struct Place {
    std::set<const RegionNode*> regions;
    const RegionNode* declaredIn = nullptr;
  };

  void collectUses(const std::vector<RegionNode>& nodes, std::map<const clang::VarDecl*, Place>& places) {
    for (const RegionNode& node : nodes) {
      for (const clang::VarDecl* variable : node.uses)
        places[variable].regions.insert(&node);
      if (node.kind == Kind::Region) {
        for (const clang::Stmt* s : node.statements)
          for (const clang::VarDecl* variable : Contents(s).declares)
            places[variable].declaredIn = &node;
        if (node.returns)
          out_->returns = true;
      }
      collectUses(node.children, places);
      collectUses(node.otherwise, places);
    }
  }

  bool isRecomputable(const clang::VarDecl* variable, const std::set<const clang::VarDecl*>& candidates) const {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !local->statement || local->modified || !variable->hasInit() ||
        variable->getType()->isReferenceType() || variable->getType()->isRecordType() ||
        variable->getType()->isArrayType())
      return false;
    if (Uniformity::readsMemory(variable->getInit()) || isNameShared(variable))
      return false;
    const Contents contents(variable->getInit());
    for (const clang::VarDecl* used : contents.uses)
      if (isNameShared(used))
        return false;
    // More work than this is better kept than repeated.
    if (contents.nodes > 40)
      return false;
    for (const clang::VarDecl* used : contents.uses) {
      const LocalVariable* other = uniformity_.find(used);
      if (!other || candidates.count(used))
        continue;
      if (isFixedParameter(used))
        continue;
      // A block variable that does not change while this one lives.
      if (isBlockVariable(used) && (!other->modified || changesOnlyInHeaderAround(*other, local->statement)))
        continue;
      return false;
    }
    return true;
  }

  /// Whether a loop variable only changes in the header of a loop around a declaration.
  bool changesOnlyInHeaderAround(const LocalVariable& loopVariable, const clang::Stmt* declaration) const {
    const clang::ForStmt* loop = nullptr;
    for (const clang::Stmt* at = uniformity_.parents().getParent(declaration); at;
         at = uniformity_.parents().getParent(at))
      if (const auto* candidate = llvm::dyn_cast<clang::ForStmt>(at))
        if (candidate->getInit() == loopVariable.statement || !loop)
          loop = candidate->getInit() == loopVariable.statement ? candidate : loop;
    if (!loop || loop->getInit() != loopVariable.statement || !loopVariable.statement)
      return false;
    return std::all_of(loopVariable.assignments.begin(), loopVariable.assignments.end(), [&](const clang::Expr* a) {
      for (const clang::Stmt* at = a; at; at = uniformity_.parents().getParent(at))
        if (at == loop->getInc())
          return true;
      return false;
    });
  }

  bool checkPerThread(const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    const std::string name = "'" + variable->getNameAsString() + "'";
    const LocalVariable* local = uniformity_.find(variable);
    if (local->statement && local->statement->getBeginLoc().isMacroID())
      return fail(name + ", which is alive across a barrier, is declared by a macro", variable->getLocation());
    if (isNameShared(variable))
      return fail("two variables are named " + name + ", and one is alive across a barrier", variable->getLocation());
    if (local->statement && variable->hasInit() && variable->getInitStyle() != clang::VarDecl::CInit)
      return fail(name + ", which is alive across a barrier, is initialised with parentheses or braces",
                  variable->getLocation());
    if (type->isArrayType() && (variable->hasInit() || type->isDependentType()))
      return fail("array " + name + " is initialised and alive across a barrier", variable->getLocation());
    if (type->isDependentType()) {
      const clang::Type* plain = type->isPointerType() ? type->getPointeeType().getTypePtr() : type.getTypePtr();
      if (!llvm::isa<clang::TemplateTypeParmType>(plain))
        return fail("the type of " + name + " depends on a template parameter", variable->getLocation());
    }
    if (type->isReferenceType())
      return fail("reference " + name + " is alive across a barrier", variable->getLocation());
    if (type->isUndeducedAutoType() || type->isVariablyModifiedType())
      return fail("the type of " + name + " cannot be named", variable->getLocation());
    const clang::Type* base = type->getBaseElementTypeUnsafe();
    if (const clang::CXXRecordDecl* record = base->getAsCXXRecordDecl()) {
      if (record->isLambda() || (record->getDeclContext() && record->getDeclContext()->isFunctionOrMethod()))
        return fail("the type of " + name + " cannot be named outside the kernel", variable->getLocation());
      if (record->hasDefinition() && !record->isDependentContext() &&
          (!record->hasTrivialDestructor() || !record->hasTrivialDefaultConstructor() ||
           !record->hasTrivialCopyAssignment()))
        return fail(name + ", an object of class " + record->getNameAsString() + ", is alive across a barrier",
                    variable->getLocation());
    }
    return true;
  }

  void assignStorage() {
    out_->storage.clear();
    out_->statements.clear();
    out_->returns = false;
    std::map<const clang::VarDecl*, Place> places;
    collectUses(out_->nodes, places);

    // Uniform values that cross are better one variable of the block than many of the threads.
    for (const auto& [variable, place] : places) {
      const LocalVariable* local = uniformity_.find(variable);
      if (local && crosses(place) && (local->statement || local->modified) && offer(variable))
        grown_ = true;
    }
    if (grown_)
      return;

    std::set<const clang::DeclStmt*> crossing;
    std::vector<const clang::VarDecl*> parameters;
    for (const auto& [variable, place] : places) {
      const LocalVariable* local = uniformity_.find(variable);
      if (!local || isBlockVariable(variable))
        continue;
      if (!local->statement) {
        if (local->modified && variable->getDeclContext() == kernel_.decl)
          parameters.push_back(variable);
      } else if (crosses(place)) {
        crossing.insert(local->statement);
      }
    }
    // A pointer to a variable may live longer than the region that declares it: the variable keeps its place.
    for (const auto& [variable, local] : uniformity_.variables())
      if (local.escapes && local.statement && isDirectChild(local.statement, out_->nodes))
        crossing.insert(local.statement);
    // What a recomputed declaration names must be there wherever it is repeated.
    for (bool changed = true; changed;) {
      changed = false;
      for (const clang::DeclStmt* statement : std::set<const clang::DeclStmt*>(crossing))
        for (const clang::Decl* decl : statement->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && variable->hasInit())
            for (const clang::VarDecl* used : Contents(variable->getInit()).uses) {
              const LocalVariable* local = uniformity_.find(used);
              if (local && local->statement && !isBlockVariable(used))
                changed |= crossing.insert(local->statement).second;
            }
    }
    std::set<const clang::VarDecl*> recomputed;
    for (const clang::DeclStmt* statement : crossing)
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          recomputed.insert(variable);
    for (bool changed = true; changed;) {
      changed = false;
      for (const clang::DeclStmt* statement : crossing) {
        bool all = true, any = false;
        for (const clang::Decl* decl : statement->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
            any |= recomputed.count(variable) != 0;
            all &= recomputed.count(variable) && isRecomputable(variable, recomputed);
          }
        if (any && !all) {
          for (const clang::Decl* decl : statement->decls())
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
              recomputed.erase(variable);
          changed = true;
        }
      }
    }
    for (const clang::DeclStmt* statement : crossing)
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          out_->statements[variable] = statement;
          out_->storage[variable] = recomputed.count(variable) ? Storage::Recomputed : Storage::PerThread;
          if (!recomputed.count(variable) && !checkPerThread(variable))
            return;
        }
    for (const clang::VarDecl* parameter : parameters) {
      out_->statements[parameter] = nullptr;
      out_->storage[parameter] = Storage::PerThread;
      if (!checkPerThread(parameter))
        return;
    }
    for (const clang::VarDecl* variable : block_)
      out_->storage[variable] = Storage::Block;
  }

  static bool isDirectChild(const clang::DeclStmt* statement, const std::vector<RegionNode>& nodes) {
    for (const RegionNode& node : nodes)
      if (std::find(node.statements.begin(), node.statements.end(), statement) != node.statements.end() ||
          isDirectChild(statement, node.children) || isDirectChild(statement, node.otherwise))
        return true;
    return false;
  }

  static bool crosses(const Place& place) {
    for (const RegionNode* region : place.regions)
      if (region != place.declaredIn)
        return true;
    return false;
  }

  /// Makes a uniform variable the block's, with what its definitions need; false if it is already or cannot be.
  bool offer(const clang::VarDecl* variable) {
    if (isBlockVariable(variable))
      return false;
    std::set<const clang::VarDecl*> together;
    if (!gather(variable, together))
      return false;
    block_.insert(together.begin(), together.end());
    return true;
  }
  bool gather(const clang::VarDecl* variable, std::set<const clang::VarDecl*>& together) const {
    if (isBlockVariable(variable) || isFixedParameter(variable) || !together.insert(variable).second)
      return true;
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !local->uniform || refused_.count(variable))
      return false;
    const auto all = [&](const clang::Stmt* s) {
      for (const clang::VarDecl* used : Contents(s).uses)
        if (!gather(used, together))
          return false;
      return true;
    };
    if (local->statement && variable->hasInit() && !all(variable->getInit()))
      return false;
    if (!std::all_of(local->assignments.begin(), local->assignments.end(), all))
      return false;
    if (local->statement)
      for (const clang::Decl* sibling : local->statement->decls()) {
        const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling);
        if (!other || !gather(other, together))
          return false;
      }
    return true;
  }

  /// The variables in `if (uniform) return;`: with them the block's, the whole block returns at once.
  void offerJumpConditions(const clang::Stmt* s) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      if (!containsBarrier_.count(s) && !branch->getElse() && uniformity_.isUniform(branch->getCond())) {
        const auto then = listOf(branch->getThen());
        if (then.size() == 1 && isJump(then.front()))
          for (const clang::VarDecl* used : Contents(branch->getCond()).uses)
            offer(used);
      }
    if (containsBarrier_.count(s) || s == body_)
      for (const clang::Stmt* child : s->children())
        if (child)
          offerJumpConditions(child);
  }

  const SourceUnit& unit_;
  const Facts& facts_;
  const FunctionFacts& kernel_;
  Uniformity uniformity_;
  const clang::CompoundStmt* body_;
  std::shared_ptr<Regions> out_;
  std::vector<const clang::Stmt*> barriers_;
  std::set<const clang::Stmt*> containsBarrier_;
  std::set<const clang::VarDecl*> required_, block_, refused_;
  std::set<const clang::Expr*> handled_;
  bool grown_ = false;
};

} // namespace

void findRegions(const SourceUnit& unit, Facts& facts) {
  for (auto& [place, f] : facts.functions)
    if (f.kernel && f.reached.scope != Scope::None && f.decl->getBody())
      f.regions = Builder(unit, facts, f).build();
}

} // namespace cu2cpp

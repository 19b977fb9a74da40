// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the tree of regions and decides where each variable lives. Conservative: whatever is not
// understood is an obstacle, and the kernel runs on fibers.
#include "analyse/regions.h"

#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/analyses.h"
#include "analyse/block_sizes.h"
#include "analyse/group_calls.h"
#include "analyse/joined_blocks.h"
#include "analyse/lane_loops.h"
#include "analyse/marks.h"
#include "analyse/uniform_loads.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

using Kind = RegionNode::Kind;
using How = GroupCall::Argument::How;

/// The local variables and jumps in a piece of code, but for the parts in `skip`.
class Contents : public clang::RecursiveASTVisitor<Contents> {
public:
  std::set<const clang::VarDecl*> uses;
  std::set<const clang::VarDecl*> declares;
  std::vector<const clang::Stmt*> jumps;
  std::vector<const clang::ReturnStmt*> returnStatements;
  unsigned nodes = 0;
  bool returns = false;
  bool labels = false;
  bool returnInMacro = false;

  explicit Contents(const clang::Stmt* statement,
                    const std::set<const clang::Stmt*>* skip = nullptr)
      : skip_(skip) {
    if (statement)
      TraverseStmt(const_cast<clang::Stmt*>(statement));
  }
  bool TraverseStmt(clang::Stmt* s) {
    if (s && skip_ && skip_->count(s))
      return true;
    return RecursiveASTVisitor::TraverseStmt(s);
  }
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
  const std::set<const clang::Stmt*>* skip_;
};

/// cuda::thread_scope_block.
constexpr int threadScopeBlock = 2;

bool isLoop(const clang::Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

const clang::Stmt* bodyOf(const clang::Stmt* loop) {
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(loop))
    return s->getBody();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(loop))
    return s->getBody();
  return llvm::cast<clang::DoStmt>(loop)->getBody();
}
const clang::Expr* conditionOf(const clang::Stmt* loop) {
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(loop))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(loop))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(loop))
    return s->getCond();
  return llvm::cast<clang::DoStmt>(loop)->getCond();
}

/// Whether code may read a variable before it has assigned it, on any path that the structure of
/// the code shows.
class AssignedFirst {
public:
  explicit AssignedFirst(const clang::VarDecl* variable) : variable_(variable) {}
  bool readsFirst = false;

  /// Goes through a statement in order; true if the variable is certainly assigned behind it.
  bool run(const clang::Stmt* s, bool assigned) {
    if (!s || assigned)
      return assigned;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      readsFirst |= use->getDecl() == variable_;
      return false;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s)) {
      if (op->getOpcode() == clang::BO_Assign && isVariable(op->getLHS()) &&
          !op->getLHS()->isTypeDependent()) {
        run(op->getRHS(), false);
        return true;
      }
      const bool left = run(op->getLHS(), false);
      const bool right = run(op->getRHS(), left);
      return op->isLogicalOp() ? left : right;
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(s)) {
      const bool test = run(choice->getCond(), false);
      const bool yes = run(choice->getTrueExpr(), test), no = run(choice->getFalseExpr(), test);
      return yes && no;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      bool test = run(branch->getInit(), false);
      test = run(branch->getCond(), test);
      const bool yes = run(branch->getThen(), test), no = run(branch->getElse(), test);
      return yes && no && branch->getElse();
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      const bool init = run(loop->getInit(), false);
      const bool test = run(loop->getCond(), init);
      run(loop->getInc(), run(loop->getBody(), test) && !jumps(loop->getBody()));
      return test;
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
      const bool test = run(loop->getCond(), false);
      run(loop->getBody(), test);
      return test;
    }
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) {
      const bool body = run(loop->getBody(), false) && !jumps(loop->getBody());
      return run(loop->getCond(), body);
    }
    if (llvm::isa<clang::SwitchStmt, clang::LambdaExpr, clang::CXXForRangeStmt, clang::CXXTryStmt>(
            s)) {
      readsFirst |= Contents(s).uses.count(variable_) != 0;
      return false;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* other = llvm::dyn_cast<clang::VarDecl>(decl)) {
          assigned = run(other->getInit(), assigned);
          assigned |= other == variable_ && other->hasInit();
        }
      return assigned;
    }
    // Behind a jump nothing of the list runs; what does run behind it has not seen the rest.
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      const bool leaves = jumps(s);
      for (const clang::Stmt* child : block->body())
        assigned = run(child, assigned);
      return assigned && !leaves;
    }
    for (const clang::Stmt* child : s->children())
      assigned = run(child, assigned);
    return assigned;
  }

private:
  bool isVariable(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
    return use && use->getDecl() == variable_;
  }
  static bool jumps(const clang::Stmt* s) {
    const Contents contents(s);
    return !contents.jumps.empty();
  }
  const clang::VarDecl* variable_;
};

/// Whether warps are rows of the block, as far as launches show.
bool warpsAreRows(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function) {
  class Rows : public clang::RecursiveASTVisitor<Rows> {
  public:
    bool several = false;
    bool VisitMemberExpr(clang::MemberExpr* member) {
      const auto* use =
          llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      if (use && (builtinOf(use->getDecl()) & (ThreadIdx | BlockDim)))
        several |= member->getMemberDecl()->getName() != "x";
      return true;
    }
  } rows;
  rows.TraverseStmt(function.decl->getBody());
  if (!rows.several)
    return true;
  const auto size = function.kernel ? findBlockSize(unit, facts, function) : std::nullopt;
  return size && size->x % 32 == 0;
}

bool meetsNobody(const FunctionFacts& function) {
  return function.kernel && function.reached.scope == Scope::None;
}

class Builder {
public:
  Builder(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function,
          const std::set<unsigned>& divergent, bool joined = false)
      : unit_(unit), facts_(facts), kernel_(function),
        uniformity_(function.decl, divergent, &facts,
                    warpsAreRows(unit, facts, function) || meetsNobody(function), joined),
        body_(llvm::dyn_cast<clang::CompoundStmt>(function.decl->getBody())) {}

  /// `lanes`: cut at loops that run best outside of the loop over threads too, for each warp or for
  /// the block.
  std::shared_ptr<Regions> build(Scope lanes) {
    out_ = std::make_shared<Regions>();
    out_->scope =
        kernel_.reached.scope == Scope::None ? Scope::Warp : groupScope(kernel_.reached.scope);
    for (const auto& [variable, local] : uniformity_.variables())
      if (!local.statement && local.modified)
        out_->modifiedParameters.insert(variable);
    if (!checkCalls())
      return out_;
    if (lanes != Scope::None)
      cutAtLoops(lanes);
    do {
      restart_ = false;
      out_->obstacle.clear();
      required_.clear();
      requiredBy_.clear();
      block_.clear();
      if (out_->scope == Scope::Block && !findRequired())
        return out_;
      if (!restart_ && !settle())
        return out_;
    } while (restart_);
    return out_;
  }

private:
  /// Uniform variables that cross regions join the group's; each that turns out not to fit leaves
  /// again.
  bool settle() {
    if (out_->scope == Scope::Block)
      offerJumpConditions(body_);
    for (int round = 0; round < 64 && !restart_; ++round) {
      out_->nodes.clear();
      out_->compared.clear();
      out_->mixed.clear();
      handled_.clear();
      homes_.clear();
      sections_ = 0;
      section_ = 0;
      again_ = false;
      if (!buildTop())
        return false;
      if (sections_ > 1 && !severalSections_) {
        severalSections_ = true;
        again_ = true;
      }
      if (!settleBlockVariables() || again_)
        continue;
      if (out_->obstacle.empty())
        assignStorage();
      if (!grown_)
        break;
      grown_ = false;
    }
    return true;
  }

  bool fail(const std::string& why, clang::SourceLocation at) {
    if (out_->obstacle.empty()) {
      out_->obstacle = why;
      out_->obstacleAt = at;
    }
    return false;
  }

  std::string line(clang::SourceLocation at) const {
    return "line " + std::to_string(unit_.placeOf(at).line);
  }

  // --- The calls of the group
  // ---------------------------------------------------------------------------------------

  bool checkCalls() {
    if (!body_)
      return fail("its body is not a block", kernel_.decl->getLocation());
    if (body_->getLBracLoc().isMacroID())
      return fail("the kernel is written by a macro", kernel_.decl->getLocation());
    GroupCalls found = findGroupCalls(unit_, facts_, kernel_);
    if (!found.obstacle.empty())
      return fail(found.obstacle, found.obstacleAt);
    out_->calls = std::move(found.calls);
    for (unsigned i = 0; i < out_->calls.size(); ++i) {
      GroupCall& call = out_->calls[i];
      callIndex_[call.call] = i;
      if (!checkCall(call))
        return false;
      for (const clang::Stmt* at = call.call; at; at = uniformity_.parents().getParent(at)) {
        Scope& held = holds_[at];
        held = std::max(held, call.scope);
      }
    }
    if (Contents(body_).labels)
      return fail("uses goto", kernel_.decl->getLocation());
    return checkNames();
  }

  /// Translated code declares names of its own beside the user's.
  bool checkNames() {
    static const std::set<std::string> ours = {"cuBlock",        "cuWarp",   "cuThisThread",
                                               "cuResult",       "cuExited", "cuExitedThreads",
                                               "cuExitedBefore", "cuLanes"};
    for (const auto& [variable, local] : uniformity_.variables()) {
      const std::string name = variable->getNameAsString();
      if (ours.count(name) || llvm::StringRef(name).starts_with("cuLanes") ||
          llvm::StringRef(name).starts_with("cuCall"))
        return fail("'" + name + "' is a name that translated code uses itself",
                    variable->getLocation());
    }
    if (!body_->body_empty() && llvm::isa<clang::ReturnStmt>(body_->body_back()))
      lastReturn_ = body_->body_back();
    return true;
  }

  bool isStridedOfBlock(const clang::ForStmt* loop) const {
    return blockLoops_.count(loop) && strided_.count(loop);
  }
  /// Loops are cut at where lanes of a warp lie side by side in memory: warps are rows, as far as
  /// launches show.
  void cutAtLoops(Scope level) {
    std::vector<std::pair<const clang::Stmt*, Scope>> marked;
    const bool warps = warpsAreRows(unit_, facts_, kernel_);
    out_->rowParts = !warps && meetsNobody(kernel_);
    const bool rows = warps || out_->rowParts;
    const LaneLoops chosen = findLaneLoops(kernel_.decl, uniformity_, rows);
    strided_ = chosen.strided;
    if (asksForThread(facts_, kernel_))
      return;
    // A warp's function stays one.
    if (!kernel_.kernel && out_->scope == Scope::Warp)
      level = Scope::Warp;
    for (const clang::ForStmt* loop : chosen.ofBlock)
      if (level == Scope::Block && holds(loop) == Scope::None && !loop->getBeginLoc().isMacroID() &&
          standsInFlowOfBlock(loop, chosen.ofBlock))
        blockLoops_.insert(loop);
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
  /// Whether the block comes to a loop as one.
  bool standsInFlowOfBlock(const clang::Stmt* loop,
                           const std::set<const clang::ForStmt*>& ofBlock) const {
    for (const clang::Stmt* at = uniformity_.parents().getParent(loop); at && at != body_;
         at = uniformity_.parents().getParent(at)) {
      if (llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(at) || holds(at) == Scope::Block)
        continue;
      const auto* outer = llvm::dyn_cast<clang::ForStmt>(at);
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(at);
      const bool uniform = outer ? ofBlock.count(outer) && !strided_.count(outer)
                                 : branch && !branch->getInit() &&
                                       !branch->getConditionVariable() && !branch->isConsteval() &&
                                       uniformity_.isUniform(branch->getCond());
      if (!uniform)
        return false;
    }
    return true;
  }
  bool checkCall(GroupCall& call) {
    const std::string name = call.callee->getNameAsString();
    const clang::SourceLocation at = call.call->getExprLoc();
    // A launch names the function alone, and has no group's version for it.
    const auto isOfKernel = [&](const clang::Expr* e) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
      return kernel_.kernel && use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl());
    };
    if ((call.through && kernel_.kernel) ||
        std::any_of(call.functionArguments.begin(), call.functionArguments.end(),
                    [&](const auto& argument) { return isOfKernel(argument.written); }))
      return fail("calls a function that waits through the kernel template's parameter (" +
                      line(at) + ")",
                  at);
    for (const FunctionFacts* target : call.targets)
      if (!target->regions || !target->regions->obstacle.empty())
        return fail("calls " + target->decl->getNameAsString() +
                        " through a template's parameter (" + line(at) + ")",
                    at);
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      for (const FunctionFacts* target : argument.targets)
        if (!target->regions || !target->regions->obstacle.empty())
          return fail("passes " + target->decl->getNameAsString() + " to " + name + " (" +
                          line(at) + ")",
                      at);
    if (call.function) {
      if (!call.function->regions)
        return fail("calls " + name + ", which calls itself and waits (" + line(at) + ")", at);
      if (!call.function->regions->obstacle.empty())
        return fail("calls " + name + ", which " + call.function->regions->obstacle + " (" +
                        line(at) + ")",
                    at);
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
      if (method && method->isInstance() &&
          (!call.object || !uniformity_.isUniform(call.object, call.scope)) &&
          !isImplicitThis(call))
        return fail("calls method " + name + " of an object of each thread (" + line(at) + ")", at);
    } else {
      if (hasMark(call.callee, "barrier"))
        return true;
      if (call.oneByOne)
        return !awaitsOtherBlocks(call) ||
               fail("waits for other blocks in " + name + " (" + line(at) + ")", at);
      if (!hasMark(call.callee, "together"))
        return fail("uses " + name + " (" + line(at) + ")", at);
      if (const auto* use =
              llvm::dyn_cast<clang::DeclRefExpr>(call.call->getCallee()->IgnoreParenImpCasts()))
        if (use->hasExplicitTemplateArgs())
          return fail("names the template arguments of " + name + " (" + line(at) + ")", at);
    }
    for (GroupCall::Argument& argument : call.arguments) {
      if (argument.how == How::Reference) {
        const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument.value->IgnoreParenImpCasts());
        const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
        if (!variable || !uniformity_.find(variable) || variable->getType()->isReferenceType())
          return fail("passes a reference to " + name + " that is no local variable (" + line(at) +
                          ")",
                      at);
        forced_.insert(variable);
      } else if (uniformity_.isUniform(argument.value, call.scope)) {
        argument.how = How::Uniform;
      }
    }
    if (call.function) {
      // The function was analysed with what all its callers pass.
      for (unsigned i = 0; i < call.arguments.size(); ++i)
        if (call.arguments[i].how != How::Reference)
          call.arguments[i].how =
              call.function->uniformParameters.count(i) ? How::Uniform : How::Each;
    }
    return true;
  }
  /// A barrier object that is neither of a block by its type nor in the block's shared memory may
  /// be one of several blocks.
  bool awaitsOtherBlocks(const GroupCall& call) const {
    if (facts_.foreignShared)
      return true;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
    if (!method ||
        (method->getParent()->getName() != "barrier" && method->getParent()->getName() != "latch"))
      return false;
    if (const auto* type =
            llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent())) {
      const clang::TemplateArgument& scope = type->getTemplateArgs()[0];
      if (scope.getKind() == clang::TemplateArgument::Integral &&
          scope.getAsIntegral() == threadScopeBlock)
        return false;
    }
    const clang::Expr* object = call.object ? call.object->IgnoreParenImpCasts() : nullptr;
    while (object) {
      if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object))
        object = element->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(object);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return !variable || !isShared(variable);
  }
  static bool isImplicitThis(const GroupCall& call) {
    return call.object && llvm::isa<clang::CXXThisExpr>(call.object->IgnoreParenImpCasts());
  }
  Scope holds(const clang::Stmt* s) const {
    const auto found = holds_.find(s);
    return found == holds_.end() ? Scope::None : found->second;
  }

  /// The group call that a statement is, with nothing around it.
  const GroupCall* callOf(const clang::Stmt* statement) const {
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    if (!expression)
      return nullptr;
    for (;;) {
      expression = expression->IgnoreParens();
      if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
        expression = cleanups->getSubExpr();
      else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
               cast && cast->getCastKind() == clang::CK_ToVoid)
        expression = cast->getSubExpr();
      else
        break;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
    const auto found = call ? callIndex_.find(call) : callIndex_.end();
    return found == callIndex_.end() ? nullptr : &out_->calls[found->second];
  }
  /// A statement that does nothing but wait.
  bool isBarrier(const clang::Stmt* statement) const {
    const GroupCall* call = callOf(statement);
    return call && !call->function && hasMark(call->callee, "barrier");
  }

  /// The group calls in a piece of code, inner ones first; false if one is not run each time that
  /// the code is.
  bool hoist(const clang::Stmt* s, std::vector<unsigned>& calls) {
    std::vector<unsigned> found;
    for (const auto& [call, index] : callIndex_)
      if (isWithin(call, s))
        found.push_back(index);
    std::sort(found.begin(), found.end());
    for (const unsigned index : found) {
      const clang::CallExpr* call = out_->calls[index].call;
      const clang::Stmt* at = call;
      while (at != s) {
        const clang::Stmt* parent = uniformity_.parents().getParent(at);
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent);
        const bool sometimes =
            (op && op->isLogicalOp() && op->getRHS() == at) ||
            (llvm::isa<clang::AbstractConditionalOperator>(parent) &&
             llvm::cast<clang::AbstractConditionalOperator>(parent)->getCond() != at) ||
            llvm::isa<clang::StmtExpr>(parent);
        if (sometimes && out_->calls[index].scope == Scope::Warp &&
            !llvm::isa<clang::StmtExpr>(parent)) {
          const clang::Expr* guard =
              op ? op->getLHS() : llvm::cast<clang::AbstractConditionalOperator>(parent)->getCond();
          const bool outcome =
              op ? op->getOpcode() == clang::BO_LAnd
                 : llvm::cast<clang::AbstractConditionalOperator>(parent)->getTrueExpr() == at;
          if (!guard->HasSideEffects(unit_.context()) && holds(guard) == Scope::None &&
              !guard->isTypeDependent()) {
            auto& guards = out_->calls[index].guards;
            if (std::find(guards.begin(), guards.end(), std::make_pair(guard, outcome)) ==
                guards.end())
              guards.push_back({guard, outcome});
            at = parent;
            continue;
          }
        }
        if (sometimes)
          return fail("a condition decides inside an expression whether threads call " +
                          out_->calls[index].callee->getNameAsString() + " (" +
                          line(call->getExprLoc()) + ")",
                      call->getExprLoc());
        if (op && op->getOpcode() == clang::BO_Comma && op->getRHS() == at)
          return fail("an expression with a comma calls " +
                          out_->calls[index].callee->getNameAsString() + " (" +
                          line(call->getExprLoc()) + ")",
                      call->getExprLoc());
        at = parent;
      }
      calls.push_back(index);
      if (!SourceText(unit_).isWhole(call))
        out_->printed.insert(s);
    }
    // Earlier variables of the same statement do not exist yet where the call is made.
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      std::set<const clang::VarDecl*> declared;
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          declared.insert(variable);
      for (const unsigned index : calls)
        for (const clang::VarDecl* used : usesOf(out_->calls[index]))
          if (declared.count(used))
            return fail("a call waits for a variable of its own statement (" +
                            line(s->getBeginLoc()) + ")",
                        s->getBeginLoc());
    }
    return true;
  }

  std::set<const clang::VarDecl*> usesOf(const GroupCall& call) const {
    std::set<const clang::VarDecl*> uses;
    const auto add = [&](const clang::Expr* e) {
      const std::set<const clang::VarDecl*> more = Contents(e, &callStatements_).uses;
      uses.insert(more.begin(), more.end());
    };
    for (const GroupCall::Argument& argument : call.arguments)
      add(argument.value);
    if (call.object)
      add(call.object);
    for (const auto& [guard, outcome] : call.guards)
      add(guard);
    return uses;
  }

  void addCall(unsigned index, const clang::Stmt* statement, std::vector<RegionNode>& out) {
    const GroupCall& call = out_->calls[index];
    RegionNode node{Kind::Call};
    node.calls = {index};
    node.statement = statement;
    node.alone = callOf(statement) == &call;
    node.uses = usesOf(call);
    noteComparedArguments(call);
    out.push_back(std::move(node));
  }
  void noteComparedArguments(const GroupCall& call) {
    for (const GroupCall::Argument& argument : call.arguments)
      if (argument.how == How::Uniform && !isScalarExpression(argument.value, call.scope))
        out_->compared.insert(argument.value);
  }

  // --- Which variables the block's own control flow needs
  // -----------------------------------------------------------

  bool requireUniform(const clang::Stmt* around, const clang::Expr* expression, const char* what) {
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
  /// A loop or branch of the block that threads may leave or enter one by one: those that are
  /// inside go on together, the others wait behind it.
  bool maskInstead(const clang::Stmt* around) {
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
  /// Uniform, where calls of the group count as what they give.
  bool uniformConditionOf(const clang::Expr* expression) const {
    if (uniformity_.isUniform(expression))
      return true;
    const clang::Expr* e = expression->IgnoreParenImpCasts();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
      const auto found = callIndex_.find(call);
      return found != callIndex_.end() && out_->calls[found->second].uniformResult;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return op->getOpcode() != clang::BO_Comma && uniformConditionOf(op->getLHS()) &&
             uniformConditionOf(op->getRHS());
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return (op->getOpcode() == clang::UO_LNot || op->isIncrementDecrementOp()) &&
             uniformConditionOf(op->getSubExpr());
    return false;
  }
  /// The changes of the group's variables inside a condition: `--n > 0`. False if it changes
  /// anything else.
  bool effectsOf(const clang::Expr* e, Scope level,
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
    const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
    return isScalarExpression(e, level) || (call && callIndex_.count(call));
  }
  std::set<const clang::Stmt*> calledIn(const clang::Stmt* s) const {
    std::set<const clang::Stmt*> calls;
    for (const auto& [call, index] : callIndex_)
      if (!out_->calls[index].oneByOne && isWithin(call, s))
        calls.insert(call);
    return calls;
  }

  void require(const clang::VarDecl* variable) {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !required_.insert(variable).second)
      return;
    requiredBy_[variable] = requiredFor_;
    block_.insert(variable);
    requireDefinitions(*local);
  }

  void requireDefinitions(const LocalVariable& local) {
    const auto all = [&](const clang::Stmt* s) {
      const std::set<const clang::Stmt*> calls = calledIn(s);
      for (const clang::VarDecl* used : Contents(s, &calls).uses)
        require(used);
    };
    if (local.statement && local.decl->hasInit())
      all(local.decl->getInit());
    for (const clang::Expr* assignment : local.assignments)
      all(assignment);
    // Its siblings in one declaration move with it, unless they can be declared apart.
    if (local.statement && !canStandAlone(local.statement))
      for (const clang::Decl* sibling : local.statement->decls())
        if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling))
          require(other);
  }

  bool findRequired() {
    for (const auto& [around, scope] : holds_) {
      if (scope != Scope::Block ||
          llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(around))
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
      } else if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt, clang::SwitchCase>(
                     around)) {
        return fail("a barrier stands inside a " + std::string(around->getStmtClassName()) + " (" +
                        line(around->getBeginLoc()) + ")",
                    around->getBeginLoc());
      }
    }
    for (const clang::VarDecl* variable : required_) {
      const LocalVariable* local = uniformity_.find(variable);
      if (!local->uniform && !maskFor(variable))
        return fail("'" + variable->getNameAsString() +
                        "', which steers a barrier, may differ between threads",
                    variable->getLocation());
    }
    return true;
  }
  /// What a variable steers takes its threads one by one, and all is done again.
  bool maskFor(const clang::VarDecl* variable) {
    const auto by = requiredBy_.find(variable);
    if (by == requiredBy_.end() || !by->second || masked_.count(by->second) ||
        !maskInstead(by->second))
      return false;
    return restart_ = true;
  }

  // --- The tree
  // -----------------------------------------------------------------------------------------------------

  bool isBlockVariable(const clang::VarDecl* variable) const { return block_.count(variable) != 0; }

  /// Whether a group variable can be named where the group's own flow stands.
  bool isScalar(const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    return !local || constants_.count(variable) || isBlockVariable(variable) ||
           isFixedParameter(variable);
  }
  bool isScalarExpression(const clang::Expr* e, Scope level) const {
    if (!uniformity_.isUniform(e, level) || namesThread(e))
      return false;
    const std::set<const clang::Stmt*> calls = calledIn(e);
    if (level == Scope::Warp && !calls.empty())
      return false;
    for (const clang::VarDecl* used : Contents(e, &calls).uses)
      if (!isScalar(used))
        return false;
    return true;
  }
  static bool namesThread(const clang::Stmt* s) {
    class Visitor : public clang::RecursiveASTVisitor<Visitor> {
    public:
      bool found = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
        return !(found = builtinOf(use->getDecl()) == ThreadIdx);
      }
    } visitor;
    visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
    return visitor.found;
  }

  /// Whether an expression statement only changes the group's variables, and from uniform values.
  bool isBlockAssignment(const clang::Expr* expression,
                         std::vector<const clang::Expr*>& assignments, Scope level) const {
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
  bool isBlockReference(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && isBlockVariable(variable);
  }
  void takeAssignments(const std::vector<const clang::Expr*>& assignments) {
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

  static bool isJump(const clang::Stmt* s) {
    return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(s);
  }
  /// The `return`, `break` or `continue` that a statement is: alone, or under an `if`.
  static const clang::Stmt* jumpOf(const clang::Stmt* s) {
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
  /// A jump that the whole group takes together: `if (uniform) break;`.
  bool isGroupJump(const clang::Stmt* s, Scope level) const {
    const clang::Stmt* jump = jumpOf(s);
    if (!jump)
      return false;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      std::vector<const clang::Expr*> effects;
      if (!isScalarExpression(branch->getCond(), level) &&
          !(level == Scope::Block && effectsOf(branch->getCond(), level, effects) &&
            atHome(effects)))
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
  /// An `if` that the whole group takes together and that leads out of it: its branches are lists
  /// of their own.
  bool groupJumpsFrom(const clang::IfStmt* branch, const Contents& contents, Scope level) const {
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
  bool isFixedParameter(const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    return local && !local->statement && !local->modified &&
           variable->getDeclContext() == kernel_.decl && (kernel_.kernel || local->uniform);
  }

  bool isConstantDeclaration(const clang::DeclStmt* statement) const {
    for (const clang::Decl* decl : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable && !variable->isConstexpr() && !variable->isStaticLocal() &&
          !isConstant(variable))
        return false;
    }
    return true;
  }
  /// `const int half = size / 2;`: may size an array or be a template's argument.
  bool isConstant(const clang::VarDecl* variable) const {
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

  const SharedVariable* sharedOf(const clang::DeclStmt* statement) const {
    for (const SharedVariable& shared : kernel_.shared)
      if (shared.statement == statement)
        return &shared;
    return nullptr;
  }
  bool movesWithShared(const clang::DeclStmt* statement) const {
    for (const SharedVariable& shared : kernel_.shared)
      if (shared.movable &&
          std::find(shared.needs.begin(), shared.needs.end(), statement) != shared.needs.end())
        return true;
    return false;
  }

  /// Whether a uniform declaration can run earlier, before the region it stands in. Changes of the
  /// group's variables end a region, so only memory could have another value there.
  bool canMoveUp(const clang::DeclStmt* statement) const {
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (isNameShared(variable) ||
            (variable->hasInit() && Uniformity::readsMemory(variable->getInit())))
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

  bool buildTop() {
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

  bool buildWarps(RegionNode& region, std::vector<RegionNode>& out) {
    RegionNode node{Kind::Warps};
    node.statements = region.statements;
    node.movedHere = region.movedHere;
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

  bool buildList(const std::vector<const clang::Stmt*>& statements, std::vector<RegionNode>& out,
                 Scope level) {
    RegionNode region{Kind::Region};
    bool hasWarps = false, hasBlockCalls = false;
    bool good = true;
    std::map<std::string, const clang::VarDecl*> names;
    const auto flush = [&] {
      if (region.statements.empty()) {
        for (const clang::DeclStmt* moved : region.movedHere)
          addStatement(moved, out, level);
      } else if (hasWarps) {
        good = good && buildWarps(region, out);
      } else {
        out.push_back(std::move(region));
      }
      region = RegionNode{Kind::Region};
      names.clear();
      hasWarps = hasBlockCalls = false;
      return good;
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
        if ((shared && shared->movable) || movesWithShared(declaration)) {
          if (!flush())
            return false;
          out.push_back(RegionNode{Kind::Shared});
          out.back().statement = s;
          continue;
        }
        const bool blocks =
            shared || isConstantDeclaration(declaration) || allBlockVariables(declaration, level);
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && isConstantDeclaration(declaration))
            constants_.insert(variable);
        if (blocks) {
          for (const clang::Decl* decl : declaration->decls())
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
              homes_[variable].insert(section_);
          if (!shared && !region.statements.empty() && !isConstantDeclaration(declaration) &&
              canMoveUp(declaration) && scalarDefinitions(declaration, level) &&
              !isMixed(declaration)) {
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
          branch && held == Scope::None && groupJumpsFrom(branch, contents, level)) {
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
      const bool alone = oneByOne || alone_.count(s);
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
      if (alone && !flush())
        return false;
    }
    return flush();
  }

  /// Group variables change where they are declared: in the block's flow, or in that of one loop
  /// over warps.
  bool atHome(const std::vector<const clang::Expr*>& assignments) const {
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

  void addStatement(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level) {
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
  /// What a group statement computes from values of the threads, all lanes compute and compare.
  void noteDefinitions(const clang::Stmt* s, RegionNode& node, Scope level) {
    const auto note = [&](const clang::Expr* value) {
      if (!value || level != Scope::Warp || isScalarExpression(value, level))
        return;
      out_->compared.insert(value);
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
  bool scalarDefinitions(const clang::DeclStmt* declaration, Scope level) const {
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && variable->hasInit())
        if (level == Scope::Warp && !isScalarExpression(variable->getInit(), level))
          return false;
    return true;
  }

  /// Whether a declaration is the group's. Some of its variables may be the threads' own: see
  /// Regions::mixed.
  bool allBlockVariables(const clang::DeclStmt* declaration, Scope level) const {
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
  bool isMixed(const clang::DeclStmt* declaration) const {
    return std::any_of(declaration->decl_begin(), declaration->decl_end(),
                       [&](const clang::Decl* decl) {
                         const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                         return variable && !isBlockVariable(variable);
                       });
  }
  /// Whether a statement's variables can be declared apart: scalars, none of which the others'
  /// values name.
  bool canStandAlone(const clang::DeclStmt* declaration) const {
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

  const clang::Stmt* targetOf(const clang::Stmt* jump) const {
    for (const clang::Stmt* at = uniformity_.parents().getParent(jump); at;
         at = uniformity_.parents().getParent(at))
      if (isLoop(at) || (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
        return at;
    return nullptr;
  }
  bool targetsInside(const clang::Stmt* jump, const clang::Stmt* top) const {
    return isWithin(targetOf(jump), top);
  }
  /// Lanes that leave a loop one by one: the loop goes on for the others.
  bool unevenJump(const clang::Stmt* jump, Scope level) {
    const clang::Stmt* target = targetOf(jump);
    const bool here = std::any_of(around_.begin(), around_.end(),
                                  [&](const auto& a) { return a.first == target; });
    if (!target || !isLoop(target) || !here || (level == Scope::Block && !maskInstead(target)))
      return fail("threads leave a loop with a barrier one by one (" + line(jump->getBeginLoc()) +
                      ")",
                  jump->getBeginLoc());
    if (uneven_.insert(target).second)
      again_ = true;
    (llvm::isa<clang::BreakStmt>(jump) ? leaves_ : skips_).insert(target);
    return true;
  }

  std::vector<const clang::Stmt*> listOf(const clang::Stmt* s) const {
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(s))
      return {compound->body_begin(), compound->body_end()};
    return {s};
  }

  bool buildBody(const clang::Stmt* around, bool masked, const clang::Stmt* body,
                 std::vector<RegionNode>& out, Scope level) {
    around_.push_back({around, masked});
    insideMasked_ += masked && level == Scope::Block;
    const bool good = buildList(listOf(body), out, level);
    insideMasked_ -= masked && level == Scope::Block;
    around_.pop_back();
    return good;
  }

  /// The condition of a loop or branch: uniform, or for each lane.
  bool buildCondition(const clang::Expr* condition, RegionNode& node, Scope level) {
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
      const auto used = Contents(condition, &callStatements_).uses;
      node.uses.insert(used.begin(), used.end());
    }
    return true;
  }

  bool buildAround(const clang::Stmt* s, std::vector<RegionNode>& out, Scope level) {
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
      good = buildBody(s, node.masked, branch->getThen(), node.children, level) &&
             (!branch->getElse() ||
              buildBody(s, node.masked, branch->getElse(), node.otherwise, level));
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

  bool buildFor(const clang::ForStmt* loop, RegionNode& node, Scope level) {
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

  /// `for (int i = tid; i < n; i += blockDim.x)`: each lane's i is where it starts and how far the
  /// group has come.
  bool buildStrided(const clang::ForStmt* loop, RegionNode& node, Scope level) {
    const auto* variable =
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
    const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
    node.strided = node.masked = true;
    node.unevenJumps = uneven_.count(loop) != 0;
    refuse(variable);
    stridedVariables_.insert(variable);
    std::vector<const clang::Expr*>& parts = out_->startParts[variable];
    parts.clear();
    collectStartParts(variable->getInit(), parts, level);
    std::set<const clang::Stmt*> apart(parts.begin(), parts.end());
    for (const clang::Expr* part : parts)
      if (!isScalarExpression(part, level)) {
        out_->compared.insert(part);
        const auto used = Contents(part, &callStatements_).uses;
        node.uses.insert(used.begin(), used.end());
      }
    if (!isScalarExpression(step->getRHS(), level)) {
      out_->compared.insert(step->getRHS());
      const auto used = Contents(step->getRHS(), &callStatements_).uses;
      node.uses.insert(used.begin(), used.end());
    }
    if (level == Scope::Warp && !buildCondition(loop->getCond(), node, level))
      return false;
    if (level == Scope::Block) {
      const auto used = Contents(loop->getCond()).uses;
      node.uses.insert(used.begin(), used.end());
    }
    const auto* test =
        llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
    const auto* counted =
        test ? llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts()) : nullptr;
    node.rising = counted && counted->getDecl() == variable &&
                  (test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE) &&
                  uniformity_.isUniform(test->getRHS(), Scope::Warp) && node.calls.empty();
    const auto used = Contents(variable->getInit(), &apart).uses;
    node.uses.insert(used.begin(), used.end());
    node.uses.insert(variable);
    if (level == Scope::Block)
      return buildStridedBody(loop->getBody(), node);
    return buildBody(loop, true, loop->getBody(), node.children, level);
  }
  /// The body of a strided loop of the block is one region: each thread runs it as a whole.
  bool buildStridedBody(const clang::Stmt* body, RegionNode& node) {
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

  /// What a warp reads from memory once to start a strided loop: `begin[row]` in `begin[row] +
  /// lane`.
  void collectStartParts(const clang::Expr* e, std::vector<const clang::Expr*>& parts,
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

  /// A loop of a warp is cheapest if its variable is one for all lanes.
  void offerHeader(const clang::ForStmt* loop) {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    if (!init)
      return;
    for (const clang::Decl* decl : init->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (const LocalVariable* local = uniformity_.find(variable))
          if ((local->uniform || local->warpUniform) && !refused_.count(variable))
            block_.insert(variable);
  }

  // --- Where variables live
  // -----------------------------------------------------------------------------------------

  void refuse(const clang::VarDecl* variable) {
    refused_.insert(variable);
    block_.erase(variable);
  }

  /// Drops group variables that are changed where only threads run; false if the tree must be built
  /// again.
  bool settleBlockVariables() {
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

  /// The `for` around a use of a variable that starts it: `for (i = 0; ...)`.
  const clang::ForStmt* loopThatStarts(const clang::VarDecl* variable,
                                       const clang::Stmt* use) const {
    for (const clang::Stmt* at = use; at; at = uniformity_.parents().getParent(at)) {
      const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
      const auto* init = loop ? llvm::dyn_cast_or_null<clang::Expr>(loop->getInit()) : nullptr;
      if (init && AssignedFirst(variable).run(init, false))
        return loop;
    }
    return nullptr;
  }
  /// Old programs count several loops with one variable. Each of them is a variable of its own if
  /// no value leaves a loop.
  bool isCounterOfOwnLoop(const clang::VarDecl* variable, const clang::Expr* assignment) const {
    const clang::ForStmt* own = loopThatStarts(variable, assignment);
    if (!own || holds(own) != Scope::None || !variable->getType()->isScalarType())
      return false;
    class Uses : public clang::RecursiveASTVisitor<Uses> {
    public:
      const clang::VarDecl* variable = nullptr;
      std::vector<const clang::DeclRefExpr*> all;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
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
  void markCounters(std::vector<RegionNode>& nodes) const {
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
  bool isWithin(const clang::Stmt* inner, const clang::Stmt* outer) const {
    for (const clang::Stmt* at = inner; at; at = uniformity_.parents().getParent(at))
      if (at == outer)
        return true;
    return false;
  }

  /// Whether all definitions of a block variable name only what the block knows.
  bool definedByBlock(const LocalVariable& local) const {
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

  /// Whether another local variable has the same name: text that moves could then name the wrong
  /// one.
  bool isNameShared(const clang::VarDecl* variable) const {
    for (const auto& [other, local] : uniformity_.variables())
      if (other != variable && other->getDeclName() == variable->getDeclName())
        return true;
    return false;
  }

  struct Place {
    std::set<const RegionNode*> regions;
    const RegionNode* declaredIn = nullptr;
    unsigned declaredSection = 0;
    std::set<unsigned> sections;
  };

  void collectUses(const std::vector<RegionNode>& nodes,
                   std::map<const clang::VarDecl*, Place>& places, unsigned section,
                   unsigned& sections) {
    for (const RegionNode& node : nodes) {
      for (const clang::VarDecl* variable : node.uses) {
        places[variable].regions.insert(&node);
        places[variable].sections.insert(section);
      }
      if (node.kind == Kind::Region) {
        for (const clang::Stmt* s : node.statements)
          for (const clang::VarDecl* variable : Contents(s).declares) {
            places[variable].declaredIn = &node;
            places[variable].declaredSection = section;
            places[variable].sections.insert(section);
          }
        if (node.returns)
          out_->returns = true;
      }
      const unsigned inner = node.kind == Kind::Warps ? ++sections : section;
      collectUses(node.children, places, inner, sections);
      collectUses(node.otherwise, places, inner, sections);
    }
  }

  bool isRecomputable(const clang::VarDecl* variable,
                      const std::set<const clang::VarDecl*>& candidates) const {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !local->statement || local->modified || !variable->hasInit() ||
        forced_.count(variable) || variable->getType()->isReferenceType() ||
        variable->getType()->isArrayType())
      return false;
    if (const auto* lambda =
            llvm::dyn_cast<clang::LambdaExpr>(variable->getInit()->IgnoreImplicit()))
      return isRecomputableLambda(lambda, candidates);
    if (variable->getType()->isRecordType() && !isGroupFactory(variable->getInit()))
      return false;
    if ((readsMemory(variable->getInit()) && !isGroupFactory(variable->getInit())) ||
        isNameShared(variable))
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
      if (!other || candidates.count(used) || constants_.count(used))
        continue;
      if (isFixedParameter(used))
        continue;
      // A block variable that does not change while this one lives.
      if (isBlockVariable(used) &&
          (!other->modified || changesOnlyInHeaderAround(*other, local->statement)))
        continue;
      return false;
    }
    return true;
  }
  /// A lambda can be made again where its captures name the same values.
  bool isRecomputableLambda(const clang::LambdaExpr* lambda,
                            const std::set<const clang::VarDecl*>& candidates) const {
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      if (!capture.capturesVariable() || lambda->isInitCapture(&capture))
        return false;
      const auto* used = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
      const LocalVariable* other = used ? uniformity_.find(used) : nullptr;
      if (other && capture.getCaptureKind() == clang::LCK_ByCopy && other->modified)
        return false;
      if (used && isNameShared(used))
        return false;
    }
    (void)candidates;
    return true;
  }
  static bool readsMemory(const clang::Expr* e) { return Uniformity::readsMemory(e); }
  /// `tiled_partition<32>(block)` and the like: made again at no cost.
  static bool isGroupFactory(const clang::Expr* e) {
    e = e->IgnoreImplicit();
    while (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
      if (construct->getNumArgs() != 1)
        return false;
      e = construct->getArg(0)->IgnoreImplicit();
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
    if (!call)
      return false;
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    const clang::FunctionDecl* function = call->getDirectCallee();
    if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee); overloads && !function)
      for (const clang::NamedDecl* candidate : overloads->decls())
        if (const auto* pattern =
                llvm::dyn_cast<clang::FunctionTemplateDecl>(candidate->getUnderlyingDecl()))
          function = pattern->getTemplatedDecl();
    return function && hasMark(function, "pure");
  }

  /// Whether a loop variable only changes in the header of a loop around a declaration.
  bool changesOnlyInHeaderAround(const LocalVariable& loopVariable,
                                 const clang::Stmt* declaration) const {
    const clang::ForStmt* loop = nullptr;
    for (const clang::Stmt* at = uniformity_.parents().getParent(declaration); at;
         at = uniformity_.parents().getParent(at))
      if (const auto* candidate = llvm::dyn_cast<clang::ForStmt>(at))
        if (candidate->getInit() == loopVariable.statement || !loop)
          loop = candidate->getInit() == loopVariable.statement ? candidate : loop;
    if (!loop || loop->getInit() != loopVariable.statement || !loopVariable.statement)
      return false;
    return std::all_of(loopVariable.assignments.begin(), loopVariable.assignments.end(),
                       [&](const clang::Expr* a) {
                         for (const clang::Stmt* at = a; at;
                              at = uniformity_.parents().getParent(at))
                           if (at == loop->getInc())
                             return true;
                         return false;
                       });
  }

  bool checkPerThread(const clang::VarDecl* variable, Storage storage, const Place& place) {
    const clang::QualType type = variable->getType();
    const std::string name = "'" + variable->getNameAsString() + "'";
    const LocalVariable* local = uniformity_.find(variable);
    if (local->statement && local->statement->getBeginLoc().isMacroID())
      return fail(name + ", which is alive across a barrier, is declared by a macro",
                  variable->getLocation());
    if (type->isArrayType() && variable->hasInit() && type->isDependentType())
      return fail("array " + name + " is initialised and alive across a barrier",
                  variable->getLocation());
    // `auto` in a template: what gives the first values gives the type.
    if (isDeducedFromInit(variable) && local->statement && local->statement->isSingleDecl() &&
        (storage == Storage::PerLane || place.declaredSection == 0)) {
      if (alone_.insert(local->statement).second)
        grown_ = true;
      return true;
    }
    if (type->isUndeducedAutoType() || type->isVariablyModifiedType())
      return fail("the type of " + name + " cannot be named", variable->getLocation());
    const clang::Type* base = type->getBaseElementTypeUnsafe();
    if (const clang::CXXRecordDecl* record = base->getAsCXXRecordDecl()) {
      if (record->isLambda() || !record->getIdentifier())
        return fail("the type of " + name + " cannot be named", variable->getLocation());
      if (record->hasDefinition() && !record->isDependentContext() &&
          (!record->hasTrivialDestructor() ||
           !(record->hasTrivialCopyConstructor() || record->hasTrivialMoveConstructor())))
        return fail(name + ", an object of class " + record->getNameAsString() +
                        ", is alive across a barrier",
                    variable->getLocation());
    }
    if (llvm::isa<clang::DecompositionDecl, clang::BindingDecl>(variable))
      return fail(name + " is a structured binding that is alive across a barrier",
                  variable->getLocation());
    return true;
  }

  void assignStorage() {
    out_->storage.clear();
    out_->copied.clear();
    out_->statements.clear();
    out_->returns = false;
    std::map<const clang::VarDecl*, Place> places;
    unsigned sections = 0;
    const bool warpFunction = !kernel_.kernel && out_->scope == Scope::Warp;
    collectUses(out_->nodes, places, warpFunction ? 1 : 0, sections);

    // Uniform values that cross are better one variable of the group than many of the threads.
    for (const auto& [variable, place] : places) {
      const LocalVariable* local = uniformity_.find(variable);
      if (local && !constants_.count(variable) && crosses(place) &&
          (local->statement || local->modified) &&
          offer(variable, place.sections.size() == 1 && !place.sections.count(0)))
        grown_ = true;
    }
    if (grown_)
      return;

    std::set<const clang::DeclStmt*> crossing;
    std::vector<const clang::VarDecl*> parameters;
    for (const auto& [variable, place] : places) {
      const LocalVariable* local = uniformity_.find(variable);
      if (!local || isBlockVariable(variable) || constants_.count(variable))
        continue;
      if (!local->statement) {
        if (variable->getDeclContext() == kernel_.decl &&
            (local->modified || !isFixedParameter(variable)))
          parameters.push_back(variable);
      } else if (crosses(place) || forced_.count(variable)) {
        crossing.insert(local->statement);
      }
    }
    // A pointer to a variable may live longer than the region that declares it: the variable keeps
    // its place.
    for (const auto& [variable, local] : uniformity_.variables())
      if (local.escapes && local.statement && isDirectChild(local.statement, out_->nodes))
        crossing.insert(local.statement);
    // What a recomputed declaration names must be there wherever it is repeated.
    for (bool changed = true; changed;) {
      changed = false;
      for (const clang::DeclStmt* statement : std::set<const clang::DeclStmt*>(crossing))
        for (const clang::Decl* decl : statement->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && variable->hasInit())
            for (const clang::VarDecl* used :
                 Contents(variable->getInit(), &callStatements_).uses) {
              const LocalVariable* local = uniformity_.find(used);
              if (local && local->statement && !isScalar(used))
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
        bool all = holds(statement) == Scope::None, any = false;
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
    for (const clang::DeclStmt* statement : crossing) {
      // The variables of one statement live in one place.
      std::set<unsigned> all;
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          all.insert(places[variable].sections.begin(), places[variable].sections.end());
      const bool ofWarp = all.size() == 1 && !all.count(0);
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          out_->statements[variable] = statement;
          if (isBlockVariable(variable) || constants_.count(variable))
            continue;
          if (stridedVariables_.count(variable)) {
            out_->storage[variable] = Storage::Strided;
            continue;
          }
          const bool fresh = !recomputed.count(variable) && isFresh(variable, places[variable]);
          out_->storage[variable] = recomputed.count(variable) ? Storage::Recomputed
                                    : fresh                    ? Storage::Fresh
                                    : ofWarp                   ? Storage::PerLane
                                                               : Storage::PerThread;
          const clang::QualType type = variable->getType();
          if (out_->storage[variable] == Storage::PerLane && type->isScalarType() &&
              !type->isDependentType() && !forced_.count(variable) &&
              !uniformity_.find(variable)->escapes && !type.isVolatileQualified() &&
              !type.isConstQualified())
            out_->copied.insert(variable);
          if (!recomputed.count(variable) && !fresh &&
              !checkPerThread(variable, out_->storage[variable], places[variable]))
            return;
        }
    }
    for (const clang::VarDecl* parameter : parameters) {
      out_->statements[parameter] = nullptr;
      out_->storage[parameter] = warpFunction ? Storage::PerLane : Storage::PerThread;
      if (!checkPerThread(parameter, out_->storage[parameter], places[parameter]))
        return;
    }
    for (const clang::VarDecl* variable : block_)
      out_->storage[variable] = Storage::Block;
    markCounters(out_->nodes);
    loadOnce(out_->nodes, warpFunction ? Scope::Warp : Scope::Block);
  }
  void loadOnce(std::vector<RegionNode>& nodes, Scope level) {
    for (RegionNode& node : nodes) {
      // Of a warp whose lanes return one by one, none may be left.
      if (node.kind == Kind::Region && !(level == Scope::Warp && out_->returns) &&
          !node.statements.empty() &&
          std::none_of(node.statements.begin(), node.statements.end(), [&](const clang::Stmt* s) {
            return out_->printed.count(s) != 0 || holds(s) != Scope::None;
          }))
        node.uniformLoads = findUniformLoads(
            node.statements, [&](const clang::Expr* e) { return isScalarExpression(e, level); });
      if (node.kind == Kind::Loop && node.strided && level == Scope::Block)
        continue; // nobody is left in the last step
      const Scope inner = node.kind == Kind::Warps ? Scope::Warp : level;
      loadOnce(node.children, inner);
      loadOnce(node.otherwise, inner);
    }
  }

  /// Whether every region that names a variable assigns it before it reads it: then no value
  /// crosses.
  bool isFresh(const clang::VarDecl* variable, const Place& place) const {
    const LocalVariable* local = uniformity_.find(variable);
    const clang::QualType type = variable->getType();
    if (local->escapes || forced_.count(variable) || !type->isScalarType() ||
        type->isDependentType() || type.isVolatileQualified() || type.isConstQualified())
      return false;
    for (const RegionNode* node : place.regions) {
      AssignedFirst visitor(variable);
      bool assigned = false;
      if (node->kind != Kind::Region)
        return false;
      for (const clang::Stmt* s : node->statements)
        assigned = visitor.run(s, assigned);
      if (visitor.readsFirst)
        return false;
    }
    return true;
  }

  static bool isDirectChild(const clang::DeclStmt* statement,
                            const std::vector<RegionNode>& nodes) {
    for (const RegionNode& node : nodes)
      if ((node.kind == Kind::Region && std::find(node.statements.begin(), node.statements.end(),
                                                  statement) != node.statements.end()) ||
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

  /// Makes a uniform variable the group's, with what its definitions need; false if it is already
  /// or cannot be.
  bool offer(const clang::VarDecl* variable, bool ofWarp = false) {
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
        !variable->hasInit() || isGroupFactory(variable->getInit()))
      return false;
    block_.insert(variable);
    return true;
  }
  bool gather(const clang::VarDecl* variable, std::set<const clang::VarDecl*>& together) const {
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
    if (local->statement && !canStandAlone(local->statement))
      for (const clang::Decl* sibling : local->statement->decls()) {
        const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling);
        if (!other || !gather(other, together))
          return false;
      }
    return true;
  }

  /// The variables in `if (uniform) return;`: with them the block's, the whole block returns at
  /// once.
  void offerJumpConditions(const clang::Stmt* s) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      if (holds(s) == Scope::None && jumpOf(s) && uniformConditionOf(branch->getCond()))
        for (const clang::VarDecl* used : Contents(branch->getCond()).uses)
          offer(used);
    if (holds(s) == Scope::Block || s == body_)
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
  std::map<const clang::CallExpr*, unsigned> callIndex_;
  std::map<const clang::Stmt*, Scope> holds_; ///< the widest group call inside a statement
  std::set<const clang::Stmt*>
      callStatements_; ///< group calls that have nodes: their text is no longer part of a region
  std::set<const clang::VarDecl*> required_, block_, refused_;
  std::set<const clang::Stmt*> masked_; ///< of the block, which threads enter or leave one by one
  unsigned insideMasked_ = 0;
  std::map<const clang::VarDecl*, const clang::Stmt*> requiredBy_; ///< what each steers
  const clang::Stmt* requiredFor_ = nullptr;
  bool restart_ = false;
  std::set<const clang::Stmt*> alone_;     ///< declarations that are regions of their own
  std::set<const clang::VarDecl*> forced_; ///< passed by reference: kept for each thread
  std::set<const clang::ForStmt*> strided_;
  std::set<const clang::Stmt*> blockLoops_; ///< lane loops around a loop over all threads
  std::set<const clang::VarDecl*> stridedVariables_;
  std::set<const clang::VarDecl*> constants_; ///< of the group, with values that the compiler knows
  std::set<const clang::Expr*> handled_;
  std::map<const clang::VarDecl*, std::set<unsigned>>
      homes_; ///< the sections in which group variables are defined
  std::vector<std::pair<const clang::Stmt*, bool>>
      around_; ///< group statements around, and whether lanes may differ there
  std::set<const clang::Stmt*> uneven_, leaves_,
      skips_; ///< loops of a warp that lanes leave or continue one by one
  const clang::Stmt* lastReturn_ =
      nullptr; ///< at the end of the body: no thread goes on without the one that returns
  unsigned sections_ = 0, section_ = 0;
  bool severalSections_ = false;
  bool grown_ = false;
  bool again_ = false;
};

/// The functions that reach collectives, callees before callers.
class Order {
public:
  explicit Order(Facts& facts) : facts_(facts) {
    for (auto& [place, f] : facts.functions)
      visit(f);
  }
  std::vector<FunctionFacts*> functions;
  std::set<const FunctionFacts*> recursive;

private:
  void visit(FunctionFacts& f) {
    if (f.reached.scope == Scope::None || !f.decl->getBody() || done_.count(&f))
      return;
    if (!open_.insert(&f).second) {
      recursive.insert(&f);
      return;
    }
    // Of the overloads that a template could call, those count that its instances do call.
    std::set<clang::SourceLocation> resolved;
    for (const UserCall& call : f.calls)
      if (!call.candidate)
        resolved.insert(call.at);
    for (const UserCall& call : f.calls)
      if (FunctionFacts* callee = facts_.find(call.callee);
          callee && !callee->kernel && !(call.candidate && resolved.count(call.at)))
        visit(*callee);
    open_.erase(&f);
    done_.insert(&f);
    functions.push_back(&f);
  }
  Facts& facts_;
  std::set<const FunctionFacts*> open_, done_;
};

/// What is called through a template's parameter gets all values for each thread.
bool makeDivergent(const FunctionFacts& function,
                   std::map<const FunctionFacts*, std::set<unsigned>>& divergent) {
  bool changed = false;
  for (unsigned i = 0; i < function.decl->getNumParams(); ++i)
    changed |= divergent[&function].insert(i).second;
  return changed;
}

/// A parameter is uniform if every call in this file passes a uniform value.
std::map<const FunctionFacts*, std::set<unsigned>>
findDivergentParameters(const SourceUnit& unit, const Facts& facts,
                        const std::vector<FunctionFacts*>& functions) {
  std::map<const FunctionFacts*, std::set<unsigned>> divergent;
  std::map<const FunctionFacts*, GroupCalls> calls;
  for (const FunctionFacts* f : functions) {
    calls[f] = findGroupCalls(unit, facts, *f);
    if (!f->kernel)
      for (const clang::ParmVarDecl* parameter : f->decl->parameters())
        if (parameter->getType()->isReferenceType() &&
            !parameter->getType()->getPointeeType().isConstQualified())
          divergent[f].insert(parameter->getFunctionScopeIndex());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const FunctionFacts* f : functions) {
      const Uniformity uniformity(f->decl, divergent[f], &facts, warpsAreRows(unit, facts, *f));
      if (!f->kernel)
        for (const clang::ParmVarDecl* parameter : f->decl->parameters())
          if (const LocalVariable* local = uniformity.find(parameter);
              local && !local->uniform && !local->warpUniform)
            changed |= divergent[f].insert(parameter->getFunctionScopeIndex()).second;
      for (const GroupCall& call : calls[f].calls)
        for (const GroupCall::FunctionArgument& argument : call.functionArguments)
          for (const FunctionFacts* target : argument.targets)
            changed |= makeDivergent(*target, divergent);
      for (const GroupCall& call : calls[f].calls)
        for (const FunctionFacts* target : call.targets)
          changed |= makeDivergent(*target, divergent);
      for (const GroupCall& call : calls[f].calls)
        if (call.function)
          for (unsigned i = 0; i < call.arguments.size(); ++i)
            if (!uniformity.isUniform(call.arguments[i].value, call.scope))
              changed |= divergent[call.function].insert(i).second;
    }
  }
  return divergent;
}

} // namespace

bool isDeducedFromInit(const clang::VarDecl* variable) {
  return variable->getType()->isUndeducedAutoType() && !variable->getType()->isReferenceType() &&
         variable->hasInit();
}

bool asksForThread(const Facts& facts, const FunctionFacts& function) {
  if (function.readsThread || (function.indirectCalls && function.publishesThread))
    return true;
  for (const clang::FunctionDecl* callee : function.callees) {
    const FunctionFacts* known = facts.find(callee);
    if (!known ? hasMark(callee, "device") && !hasMark(callee, "host")
               : !known->kernel && known->reached.scope == Scope::None &&
                     (known->publishesThread || (known->builtins & ThreadIdx)))
      return true;
  }
  return false;
}

void findRegions(const SourceUnit& unit, Facts& facts) {
  const Order order(facts);
  auto divergent = findDivergentParameters(unit, facts, order.functions);
  for (FunctionFacts* f : order.functions) {
    if (!f->kernel)
      for (const clang::ParmVarDecl* parameter : f->decl->parameters())
        if (!divergent[f].count(parameter->getFunctionScopeIndex()))
          f->uniformParameters.insert(parameter->getFunctionScopeIndex());
    if (order.recursive.count(f))
      continue;
    // Each next one cuts less.
    std::shared_ptr<Regions> regions;
    for (const Scope lanes : {Scope::Block, Scope::Warp, Scope::None}) {
      regions = Builder(unit, facts, *f, divergent[f]).build(lanes);
      if (regions->obstacle.empty())
        break;
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(f->decl);
    if (regions->obstacle.empty() && !f->kernel) {
      if (method && method->getParent()->isLambda())
        regions->obstacle = "is a lambda";
      else if (method && (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) ||
                          method->isVirtual() ||
                          (method->isOverloadedOperator() &&
                           method->getOverloadedOperator() != clang::OO_Call)))
        regions->obstacle = "is a constructor, an operator or virtual";
      else if (f->decl->isVariadic() || f->decl->getReturnType()->isUndeducedType())
        regions->obstacle = "has a return type or parameters that cannot be named";
      else if (!unit.isUser(f->decl->getLocation()))
        regions->obstacle = "is not in the user's files";
    }
    f->regions = regions;
  }
  // Kernels that wait for nothing gain where their loops can run outside of the loop over threads.
  for (auto& [place, f] : facts.functions)
    if (f.kernel && f.reached.scope == Scope::None && f.decl->getBody() &&
        unit.isUser(f.decl->getLocation())) {
      if (sharesNothing(facts, f)) {
        const auto regions = Builder(unit, facts, f, {}, true).build(Scope::Block);
        if (regions->obstacle.empty() && regions->lanes && canJoin(*regions)) {
          regions->joined = true;
          f.regions = regions;
          continue;
        }
      }
      for (const Scope lanes : {Scope::Block, Scope::Warp}) {
        const auto regions = Builder(unit, facts, f, {}).build(lanes);
        if (!regions->obstacle.empty() || !regions->lanes ||
            (regions->rowParts && !fitsParts(*regions)))
          continue;
        f.regions = regions;
        break;
      }
    }
}

} // namespace cu2cpp

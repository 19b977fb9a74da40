// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls the group makes together, and whether each of them can be lifted out of the statement
// that holds it.
#include "analyse/pure_functions.h"
#include "analyse/region_builder.h"

#include <algorithm>

#include "analyse/group_calls.h"
#include "analyse/marks.h"
#include "analyse/shared_parameters.h"
#include "parse/source_text.h"

namespace cu2cpp {

namespace {

/// cuda::thread_scope_block.
constexpr int threadScopeBlock = 2;

} // namespace

bool RegionBuilder::checkCalls() {
  if (!body_)
    return fail("its body is not a block", kernel_.decl->getLocation());
  if (body_->getLBracLoc().isMacroID() || body_->getRBracLoc().isMacroID())
    return fail("the kernel is written by a macro", kernel_.decl->getLocation());
  if (kernel_.allocaAt.isValid()) // the memory would be gone when the region is
    return fail("calls alloca()", kernel_.allocaAt);
  const bool rows = warpsAreRows(unit_, facts_, kernel_) || meetsNobody(kernel_);
  GroupCalls found = findGroupCalls(unit_, facts_, kernel_,
                                    withLaneFunctions_ && rows && !asksForThread(facts_, kernel_));
  if (!found.obstacle.empty())
    return fail(found.obstacle, found.obstacleAt);
  for (GroupCall& call : found.calls) {
    if (call.function && call.function->forLanes) {
      // One value for the warp needs no lanes.
      if (uniformity_.isUniform(call.call, Scope::Warp))
        continue;
      if (std::any_of(call.arguments.begin(), call.arguments.end(), [&](const auto& argument) {
            return argument.value->HasSideEffects(unit_.context()) && readsMemory(argument.value) &&
                   !isPureExpression(argument.value, facts_);
          }))
        return fail("an argument of " + call.callee->getNameAsString() + " changes something (" +
                        line(call.call->getExprLoc()) + ")",
                    call.call->getExprLoc());
      out_->lanes = true;
    }
    out_->calls.push_back(std::move(call));
  }
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

bool RegionBuilder::checkNames() {
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

bool RegionBuilder::checkCall(GroupCall& call) {
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
    return fail("calls a function that waits through the kernel template's parameter (" + line(at) +
                    ")",
                at);
  for (const FunctionFacts* target : call.targets)
    if (!target->regions || !target->regions->obstacle.empty())
      return fail("calls " + target->decl->getNameAsString() + " through a template's parameter (" +
                      line(at) + ")",
                  at);
  for (const GroupCall::FunctionArgument& argument : call.functionArguments)
    for (const FunctionFacts* target : argument.targets)
      if (!target->regions || !target->regions->obstacle.empty())
        return fail("passes " + target->decl->getNameAsString() + " to " + name + " (" + line(at) +
                        ")",
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
        (!call.object || !uniformity_.isUniform(call.object, call.scope)) && !isImplicitThis(call))
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
  for (unsigned i = 0; i < call.arguments.size(); ++i) {
    GroupCall::Argument& argument = call.arguments[i];
    if (call.function && i < call.callee->getNumParams() &&
        isSharedParameter(call.callee->getParamDecl(i), *call.function)) {
      argument.how = How::Uniform;
    } else if (argument.how == How::Reference) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument.value->IgnoreParenImpCasts());
      const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
      if (!variable || !uniformity_.find(variable) || variable->getType()->isReferenceType())
        return fail(
            "passes a reference to " + name + " that is no local variable (" + line(at) + ")", at);
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

bool RegionBuilder::awaitsOtherBlocks(const GroupCall& call) const {
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

const GroupCall* RegionBuilder::callOf(const clang::Stmt* statement) const {
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

bool RegionBuilder::hoist(const clang::Stmt* s, std::vector<unsigned>& calls) {
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
  for (const unsigned index : calls)
    if (out_->calls[index].scope != out_->calls[calls.front()].scope)
      return fail("an expression calls functions of the block and of its warps (" +
                      line(s->getBeginLoc()) + ")",
                  s->getBeginLoc());
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

std::set<const clang::VarDecl*> RegionBuilder::usesOf(const GroupCall& call) const {
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

void RegionBuilder::addCall(unsigned index, const clang::Stmt* statement,
                            std::vector<RegionNode>& out) {
  const GroupCall& call = out_->calls[index];
  RegionNode node{Kind::Call};
  node.calls = {index};
  node.statement = statement;
  node.alone = callOf(statement) == &call;
  node.uses = usesOf(call);
  noteComparedArguments(call);
  out.push_back(std::move(node));
}

void RegionBuilder::noteComparedArguments(const GroupCall& call) {
  for (const GroupCall::Argument& argument : call.arguments)
    if (argument.how == How::Uniform && !isScalarExpression(argument.value, call.scope))
      compare(argument.value);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/group_calls.h"

#include <algorithm>
#include <set>

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

struct Site {
  const clang::FunctionDecl* callee = nullptr;
  const FunctionFacts* function = nullptr;
  std::vector<const FunctionFacts*> targets; ///< of all instances of a template
  Scope scope = Scope::None;
  bool met = false;
};

class CallFinder : public SyntaxVisitor {
public:
  CallFinder(std::map<clang::SourceLocation, Site>& sites, GroupCalls& out)
      : sites_(sites), out_(out) {}

  bool shouldTraversePostOrder() const override { return true; }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    const auto before = out_.calls.size();
    SyntaxVisitor::TraverseLambdaExpr(lambda);
    if (out_.calls.size() != before) {
      out_.obstacle = "a lambda waits at a collective";
      out_.obstacleAt = lambda->getBeginLoc();
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto found = sites_.find(namePlace(call));
    if (found == sites_.end())
      return true;
    Site& site = found->second;
    site.met = true;
    GroupCall group;
    group.call = call;
    group.callee = site.callee;
    group.function = site.function;
    group.scope = site.scope;
    if (const auto* use =
            llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()))
      group.through = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl());
    if (group.through)
      group.targets = site.targets;
    else if (site.targets.size() > 1)
      return fail("instances of the template call different functions that wait", call);
    if (!addFunctionArguments(group))
      return true;
    if (const auto* member =
            llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts()))
      group.object = member->getBase();
    else if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(
                 call->getCallee()->IgnoreParenImpCasts()))
      group.object = member->isImplicitAccess() ? nullptr : member->getBase();
    else if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(
                 call->getCallee()->IgnoreParenImpCasts()))
      group.object = member->isImplicitAccess() ? nullptr : member->getBase();
    else if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(site.callee);
             method && method->isInstance() && isVariable(call->getCallee()))
      group.object = call->getCallee(); // a template's call of an object says of no method yet
    if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      if (op->getOperator() != clang::OO_Call) {
        out_.obstacle = "an operator waits at a collective";
        out_.obstacleAt = call->getExprLoc();
        return true;
      }
      group.object = call->getArg(0);
    }
    group.returnsValue = !site.callee->getReturnType()->isVoidType();
    group.oneByOne = !site.function && hasMark(site.callee, "one_by_one");
    group.uniformResult = !site.function && !group.oneByOne &&
                          (site.scope == Scope::Block || hasMark(site.callee, "alike"));
    addArguments(group);
    out_.calls.push_back(std::move(group));
    return true;
  }

private:
  bool fail(const char* why, const clang::CallExpr* call) {
    out_.obstacle = why;
    out_.obstacleAt = call->getExprLoc();
    return true;
  }

  static bool isVariable(const clang::Expr* e) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && llvm::isa<clang::VarDecl>(use->getDecl());
  }

  /// Whether a function's name means others too: what stands for it calls it by that name.
  static bool isOverloaded(const clang::Expr* e) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* f = use ? llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()) : nullptr;
    return f ? !f->getDeclContext()->getRedeclContext()->lookup(f->getDeclName()).isSingleResult()
             : llvm::isa<clang::OverloadExpr>(e);
  }

  bool addFunctionArguments(GroupCall& group) {
    const clang::Expr* callee = group.call->getCallee()->IgnoreParenImpCasts();
    const clang::TemplateArgumentLoc* arguments = nullptr;
    unsigned count = 0;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
      arguments = use->getTemplateArgs();
      count = use->getNumTemplateArgs();
    } else if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
      arguments = overloads->getTemplateArgs();
      count = overloads->getNumTemplateArgs();
    }
    for (unsigned i = 0; i < count; ++i) {
      if (arguments[i].getArgument().getKind() != clang::TemplateArgument::Expression)
        continue;
      const clang::Expr* written = arguments[i].getSourceExpression();
      const clang::Expr* e = written->IgnoreParenImpCasts();
      if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(e);
          address && address->getOpcode() == clang::UO_AddrOf)
        e = address->getSubExpr()->IgnoreParenImpCasts();
      clang::SourceLocation at;
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
        at = use->getLocation();
      else if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(e))
        at = overloads->getNameLoc();
      const auto found = sites_.find(at);
      if (at.isInvalid() || found == sites_.end())
        continue;
      found->second.met = true;
      if (!group.function || found->second.targets.empty() ||
          !found->second.targets.front()->decl->getDeclContext()->isFileContext() ||
          found->second.targets.front()->decl->getDescribedFunctionTemplate() || e != written ||
          isOverloaded(e)) {
        fail("passes on a function that waits", group.call);
        return false;
      }
      group.functionArguments.push_back({e, found->second.targets});
    }
    return true;
  }

  void addArguments(GroupCall& group) {
    const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(group.call) ? 1 : 0;
    const unsigned written = group.call->getNumArgs() - first, all = group.callee->getNumParams();
    for (unsigned i = 0; i < std::max(written, group.function ? all : written); ++i) {
      GroupCall::Argument argument;
      const clang::ParmVarDecl* parameter = i < all ? group.callee->getParamDecl(i) : nullptr;
      argument.value = i < written ? group.call->getArg(i + first) : nullptr;
      if (argument.value && llvm::isa<clang::CXXDefaultArgExpr>(argument.value))
        argument.value = nullptr;
      if (!argument.value) {
        if (!group.function) // the header's twin has the same defaults
          break;
        if (!parameter || !parameter->hasDefaultArg())
          continue;
        argument.value = parameter->getDefaultArg();
      }
      if (parameter) {
        clang::Qualifiers qualifiers; // of an array, its elements'
        argument.type = group.callee->getASTContext().getUnqualifiedArrayType(
            parameter->getType().getNonReferenceType(), qualifiers);
        const clang::QualType type = parameter->getType();
        if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified() &&
            !isForwarding(group.callee, i))
          argument.how = GroupCall::Argument::How::Reference;
      }
      group.arguments.push_back(argument);
    }
  }

  /// `T&&` of a header's template takes any value and changes none.
  static bool isForwarding(const clang::FunctionDecl* callee, unsigned i) {
    const clang::FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
    return pattern && i < pattern->getNumParams() &&
           pattern->getParamDecl(i)->getType()->isRValueReferenceType();
  }

  std::map<clang::SourceLocation, Site>& sites_;
  GroupCalls& out_;
};

} // namespace

clang::SourceLocation namePlace(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return use->getLocation();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee))
    return member->getMemberLoc();
  if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee))
    return overloads->getNameLoc();
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
    return member->getMemberLoc();
  if (const auto* name = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(callee))
    return name->getLocation();
  return {};
}

Scope groupScope(Scope reached) {
  switch (reached) {
  case Scope::None:
    return Scope::None;
  case Scope::Tile:
  case Scope::Warp:
    return Scope::Warp;
  default:
    return Scope::Block;
  }
}

GroupCalls findGroupCalls(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function,
                          bool lanes) {
  GroupCalls out;
  const auto line = [&](clang::SourceLocation at) {
    return " (line " + std::to_string(unit.placeOf(at).line) + ")";
  };
  const auto fail = [&](const std::string& why, clang::SourceLocation at) {
    if (out.obstacle.empty()) {
      out.obstacle = why;
      out.obstacleAt = at;
    }
  };
  std::map<clang::SourceLocation, Site> sites;
  // Of the overloads that a template could call, those count that its instances do call.
  std::set<clang::SourceLocation> resolved;
  for (const Collective& collective : function.collectives)
    if (!collective.candidate)
      resolved.insert(collective.at);
  for (const UserCall& call : function.calls)
    if (!call.candidate)
      resolved.insert(call.at);
  for (const Collective& collective : function.collectives) {
    if (collective.candidate && resolved.count(collective.at))
      continue;
    Site& site = sites[collective.at];
    if (collective.scope > Scope::Block)
      fail("uses " + collective.name + line(collective.at), collective.at);
    if (site.callee && (groupScope(collective.scope) != site.scope || site.function))
      fail("instances of the template call different collectives" + line(collective.at),
           collective.at);
    if (site.callee && !hasMark(site.callee, "together") && !hasMark(site.callee, "barrier") &&
        !hasMark(site.callee, "one_by_one"))
      continue;
    site.callee = collective.callee;
    site.scope = groupScope(collective.scope);
  }
  for (const UserCall& call : function.calls) {
    if (call.candidate && resolved.count(call.at))
      continue;
    const FunctionFacts* callee = facts.find(call.callee);
    if (!callee) {
      if (hasMark(call.callee, "device") && !hasMark(call.callee, "host") &&
          !call.callee->isPureVirtual())
        fail("calls " + call.callee->getNameAsString() + ", which another file defines" +
                 line(call.at),
             call.at);
      continue;
    }
    const bool forLanes = lanes && callee->forLanes;
    if (callee->kernel || (callee->reached.scope == Scope::None && !forLanes))
      continue;
    const Scope scope = forLanes ? Scope::Warp : groupScope(callee->reached.scope);
    if (callee->reached.scope > Scope::Block)
      fail("calls " + call.callee->getNameAsString() + ", which waits at " + callee->reached.name +
               line(call.at),
           call.at);
    Site& site = sites[call.at];
    if (site.callee && (!site.function || site.scope != scope))
      fail("instances of the template call different functions that wait" + line(call.at), call.at);
    if (std::find(site.targets.begin(), site.targets.end(), callee) == site.targets.end())
      site.targets.push_back(callee);
    site.callee = callee->decl;
    site.function = callee;
    site.scope = scope;
  }
  if (function.indirectCalls && function.reached.scope > Scope::None)
    for (const auto& [place, other] : facts.functions) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(other.decl);
      if (!other.kernel && other.device && other.reached.scope != Scope::None &&
          (other.addressTaken || (method && method->isVirtual())))
        fail("calls through a pointer what may wait at a collective", function.decl->getLocation());
    }
  if (!out.obstacle.empty() || sites.empty())
    return out;
  CallFinder(sites, out).TraverseStmt(function.decl->getBody());
  for (const auto& [at, site] : sites)
    if (!site.met)
      fail("uses " + site.callee->getNameAsString() + " other than by a plain call" + line(at), at);
  return out;
}

} // namespace cu2cpp

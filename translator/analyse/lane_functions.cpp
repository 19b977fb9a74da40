// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/lane_functions.h"

#include <algorithm>

#include "analyse/counted_loops.h"
#include "analyse/lane_loops.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether code reads and writes local scalars alone, and structures of such.
class ComputesOnly : public SyntaxVisitor {
public:
  bool fits = true;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return fits = fits && (!variable || isNamedConstant(variable) ||
                           (variable->hasLocalStorage() && !isShared(variable) &&
                            isPlain(variable->getType())));
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
      fits &= !member->isArrow();
    if (llvm::isa<clang::ArraySubscriptExpr, clang::LambdaExpr, clang::AsmStmt, clang::GotoStmt,
                  clang::CXXThisExpr, clang::CXXNewExpr, clang::CXXDeleteExpr>(s))
      fits = false;
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
      fits &= op->getOpcode() != clang::UO_Deref;
    return fits;
  }
};

/// Whether a definition is of scalars by value, without any effect.
bool computesOnly(const clang::FunctionDecl* decl, const Facts& facts) {
  if (decl->isVariadic() || decl->isConstexpr() || !isPlain(decl->getReturnType()) ||
      !std::all_of(decl->param_begin(), decl->param_end(),
                   [](const auto* parameter) { return isPlain(parameter->getType()); }))
    return false;
  ComputesOnly body;
  body.TraverseStmt(decl->getBody());
  return body.fits && isPureFunction(decl, facts);
}

/// The parameters of a function that calls in a body give more than numbers to: constants, or what
/// is one as soon as a short loop is written out.
class GivenMore : public SyntaxVisitor {
public:
  GivenMore(const clang::FunctionDecl* function, const Facts& facts)
      : function_(definitionOf(function)), facts_(facts), context_(function->getASTContext()) {}
  std::set<unsigned> parameters;

  bool VisitForStmt(clang::ForStmt* loop) override {
    if (const auto counted = asCountedLoop(loop, context_);
        counted && isConstant(counted->first) && isConstant(counted->limit))
      counters_.insert(counted->counter);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const FunctionFacts* known = callee ? facts_.find(callee) : nullptr;
    for (unsigned i = 0; known && known->decl == function_ && i < call->getNumArgs(); ++i)
      if (!isNumber(call->getArg(i)))
        parameters.insert(i);
    return true;
  }

private:
  bool isNumber(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return isConstant(e) ||
           (use && counters_.count(llvm::dyn_cast<clang::VarDecl>(use->getDecl())) != 0);
  }
  bool isConstant(const clang::Expr* e) const {
    return !e->isValueDependent() && e->isEvaluatable(context_);
  }
  const clang::FunctionDecl* function_;
  const Facts& facts_;
  const clang::ASTContext& context_;
  std::set<const clang::VarDecl*> counters_;
};

} // namespace

bool isLaneFunction(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function) {
  const clang::FunctionDecl* decl = function.decl;
  if (function.kernel || !function.device || function.reached.scope != Scope::None ||
      !decl->getBody() || !unit.isUser(decl->getLocation()) ||
      llvm::isa<clang::CXXMethodDecl>(decl) || function.builtins || function.readsThread ||
      function.publishesThread || function.indirectCalls || function.awaitsOthers ||
      function.awaitsTime)
    return false;
  if (decl->getDescribedFunctionTemplate()) {
    bool any = false;
    for (const clang::FunctionDecl* body : function.bodies)
      if (body != decl && !body->isDependentContext()) {
        if (!body->getBody() || !computesOnly(body, facts))
          return false;
        any = true;
      }
    if (!any)
      return false;
  } else if (decl->isTemplated() || !computesOnly(decl, facts)) {
    return false;
  }
  std::set<unsigned> all;
  for (unsigned i = 0; i < decl->getNumParams(); ++i)
    all.insert(i);
  return !findLaneLoops(facts, function, Uniformity(decl, all, &facts), LaneRowsOf::Warps)
              .arithmetic.empty();
}

bool loopsByNumbers(const Facts& facts, const FunctionFacts& function) {
  const clang::FunctionDecl* decl = function.decl;
  GivenMore given(decl, facts);
  for (const auto& [place, caller] : facts.functions)
    if (caller.device)
      for (const clang::FunctionDecl* body : caller.bodies)
        if (!body->isDependentContext() && body->getBody())
          given.TraverseStmt(body->getBody());
  return given.parameters.size() < decl->getNumParams() &&
         findLaneLoops(facts, function, Uniformity(decl, given.parameters, &facts),
                       LaneRowsOf::Warps)
             .arithmetic.empty();
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): functions that are given lambdas.
//
//   blk::each(n, [&](int t) {           { const auto cuGiven_f = [&](int t) {
//     m = fmaxf(m, score[t]);               m = fmaxf(m, score[t]); };
//   });                          ->     for (int i = threadIdx.x; i < n; i += blockDim.x)
//                                         cuGiven_f(i); }
//
// The lambda then is the caller's own, which is written out where it is called (plain_lambdas.cpp).
// Functions in which threads meet and that are given no more than an operation stay: a group calls
// them as a whole.
#include "analyse/plain_calls.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/meeting_places.h"

namespace cu2cpp::calls {

const clang::LambdaExpr* lambdaGiven(const clang::Expr* argument) {
  for (const clang::Expr* before = nullptr; before != argument;) {
    before = argument;
    argument = argument->IgnoreImplicit()->IgnoreParens();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(argument);
        made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      argument = made->getArg(0);
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(argument))
    return lambda;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument);
  return use ? lambdaOf(llvm::dyn_cast<clang::VarDecl>(use->getDecl())) : nullptr;
}

bool gainsByLambdas(const Caller& caller, const FunctionFacts& f, const clang::CallExpr* call) {
  const FunctionFacts* around = caller.facts.find(caller.body.function);
  const bool meets = around && !meetingPlaces(*around, caller.facts).empty();
  if (!around || (!caller.kernel && !meets))
    return false;
  class Loops : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitForStmt(clang::ForStmt*) override { return !(found = true); }
    bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
  } loops;
  loops.TraverseStmt(f.decl->getBody());
  return std::any_of(call->arg_begin(), call->arg_end(), [&](const clang::Expr* argument) {
    const clang::LambdaExpr* lambda = lambdaGiven(argument);
    return lambda && (meetsInside(lambda, caller.body, caller.facts) ||
                      ((meets || loops.found) && (lambda->capture_size() > 0 ||
                                                  lambda->getCaptureDefault() != clang::LCD_None)));
  });
}

} // namespace cu2cpp::calls

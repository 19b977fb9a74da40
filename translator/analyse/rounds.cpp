// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/rounds.h"

#include <algorithm>
#include <set>

#include "clang/AST/ExprCXX.h"

#include "analyse/lane_loop_parts.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

constexpr unsigned deepest = 4;
constexpr unsigned long long mostCopiesOfRounds = 256;

bool isOfConstantMemory(const clang::VarDecl* variable) {
  return isNamedConstant(variable) || hasMark(variable, "constant");
}

class Rounds : public SyntaxVisitor {
public:
  Rounds(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
  bool fits = true;
  unsigned long long operations = 0;

  bool take(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (depth_ > deepest || !function->hasBody(definition) || definition->isDependentContext() ||
        llvm::isa<clang::CXXConstructorDecl>(definition))
      return fits = false;
    TraverseStmt(definition->getBody());
    return fits;
  }

  bool TraverseForStmt(clang::ForStmt* loop) override {
    const auto steps = stepsBetweenConstants(loop);
    if (!steps || copies_ * *steps > mostCopiesOfRounds)
      return fits = false;
    counters_.insert(
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl()));
    const unsigned long long outside = copies_;
    copies_ *= std::max(*steps, 1ull);
    const bool more = SyntaxVisitor::TraverseForStmt(loop);
    copies_ = outside;
    return more;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const clang::Expr* base = access;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      if (!isOfCounters(at->getIdx()))
        return fits = false;
      base = at->getBase()->IgnoreParenImpCasts();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(base);
    if (use)
      bases_.insert(use);
    return fits = use != nullptr;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable)
      return true;
    if (!variable->hasLocalStorage())
      return fits = isOfConstantMemory(variable) && !variable->getType()->isPointerType();
    // Pointers are what the call gives.
    return fits = !variable->getType()->isPointerType() ||
                  (llvm::isa<clang::ParmVarDecl>(variable) && bases_.count(use));
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    operations += op->getOpcode() == clang::BO_Assign ? 0 : copies_;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || std::any_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
          return argument->getType()->isPointerType();
        }))
      return fits = false;
    if (!facts_.find(callee))
      return fits = isPureHeaderFunction(callee);
    Rounds inner(facts_, depth_ + 1);
    inner.take(callee);
    operations += copies_ * inner.operations;
    return fits = inner.fits;
  }
  bool VisitStmt(clang::Stmt* s) override {
    const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(s);
    return fits &=
           !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::GotoStmt,
                      clang::SwitchStmt, clang::AsmStmt, clang::LambdaExpr, clang::CXXNewExpr,
                      clang::CXXThisExpr, clang::BreakStmt, clang::ContinueStmt>(s) &&
           !(member && member->isArrow()) &&
           !(op && (op->getOpcode() == clang::UO_Deref || op->getOpcode() == clang::UO_AddrOf));
  }

private:
  /// Which element it is known once the loops are written out.
  bool isOfCounters(const clang::Expr* index) const {
    class Names : public SyntaxVisitor {
    public:
      const std::set<const clang::VarDecl*>* counters = nullptr;
      bool fits = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return fits = !variable || counters->count(variable) || isNamedConstant(variable);
      }
      bool VisitCallExpr(clang::CallExpr*) override { return fits = false; }
    } names;
    names.counters = &counters_;
    names.TraverseStmt(const_cast<clang::Expr*>(index));
    return names.fits;
  }

  const Facts& facts_;
  const unsigned depth_;
  unsigned long long copies_ = 1;
  std::set<const clang::VarDecl*> counters_;
  std::set<const clang::DeclRefExpr*> bases_;
};

} // namespace

std::optional<unsigned long long> operationsInRounds(const clang::CallExpr* call,
                                                     const Facts& facts) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !facts.find(callee) || llvm::isa<clang::CXXMethodDecl>(callee) ||
      callee->isVariadic() || call->getNumArgs() != callee->getNumParams() ||
      !(isPureFunction(callee, facts) || changesGivenOnly(callee, facts)))
    return std::nullopt;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    const clang::VarDecl* given = namedBy(call->getArg(i));
    if (type->isPointerType()) {
      if (!given || !hasMark(given, "constant") || !given->getType()->isArrayType())
        return std::nullopt;
    } else if (type->isReferenceType()) {
      if (!given || !given->hasLocalStorage() || isShared(given) ||
          !given->getType()->isArithmeticType() || given->getType().isVolatileQualified())
        return std::nullopt;
    } else if (!type->isArithmeticType() && !isOfNumbers(type)) {
      return std::nullopt;
    }
  }
  Rounds rounds(facts, 0);
  return rounds.take(callee) ? std::optional(rounds.operations) : std::nullopt;
}

} // namespace cu2cpp

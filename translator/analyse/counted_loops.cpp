// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of each thread over its items, whose counters have known bounds.
#include "analyse/counted_loops.h"

#include <set>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The uses of a variable that can do no more than read it. Code of templates has no conversions to
/// values, so that operators tell.
class Reads : public SyntaxVisitor {
public:
  explicit Reads(const clang::VarDecl* variable) : variable_(variable) {}
  std::set<const clang::Expr*> reads, all;

  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      add(cast->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    add(e->getIdx());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (!op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma)
      add(op->getLHS());
    if (op->getOpcode() != clang::BO_Comma)
      add(op->getRHS());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() == variable_)
      all.insert(use);
    return true;
  }

private:
  void add(const clang::Expr* e) { reads.insert(e->IgnoreParens()); }
  const clang::VarDecl* variable_;
};

bool isConstant(const clang::Expr* e, const clang::ASTContext& context) {
  return e->isValueDependent() || e->isEvaluatable(context);
}

bool countsUp(const clang::Expr* step, const clang::VarDecl* counter,
              const clang::ASTContext& context) {
  step = step->IgnoreParens();
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(step))
    return op->isIncrementOp() && namedBy(op->getSubExpr()) == counter;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(step);
  return op && op->getOpcode() == clang::BO_AddAssign && namedBy(op->getLHS()) == counter &&
         constantOf(op->getRHS(), context).value_or(0) > 0;
}

} // namespace

bool onlyReads(const clang::VarDecl* variable, const clang::Stmt* s) {
  Reads uses(variable);
  uses.TraverseStmt(const_cast<clang::Stmt*>(s));
  return std::all_of(uses.all.begin(), uses.all.end(),
                     [&](const clang::Expr* use) { return uses.reads.count(use) != 0; });
}

std::optional<CountedLoop> asCountedLoop(const clang::ForStmt* loop,
                                         const clang::ASTContext& context) {
  constexpr std::int64_t mostItems = 64;
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = declared && declared->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                            : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (!counter || !test || !loop->getInc() || loop->getConditionVariable() || !counter->hasInit() ||
      counter->getType()->isDependentType() || !counter->getType()->isIntegerType() ||
      counter->getType().isVolatileQualified() ||
      (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE))
    return std::nullopt;
  const clang::Expr *const first = counter->getInit(), *const limit = test->getRHS();
  if (namedBy(test->getLHS()) != counter || !isConstant(first, context) ||
      !isConstant(limit, context) || !countsUp(loop->getInc(), counter, context) ||
      !loop->getBody() || !onlyReads(counter, loop->getBody()))
    return std::nullopt;
  const bool reaches = test->getOpcode() == clang::BO_LE;
  const auto from = constantOf(first, context), to = constantOf(limit, context);
  if (from && to && (*to - *from + reaches < 1 || *to - *from > mostItems))
    return std::nullopt;
  return CountedLoop{counter, first, limit, reaches};
}

} // namespace cu2cpp

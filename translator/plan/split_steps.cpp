// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By how much values differ from thread to thread of a row.
#include "plan/splitter.h"

#include "analyse/region_parts.h"

namespace cu2cpp {

unsigned Splitter::stepAlong(llvm::StringRef part, const clang::Expr* e, bool orRank,
                             std::vector<const clang::Expr*>* factors) const {
  const clang::ASTContext& context = plan_.unit.context();
  const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
  if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
      width(e) < 32)
    return 0;
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return stepAlong(part, parens->getSubExpr(), orRank, factors);
  // A place that wraps around would do so elsewhere in a wider type.
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    if (isThreadIndex(from, part))
      return 1;
    return !from->isTypeDependent() && from->getType()->isIntegerType() && width(from) == width(e)
               ? stepAlong(part, from, orRank, factors)
               : 0;
  }
  if (isThreadIndex(e, part) || (orRank && isRankInBlock(e)) || (lanesRise_ && isLane(e)))
    return 1;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && elements_ &&
        variable == (elements_->columns ? elements_->column : elements_->row))
      return 1;
    // What the group has gone on in a loop is the same for all threads.
    return variable &&
                   (isStored(variable, Storage::Recomputed) || isElementPlace(variable) ||
                    (runsRising() && isStored(variable, Storage::Strided))) &&
                   variable->hasInit() && !variable->getInit()->isTypeDependent()
               ? stepAlong(part, variable->getInit(), orRank, factors)
               : 0;
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return 0;
  if (elements_ && elements_->remainders.count(op))
    return 1;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->getOpcode() == clang::BO_Mul) {
    constexpr std::int64_t longest = 64;
    const auto times = [&](const clang::Expr* factor, const clang::Expr* place) -> unsigned {
      clang::Expr::EvalResult by;
      const unsigned step = stepAlong(part, place, orRank, factors);
      if (step == 0)
        return 0;
      if (factor->isValueDependent() || !factor->EvaluateAsInt(by, context)) {
        if (!factors || !isGroupValue(factor, true) || !plan_.text.isWhole(factor))
          return 0;
        factors->push_back(factor);
        return step;
      }
      const std::int64_t value = by.Val.getInt().getExtValue();
      return value > 0 && value * step <= longest ? unsigned(value) * step : 0;
    };
    const unsigned step = times(left, right);
    return step ? step : times(right, left);
  }
  if (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub)
    return 0;
  if (isGroupValue(right, true))
    return stepAlong(part, left, orRank, factors);
  return op->getOpcode() == clang::BO_Add && isGroupValue(left, true)
             ? stepAlong(part, right, orRank, factors)
             : 0;
}

unsigned Splitter::fallInRow(const clang::Expr* e) const {
  const clang::ASTContext& context = plan_.unit.context();
  const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
  if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
      width(e) < 32)
    return 0;
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return fallInRow(parens->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    return !from->isTypeDependent() && from->getType()->isIntegerType() && width(from) == width(e)
               ? fallInRow(from)
               : 0;
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
                   !variable->getInit()->isTypeDependent()
               ? fallInRow(variable->getInit())
               : 0;
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub))
    return 0;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  if (isGroupValue(right, true))
    return fallInRow(left);
  if (!isGroupValue(left, true))
    return 0;
  return op->getOpcode() == clang::BO_Add ? fallInRow(right) : stepInRow(right);
}

bool Splitter::variesInRow(const clang::Expr* e) const {
  class Names : public NamesInRow {
  public:
    const Splitter* splitter = nullptr;
    bool varies = false;
    bool TraverseStmt(clang::Stmt* s) override {
      const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
      return (e && splitter->lanesRise_ && splitter->isWarpNumber(e)) ||
             NamesInRow::TraverseStmt(s);
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (builtinOf(use->getDecl()) == ThreadIdx)
        varies = true;
      else if (variable && variable->hasLocalStorage() && !isShared(variable))
        varies |= splitter->isStored(variable, Storage::Recomputed)
                      ? !variable->hasInit() || splitter->variesInRow(variable->getInit())
                      : splitter->storageOf(variable) != Storage::Block;
      return !varies;
    }
    bool VisitCallExpr(clang::CallExpr*) override { return !(varies = true); }
  } names;
  names.splitter = this;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.varies;
}

bool Splitter::isIndexInRow(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (isPlaceInRow(e))
    return true;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  return op && op->getOpcode() == clang::BO_Add &&
         ((isIndexInRow(op->getLHS()) && !variesInRow(op->getRHS())) ||
          (isIndexInRow(op->getRHS()) && !variesInRow(op->getLHS())));
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/warp_distances.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

bool isWarpSize(const clang::Expr* e, const clang::ASTContext& context) {
  const clang::VarDecl* variable = namedBy(e);
  return (variable && variable->getName() == "warpSize") || constantOf(e, context) == 32;
}

namespace {

/// A loop over a counter of its own, by what stands in its head.
class Head {
public:
  Head(const clang::ForStmt* loop, const clang::ASTContext& context) : context_(context) {
    const auto* start = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    counter = start && start->isSingleDecl()
                  ? llvm::dyn_cast<clang::VarDecl>(start->getSingleDecl())
                  : nullptr;
    step_ = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    condition_ = loop->getCond();
    if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() || !step_ ||
        namedBy(step_->getLHS()) != counter || loop->getConditionVariable() || !condition_)
      counter = nullptr;
  }
  const clang::VarDecl* counter = nullptr;

  bool halves() const {
    return counter && isWarpSizeHalved(counter->getInit()) &&
           (isStep(clang::BO_ShrAssign, 1) || isStep(clang::BO_DivAssign, 2)) && endsAtZero();
  }
  bool doubles() const {
    return counter && constantOf(counter->getInit(), context_) == 1 &&
           (isStep(clang::BO_ShlAssign, 1) || isStep(clang::BO_MulAssign, 2)) && endsAtWarp();
  }

private:
  bool isNumber(const clang::BinaryOperator* op, long long number) const {
    return constantOf(op->getRHS(), context_) == number;
  }
  bool isStep(clang::BinaryOperatorKind kind, long long number) const {
    return step_->getOpcode() == kind && isNumber(step_, number);
  }
  bool isWarpSizeHalved(const clang::Expr* e) const {
    if (constantOf(e, context_) == 16)
      return true;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    return op && isWarpSize(op->getLHS(), context_) &&
           ((op->getOpcode() == clang::BO_Div && isNumber(op, 2)) ||
            (op->getOpcode() == clang::BO_Shr && isNumber(op, 1)));
  }
  /// `o > 0`, `o >= 1`, `o != 0`, `o`
  bool endsAtZero() const {
    if (namedBy(condition_) == counter)
      return true;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition_->IgnoreParenImpCasts());
    if (!op || namedBy(op->getLHS()) != counter)
      return false;
    return op->getOpcode() == clang::BO_GE
               ? isNumber(op, 1)
               : (op->getOpcode() == clang::BO_GT || op->getOpcode() == clang::BO_NE) &&
                     isNumber(op, 0);
  }
  /// `o < 32`, `o <= 16`
  bool endsAtWarp() const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition_->IgnoreParenImpCasts());
    if (!op || namedBy(op->getLHS()) != counter)
      return false;
    return op->getOpcode() == clang::BO_LT   ? isWarpSize(op->getRHS(), context_)
           : op->getOpcode() == clang::BO_LE ? isNumber(op, 16)
                                             : false;
  }

  const clang::ASTContext& context_;
  const clang::BinaryOperator* step_ = nullptr;
  const clang::Expr* condition_ = nullptr;
};

} // namespace

const clang::CallExpr* wholeShuffle(const clang::Expr* e, llvm::StringRef name,
                                    const clang::ASTContext& context) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || syncScope(callee) != Scope::Warp || !callee->getDeclName().isIdentifier() ||
      callee->getName() != name || call->getNumArgs() < 3)
    return nullptr;
  const auto mask = constantOf(call->getArg(0), context);
  if (!mask || static_cast<unsigned>(*mask) != ~0u)
    return nullptr;
  if (call->getNumArgs() > 3)
    if (const clang::Expr* width = call->getArg(3);
        !llvm::isa<clang::CXXDefaultArgExpr>(width) && !isWarpSize(width, context))
      return nullptr;
  return call;
}

const clang::VarDecl* halvedDistance(const clang::ForStmt* loop, const clang::ASTContext& context) {
  const Head head(loop, context);
  return head.halves() ? head.counter : nullptr;
}

const clang::VarDecl* doubledDistance(const clang::ForStmt* loop,
                                      const clang::ASTContext& context) {
  const Head head(loop, context);
  return head.doubles() ? head.counter : nullptr;
}

} // namespace cu2cpp

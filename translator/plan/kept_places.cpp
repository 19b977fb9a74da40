// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/kept_places.h"

#include <algorithm>

#include "analyse/clamp_functions.h"
#include "analyse/region_parts.h"
#include "analyse/rests.h"

namespace cu2cpp {
namespace {

const clang::Expr* plain(const clang::Expr* e) { return e->IgnoreParenImpCasts(); }

class Finder : public SyntaxVisitor {
public:
  explicit Finder(const clang::ASTContext& context) : context_(context) {}
  std::vector<KeptPlace> found;

  bool shouldTraversePostOrder() const override { return true; }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    const auto counted = asCountedLoop(loop, context_);
    if (!counted)
      return SyntaxVisitor::TraverseForStmt(loop);
    loops_.push_back(*counted);
    const bool goOn = SyntaxVisitor::TraverseForStmt(loop);
    loops_.pop_back();
    return goOn;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    if (!isNumber(choice))
      return true;
    std::vector<const clang::Expr*> sides;
    addSides(choice->getCond(), sides);
    for (const bool answer : {true, false}) {
      const clang::Expr* arm = answer ? choice->getTrueExpr() : choice->getFalseExpr();
      if (std::any_of(sides.begin(), sides.end(),
                      [&](const clang::Expr* side) { return leadsTo(arm, side); }))
        add({choice, choice->getCond(), answer, {}, arm});
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!isNumber(call) || !takesOneType(call))
      return true;
    if (isMinOrMax(call->getDirectCallee())) {
      const bool least = call->getDirectCallee()->getName() == "max";
      for (const unsigned i : {0u, 1u})
        if (call->getNumArgs() == 2)
          add({call,
               nullptr,
               false,
               {{least ? "atLeast" : "atMost", call->getArg(1 - i)}},
               call->getArg(i)});
    } else if (const auto clamps = clampFunction(call->getDirectCallee())) {
      KeptPlace kept{call, nullptr, false, {}, call->getArg(clamps->place)};
      for (const ClampFunction::Bound& bound : clamps->bounds)
        kept.bounds.push_back(
            {bound.least    ? bound.beyond ? "above" : "atLeast"
             : bound.beyond ? "below"
                            : "atMost",
             bound.parameter < 0 ? nullptr : call->getArg(unsigned(bound.parameter)),
             bound.number});
      add(std::move(kept));
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->getOpcode() != clang::BO_Rem || !isNumber(op) ||
        !isOfType(op->getLHS(), op->getType()) || !isOfType(op->getRHS(), op->getType()) ||
        !isRestOfSum(op, context_))
      return true;
    const bool isMore = isPartOf(op->getLHS(), op->getRHS(), context_);
    KeptPlace kept{op, nullptr, false, {}, op->getLHS(), isMore ? op->getRHS() : nullptr};
    kept.bounds = {{"atLeast", kept.less}, {"below", op->getRHS(), 0, true}};
    add(std::move(kept));
    return true;
  }

private:
  static bool isNumber(const clang::Expr* e) {
    return !e->isTypeDependent() && e->getType()->isIntegerType() &&
           !e->getType()->isBooleanType() && !e->getType()->isEnumeralType() &&
           !e->getType().isVolatileQualified();
  }
  bool isOfType(const clang::Expr* e, clang::QualType type) const {
    return !e->isTypeDependent() && context_.hasSameUnqualifiedType(plain(e)->getType(), type);
  }
  bool takesOneType(const clang::CallExpr* call) const {
    return std::all_of(call->arg_begin(), call->arg_end(), [&](const clang::Expr* argument) {
      return !llvm::isa<clang::CXXDefaultArgExpr>(argument) &&
             isOfType(argument, call->getType().getNonReferenceType());
    });
  }
  void add(KeptPlace kept) {
    kept.loops = loops_;
    found.push_back(std::move(kept));
  }
  /// What a condition compares.
  static void addSides(const clang::Expr* condition, std::vector<const clang::Expr*>& sides) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plain(condition));
    if (!op)
      return;
    if (op->isLogicalOp()) {
      addSides(op->getLHS(), sides);
      addSides(op->getRHS(), sides);
    } else if (op->isRelationalOp()) {
      sides.push_back(op->getLHS());
      sides.push_back(op->getRHS());
    }
  }
  /// Whether a value is a place, or a choice one of whose ways leads to it.
  bool leadsTo(const clang::Expr* value, const clang::Expr* place) const {
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(plain(value)))
      return leadsTo(choice->getTrueExpr(), place) || leadsTo(choice->getFalseExpr(), place);
    return areAlike(value, place, context_);
  }
  const clang::ASTContext& context_;
  std::vector<CountedLoop> loops_;
};

} // namespace

std::vector<KeptPlace> findKeptPlaces(const clang::Stmt* body, const clang::ASTContext& context) {
  Finder finder(context);
  finder.TraverseStmt(const_cast<clang::Stmt*>(body));
  return std::move(finder.found);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that run outside of the loop over threads (lane_loops.cpp): those in which each warp of a
// block walks along a row of memory of its own.
#include "analyse/lane_loop_parts.h"

#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

constexpr unsigned deepest = 12;

/// A variable that only ever has the value that it is declared with.
const clang::Expr* valueOf(const clang::Expr* e, const LoopSteps& steps) {
  const clang::VarDecl* variable = namedBy(e->IgnoreParenCasts());
  const LocalVariable* local = variable ? steps.uniformity.find(variable) : nullptr;
  return local && !local->modified && !local->escapes && !llvm::isa<clang::ParmVarDecl>(variable)
             ? variable->getInit()
             : nullptr;
}

/// By how much a loop's variable grows in each step, if by a number; else 0.
std::int64_t growthIn(const clang::ForStmt* loop, const clang::ASTContext& context) {
  if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc()))
    return op->isIncrementOp() ? 1 : 0;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  return op && op->getOpcode() == clang::BO_AddAssign
             ? constantOf(op->getRHS(), context).value_or(0)
             : 0;
}

/// Whether a place names the row of threads: `threadIdx.y`.
class NamesRow : public SyntaxVisitor {
public:
  explicit NamesRow(const LoopSteps& steps) : steps_(steps) {}
  bool found = false;
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
    found |=
        use && builtinOf(use->getDecl()) == ThreadIdx && member->getMemberDecl()->getName() != "x";
    return !found;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const clang::Expr* value = valueOf(use, steps_); value && seen_.insert(value).second)
      TraverseStmt(const_cast<clang::Expr*>(value));
    return !found;
  }

private:
  const LoopSteps& steps_;
  std::set<const clang::Expr*> seen_;
};

class Walks : public SyntaxVisitor {
public:
  Walks(const LoopSteps& steps, const clang::ForStmt* loop)
      : steps_(steps), context_(steps.function->getASTContext()), variable_(steps.variableOf(loop)),
        growth_(growthIn(loop, context_)) {}
  bool found = false;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const clang::Expr* base = access->getBase()->IgnoreParenImpCasts();
    if (found || !base->getType()->isPointerType() || ownArray(base) ||
        steps_.step(access->getIdx(), Scope::Block) != Step::One ||
        distance(access->getIdx()) != std::int64_t(steps_.facts.lanesTogether))
      return !found;
    NamesRow names(steps_);
    names.TraverseStmt(access);
    found = names.found;
    return !found;
  }

private:
  /// How far a place moves in each step, as far as numbers tell.
  std::int64_t distance(const clang::Expr* place, unsigned depth = 0) const {
    place = place->IgnoreParenCasts();
    if (depth > deepest)
      return 0;
    if (variable_ && namedBy(place) == variable_)
      return growth_;
    if (const clang::Expr* value = valueOf(place, steps_))
      return distance(value, depth + 1);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(place);
    if (!op)
      return 0;
    if (op->getOpcode() == clang::BO_Add)
      return distance(op->getLHS(), depth + 1) + distance(op->getRHS(), depth + 1);
    if (op->getOpcode() != clang::BO_Mul)
      return 0;
    constexpr std::int64_t most = 1024;
    const std::int64_t left = distance(op->getLHS(), depth + 1),
                       right = distance(op->getRHS(), depth + 1);
    const auto by = constantOf(left ? op->getRHS() : op->getLHS(), context_);
    return by && *by > 0 && *by <= most && left + right <= most ? *by * (left + right) : 0;
  }

  const LoopSteps& steps_;
  const clang::ASTContext& context_;
  const clang::VarDecl* const variable_;
  const std::int64_t growth_;
};

} // namespace

bool walksByWarps(const LoopSteps& steps, const clang::ForStmt* loop) {
  Walks walks(steps, loop);
  walks.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
  return walks.found;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads change for themselves in each step, and ask for only in a branch that fewer of them
// take from step to step, they change in that branch (for compilers only):
//
//   for (int step = n - 1; step >= 0; --step) {     for (int step = n - 1; step >= 0; --step) {
//     spot *= up;
//     if (j <= step) {                                if (j <= step) { spot *= up;
//       v = fmaxf(..., strike - spot);         ->       v = fmaxf(..., strike - spot);
//       ...                                             ...
//     }                                               }
//     __syncthreads();                                __syncthreads();
//   }                                               }
//
// A thread that is left out once is left out for good, and nobody asks for its value again. Threads
// outside of the range then have nothing to do: on a lattice they are half of them.
#include "analyse/plain_body.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// Whether an integer is as it is in each step, or rises (1) or falls (-1) with the loop's counter:
/// sums of signed numbers, which do not overflow. Nothing where that is not known.
class Trend {
public:
  Trend(const PlainBody& body, const clang::ForStmt* loop, const clang::VarDecl* counter,
        int direction)
      : body_(body), inLoop_(Contents(loop).declares), counter_(counter), direction_(direction) {}

  std::optional<int> of(const clang::Expr* e) const {
    e = e->IgnoreParens();
    if (e->isTypeDependent() || !e->getType()->isSignedIntegerType() ||
        e->getType().isVolatileQualified())
      return std::nullopt;
    if (isSteady(e))
      return 0;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const clang::ASTContext& context = body_.unit.context();
      const clang::QualType from = cast->getSubExpr()->getType();
      return from->isSignedIntegerType() &&
                     context.getTypeSize(from) <= context.getTypeSize(e->getType())
                 ? of(cast->getSubExpr())
                 : std::nullopt;
    }
    if (namedBy(e) == counter_)
      return direction_;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !op->isAdditiveOp())
      return std::nullopt;
    const std::optional<int> left = of(op->getLHS());
    std::optional<int> right = of(op->getRHS());
    if (!left || !right)
      return std::nullopt;
    if (op->getOpcode() == clang::BO_Sub)
      right = -*right;
    return *left == 0 || *left == *right ? right : *right == 0 ? left : std::nullopt;
  }

  /// Whether a condition that does not hold in one step holds in no later one; `narrows`: and one
  /// of its parts may stop to hold.
  bool isShrinking(const clang::Expr* condition, bool& narrows) const {
    condition = plainly(condition);
    if (condition->isTypeDependent())
      return false;
    if (isSteady(condition))
      return true;
    if (const clang::VarDecl* flag = namedBy(condition)) {
      const LocalVariable* local = body_.variables.find(flag);
      return local && flags.count(flag) && !local->modified && !local->escapes &&
             flag->getType()->isBooleanType() && isShrinking(flag->getInit(), narrows);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_LAnd)
      return isShrinking(op->getLHS(), narrows) && isShrinking(op->getRHS(), narrows);
    if (!op->isRelationalOp())
      return false;
    const std::optional<int> left = of(op->getLHS()), right = of(op->getRHS());
    if (!left || !right)
      return false;
    const bool below = op->getOpcode() == clang::BO_LT || op->getOpcode() == clang::BO_LE;
    const int less = below ? *left : *right, more = below ? *right : *left;
    narrows |= less > 0 || more < 0;
    return less >= 0 && more <= 0;
  }

  std::set<const clang::VarDecl*> flags; ///< declared in the step, before the branch

private:
  /// Whether an expression has the same value in each step.
  bool isSteady(const clang::Expr* e) const {
    const Contents named(e);
    return body_.isFixed(e) && std::none_of(named.uses.begin(), named.uses.end(),
                                            [&](auto* use) { return inLoop_.count(use) != 0; });
  }

  const PlainBody& body_;
  const std::set<const clang::VarDecl*> inLoop_; ///< declared there: each step has its own
  const clang::VarDecl* const counter_;
  const int direction_;
};

/// A loop's own counter, which nothing but its head changes, and by how much: 1 or -1.
const clang::VarDecl* counterOf(const clang::ForStmt* loop, const PlainBody& body, int& direction) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  const LocalVariable* local = counter ? body.variables.find(counter) : nullptr;
  if (!counter || counter->getType()->isDependentType() || !step ||
      !step->isIncrementDecrementOp() || namedBy(step->getSubExpr()) != counter || !local ||
      local->escapes || local->assignments.size() != 1 || counter->getType()->isReferenceType() ||
      loop->getConditionVariable() || body.unit.context().getTypeSize(counter->getType()) < 32)
    return nullptr;
  direction = step->isIncrementOp() ? 1 : -1;
  return counter;
}

/// The local variable of a number that a statement changes, and does nothing else.
const clang::VarDecl* updatedBy(const clang::Stmt* s, const PlainBody& body) {
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  const auto* update = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens()) : nullptr;
  if (!update || update != e || !update->isAssignmentOp() || update->isTypeDependent() ||
      update->getRHS()->HasSideEffects(body.unit.context()))
    return nullptr;
  const clang::VarDecl* variable = namedBy(update->getLHS());
  const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
  // (What is one for the block is changed once for the block.)
  return local && local->statement && !local->escapes && !local->uniform &&
                 variable->hasLocalStorage() && variable->getType()->isArithmeticType() &&
                 !variable->getType().isVolatileQualified()
             ? variable
             : nullptr;
}

/// Declarations that do nothing but to give first values to variables.
bool onlyDeclares(const clang::Stmt* s, const PlainBody& body,
                  std::set<const clang::VarDecl*>& declared) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
  if (!declaration)
    return false;
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || !variable->hasLocalStorage() || !variable->hasInit() ||
        !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified() ||
        variable->getInit()->HasSideEffects(body.unit.context()))
      return false;
    declared.insert(variable);
  }
  return true;
}

/// Whether a variable is asked for by nothing behind a loop, nor in front of it again: what is not
/// in the loop stands between its declaration and the loop, and no loop is around both.
bool isDoneBehind(const clang::VarDecl* variable, const clang::ForStmt* loop,
                  const PlainBody& body) {
  const LocalVariable* local = body.variables.find(variable);
  const clang::ParentMap& parents = body.variables.parents();
  const clang::Stmt* const home = parents.getParent(local->statement);
  const clang::Stmt* around = parents.getParent(loop);
  while (around && around != home) {
    if (isLoop(around))
      return false;
    around = parents.getParent(around);
  }
  const auto places = body.placesOf(variable);
  const auto range = body.text.rangeOf(loop->getSourceRange());
  const auto declared = body.text.positionOf(variable->getLocation());
  return around && llvm::isa<clang::CompoundStmt>(home) && places && range && declared &&
         declared->file == range->file && (places->empty() || places->rbegin()->first < range->end);
}

class ShrinkingRange {
public:
  ShrinkingRange(const PlainBody& body, const clang::ForStmt* loop) : body_(body), loop_(loop) {}

  const clang::BinaryOperator* update = nullptr;
  const clang::IfStmt* branch = nullptr;

  bool find() {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop_->getBody());
    int direction = 0;
    const clang::VarDecl* const counter = counterOf(loop_, body_, direction);
    if (!list || !counter || std::none_of(list->body_begin(), list->body_end(), isBarrier))
      return false;
    const Contents all(loop_->getBody());
    if (!all.jumps.empty() || all.returns || all.labels)
      return false;
    for (auto s = list->body_begin(); s != list->body_end(); ++s)
      if (const clang::VarDecl* variable = updatedBy(*s, body_)) {
        Trend trend(body_, loop_, counter, direction);
        auto next = s + 1;
        while (next != list->body_end() && onlyDeclares(*next, body_, trend.flags))
          ++next;
        branch = next != list->body_end() ? llvm::dyn_cast<clang::IfStmt>(*next) : nullptr;
        update = llvm::cast<clang::BinaryOperator>(*s);
        if (branch && fits(variable, trend) && isDoneBehind(variable, loop_, body_))
          return true;
      }
    return false;
  }

private:
  bool fits(const clang::VarDecl* variable, const Trend& trend) const {
    bool narrows = false;
    if (branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        branch->isConstexpr() || branch->isConsteval() ||
        branch->getCond()->HasSideEffects(body_.unit.context()) ||
        !trend.isShrinking(branch->getCond(), narrows) || !narrows ||
        countUses(loop_, variable) !=
            countUses(update, variable) + countUses(branch->getThen(), variable))
      return false;
    // A name that is declared on the way would mean another variable there.
    Names named;
    named.TraverseStmt(const_cast<clang::BinaryOperator*>(update));
    return std::none_of(trend.flags.begin(), trend.flags.end(), [&](const clang::VarDecl* flag) {
      return named.all.count(flag->getNameAsString()) != 0;
    });
  }
  struct Names : SyntaxVisitor {
    std::set<std::string> all;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      all.insert(use->getNameInfo().getAsString());
      return true;
    }
  };

  const PlainBody& body_;
  const clang::ForStmt* const loop_;
};

} // namespace

void updateWithin(const PlainBody& body) {
  for (const clang::Stmt* s : body.contents.loops) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    if (!loop || loop->getBeginLoc().isMacroID())
      continue;
    ShrinkingRange found(body, loop);
    if (!found.find())
      continue;
    const auto* then = llvm::dyn_cast<clang::CompoundStmt>(found.branch->getThen());
    const auto from = body.text.positionOf(found.update->getBeginLoc());
    const auto end = from ? body.behindStatement(found.update, *from) : std::nullopt;
    const auto into = then ? body.text.positionOf(then->getLBracLoc()) : std::nullopt;
    if (!end || !into || into->file != from->file || !body.isSpelled(found.update) ||
        found.branch->getBeginLoc().isMacroID() || then->getLBracLoc().isMacroID())
      continue;
    const FileRange range{from->file, from->offset, *end};
    const std::optional<std::string> moved = onOneLine(body.text.text(range));
    if (!moved)
      continue;
    body.put(from->file, {{range.begin, {range.end, withLinesOf(body.text.text(range), "")}},
                          {into->offset + 1, {into->offset + 1, " " + *moved}}});
  }
}

} // namespace cu2cpp

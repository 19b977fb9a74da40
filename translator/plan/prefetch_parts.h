// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules for fetching ahead read of a kernel's code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "clang/AST/ASTContext.h"

#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {

/// The array elements that a statement names.
class Accesses : public SyntaxVisitor {
public:
  explicit Accesses(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<const clang::ArraySubscriptExpr*> all;
  bool hasLoop = false;
  bool inLoop = false; ///< a loop passes over memory: what lies next to the block is soon gone
  bool TraverseStmt(clang::Stmt* s) override {
    const bool loop = llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    hasLoop |= loop;
    loops_ += loop;
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    loops_ -= loop;
    return goesOn;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->getBase()->IgnoreParenImpCasts());
    inLoop |= loops_ > 0 && use && llvm::isa<clang::ParmVarDecl>(use->getDecl());
    all.push_back(e);
    return true;
  }

private:
  unsigned loops_ = 0;
};

/// The loops around a statement, the outermost first; `known`: all of them are for loops.
class LoopsAround : public SyntaxVisitor {
public:
  LoopsAround(const clang::Stmt* body, const clang::Stmt* inner) : inner_(inner) {
    TraverseStmt(const_cast<clang::Stmt*>(body));
  }
  std::vector<const clang::ForStmt*> all;
  bool known = true;
  bool TraverseStmt(clang::Stmt* s) override {
    if (s == inner_) {
      all = open_;
      known = unknown_ == 0;
    }
    const bool unknown = llvm::isa_and_nonnull<clang::WhileStmt, clang::DoStmt>(s);
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(s);
    unknown_ += unknown;
    if (loop)
      open_.push_back(loop);
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    if (loop)
      open_.pop_back();
    unknown_ -= unknown;
    return goesOn;
  }

private:
  const clang::Stmt* inner_;
  std::vector<const clang::ForStmt*> open_;
  unsigned unknown_ = 0;
};

/// The array elements that a kernel names in no loop, or in loops that take a few steps whatever
/// the kernel is given. `ofRows`: also in those that each row of threads begins elsewhere.
class AccessesInBlock : public SyntaxVisitor {
public:
  explicit AccessesInBlock(const clang::ASTContext& context, bool ofRows = false)
      : context_(context), ofRows_(ofRows) {}
  struct Access {
    const clang::ArraySubscriptExpr* element;
    std::vector<const clang::ForStmt*> loops; ///< around it, the outermost first
  };
  std::vector<Access> all;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    if (!isShort(loop))
      return true;
    loops_.push_back(loop);
    const bool goesOn = SyntaxVisitor::TraverseForStmt(loop);
    loops_.pop_back();
    return goesOn;
  }
  bool TraverseWhileStmt(clang::WhileStmt*) override { return true; }
  bool TraverseDoStmt(clang::DoStmt*) override { return true; }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    all.push_back({e, loops_});
    return true;
  }
  static const clang::VarDecl* counterOf(const clang::ForStmt* loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    return declared && declared->isSingleDecl()
               ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
               : nullptr;
  }

  /// startsAtRow() finds `for (int j = threadIdx.y; j < TILE; j += ROWS)`.
  static bool startsAtRow(const clang::ForStmt* loop) {
    return isPart(counterOf(loop)->getInit()->IgnoreParenCasts(), ThreadIdx, "y");
  }

private:
  /// `for (int j = 0; j < TILE; j += ROWS)`
  bool isShort(const clang::ForStmt* loop) const {
    constexpr std::int64_t most = 64;
    const clang::VarDecl* counter = counterOf(loop);
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    const auto* one = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    const bool isOfRows = ofRows_ && counter && counter->hasInit() && startsAtRow(loop);
    if (!counter || !counter->hasInit() || !test ||
        !(isOfRows || isConstant(counter->getInit(), nullptr)) ||
        (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) ||
        namedBy(test->getLHS()) != counter)
      return false;
    std::int64_t limit = 0, by = 0;
    if (!isConstant(test->getRHS(), &limit))
      return false;
    if (isOfRows) {
      constexpr std::int64_t mostSteps = 16;
      return step && step->getOpcode() == clang::BO_AddAssign &&
             namedBy(step->getLHS()) == counter && isConstant(step->getRHS(), &by) && by >= 0 &&
             limit <= mostSteps * std::max<std::int64_t>(by, 1);
    }
    if (limit > most)
      return false;
    return one ? one->isIncrementOp() && namedBy(one->getSubExpr()) == counter
               : step && step->getOpcode() == clang::BO_AddAssign &&
                     namedBy(step->getLHS()) == counter && isConstant(step->getRHS(), nullptr);
  }
  /// Constants of a template count as small ones.
  bool isConstant(const clang::Expr* e, std::int64_t* value) const {
    clang::Expr::EvalResult result;
    if (e->isValueDependent())
      return true;
    if (!e->EvaluateAsInt(result, context_))
      return false;
    if (value)
      *value = result.Val.getInt().getExtValue();
    return true;
  }
  const clang::ASTContext& context_;
  const bool ofRows_;
  std::vector<const clang::ForStmt*> loops_;
};

/// A place that the kernel's own statements move on: `int i = start; ... i += step; out[i] = 0;`
class MovedPlace : public SyntaxVisitor {
public:
  MovedPlace(const clang::CompoundStmt* body, const clang::ArraySubscriptExpr* access)
      : place_(namedBy(access->getIdx())) {
    if (!place_ || !place_->hasLocalStorage() || !place_->hasInit() ||
        llvm::isa<clang::ParmVarDecl>(place_) || !place_->getType()->isIntegerType())
      return;
    bool declared = false, reached = false;
    unsigned moves = 0;
    for (const clang::Stmt* s : body->body()) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      declared |= declaration && llvm::is_contained(declaration->decls(), place_);
      if (const auto* move = llvm::dyn_cast<clang::CompoundAssignOperator>(s);
          move && move->getOpcode() == clang::BO_AddAssign && namedBy(move->getLHS()) == place_) {
        ++moves;
        if (!reached)
          steps.push_back(move->getRHS());
      }
      reached |= llvm::is_contained(Accesses(s).all, access);
    }
    TraverseStmt(const_cast<clang::CompoundStmt*>(body));
    if (declared && reached && moves > 0 && named_ == loaded_ + moves)
      start = place_->getInit();
  }
  const clang::Expr* start = nullptr; ///< null if it is none
  std::vector<const clang::Expr*> steps;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    named_ += use->getDecl() == place_;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    loaded_ += cast->getCastKind() == clang::CK_LValueToRValue && use && use->getDecl() == place_;
    return true;
  }

private:
  const clang::VarDecl* place_;
  unsigned named_ = 0, loaded_ = 0;
};

/// Stores are the elements that are assigned.
class Stores : public SyntaxVisitor {
public:
  explicit Stores(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::set<const clang::Expr*> elements;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      elements.insert(op->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (call->isAssignmentOp())
      elements.insert(call->getArg(0)->IgnoreParens());
    return true;
  }
};

/// Whether a place lies a few elements beside another: its row comes with the other's.
bool isNearAnother(const clang::Expr* place, const clang::ASTContext& context);

/// isHarmless() tells what may be computed for a step or a block that may not come: nothing that
/// reads memory, divides, or calls what does more than to keep an integer within bounds. `isThere`:
/// of variables that have their value by then, whatever it was made of.
bool isHarmless(const clang::Expr* e,
                const std::function<bool(const clang::VarDecl*)>& isThere = nullptr,
                unsigned depth = 0);

} // namespace cu2cpp

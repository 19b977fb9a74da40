// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What statements on both sides of a barrier read and write of shared arrays, and at which distance
// from the element of each thread.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "analyse/uniformity.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// What statements read and write, as far as it fits: elements of arrays that are named.
class ShiftedAccesses : public SyntaxVisitor {
public:
  bool fits = true;
  std::vector<const clang::ArraySubscriptExpr*> read, written; ///< of shared arrays

  /// `facts`: functions of the user that only compute may be called, too.
  explicit ShiftedAccesses(const std::vector<const clang::Stmt*>& statements,
                           const Facts* facts = nullptr)
      : facts_(facts) {
    for (const clang::Stmt* s : statements)
      TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits &= !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt,
                              clang::GotoStmt, clang::ReturnStmt, clang::BreakStmt,
                              clang::ContinueStmt, clang::AsmStmt, clang::LambdaExpr,
                              clang::CXXConstructExpr, clang::CXXNewExpr, clang::CXXThisExpr>(s);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    // Functions that compute: none that might reach memory.
    const clang::FunctionDecl* callee = call->getDirectCallee();
    static const std::set<std::string> known{"min", "max", "fminf", "fmaxf", "fmin", "fmax"};
    return fits &= callee && callee->getIdentifier() &&
                   (known.count(callee->getName().str()) ||
                    (facts_ && !llvm::isa<clang::CXXMethodDecl>(callee) &&
                     isPureFunction(callee, *facts_)));
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      store(op->getSubExpr(), true);
    return fits &= op->getOpcode() != clang::UO_AddrOf && op->getOpcode() != clang::UO_Deref;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      store(op->getLHS(), op->isCompoundAssignmentOp());
    return fits;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return fits &= !variable->getType()->isReferenceType() && !variable->isStaticLocal();
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    return fits &= !use->getDecl()->getType()->isReferenceType(); // it may be an element
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const clang::VarDecl* array = namedBy(element->getBase());
    // Of a kernel's array in memory, which no shared array is part of, it may read.
    const bool given = array && llvm::isa<clang::ParmVarDecl>(array);
    const bool own = array && isShared(array) && array->getType()->isArrayType() &&
                     !array->getType()->getAsArrayTypeUnsafe()->getElementType()->isArrayType() &&
                     !element->getType().isVolatileQualified();
    fits &= given || own;
    if (own && !stored_.count(element))
      read.push_back(element);
    return fits;
  }

private:
  void store(const clang::Expr* to, bool reads) {
    to = to->IgnoreParenImpCasts();
    if (const clang::VarDecl* variable = namedBy(to)) {
      fits &= variable->hasLocalStorage() && !isShared(variable) &&
              !variable->getType()->isReferenceType();
      return;
    }
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(to);
    const clang::VarDecl* array = element ? namedBy(element->getBase()) : nullptr;
    fits &= array && isShared(array);
    if (!fits)
      return;
    written.push_back(element);
    if (!reads)
      stored_.insert(element);
  }
  const Facts* facts_;
  std::set<const clang::Stmt*> stored_;
};

class ShiftedPlaces {
public:
  explicit ShiftedPlaces(const Uniformity& uniformity) : uniformity_(uniformity) {}

  /// Where a read lies beside the place that a thread writes: -1 before it, 1 behind it, 0 there.
  std::optional<int> side(const clang::Expr* read, const clang::Expr* own) const {
    if (isSame(read, own))
      return 0;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(read->IgnoreParenImpCasts());
    if (!op || !op->isAdditiveOp() || !isSame(op->getLHS(), own) ||
        !uniformity_.isUniform(op->getRHS()) || !isNotNegative(op->getRHS(), 0))
      return std::nullopt;
    return op->getOpcode() == clang::BO_Sub ? -1 : 1;
  }
  /// Whether two places are one, which grows by one from thread to thread.
  bool isSame(const clang::Expr* a, const clang::Expr* b) const {
    const clang::VarDecl* variable = namedBy(a);
    return (isOwn(a) && isOwn(b)) || (variable && variable == namedBy(b) && isPlace(a));
  }
  /// threadIdx.x and a number that is one for the block, kept in a variable: `i` after
  /// `const int i = base + threadIdx.x`.
  bool isPlace(const clang::Expr* e) const {
    const clang::VarDecl* variable = namedBy(e);
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    if (isOwn(e))
      return true;
    if (!local || local->modified || local->escapes || !variable->hasInit() ||
        !variable->getType()->isIntegerType())
      return false;
    const auto* sum =
        llvm::dyn_cast<clang::BinaryOperator>(variable->getInit()->IgnoreParenImpCasts());
    return sum && sum->getOpcode() == clang::BO_Add &&
           ((isOwn(sum->getLHS()) && uniformity_.isUniform(sum->getRHS())) ||
            (isOwn(sum->getRHS()) && uniformity_.isUniform(sum->getLHS())));
  }
  /// threadIdx.x, or a variable that keeps it.
  bool isOwn(const clang::Expr* e, unsigned depth = 0) const {
    e = behindWideCasts(e);
    if (isPart(e, ThreadIdx, "x"))
      return true;
    const clang::VarDecl* variable = namedBy(e);
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    return local && !local->modified && !local->escapes && variable->hasInit() && depth < 8 &&
           !variable->getType()->isReferenceType() && isOwn(variable->getInit(), depth + 1);
  }

private:
  /// A distance that begins so and is only doubled, halved or raised.
  bool isNotNegative(const clang::Expr* e, unsigned depth) const {
    if (uniformity_.isNeverNegative(e))
      return true;
    e = e->IgnoreParenImpCasts();
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (product && depth <= 4 &&
        (product->getOpcode() == clang::BO_Shl || product->getOpcode() == clang::BO_Mul ||
         product->getOpcode() == clang::BO_Add || product->getOpcode() == clang::BO_Div))
      return isNotNegative(product->getLHS(), depth + 1) &&
             isNotNegative(product->getRHS(), depth + 1);
    const clang::VarDecl* variable = namedBy(e);
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    if (!local || local->escapes || !variable->hasInit() || depth > 4 ||
        !isNotNegative(variable->getInit(), depth + 1))
      return false;
    return std::all_of(
        local->assignments.begin(), local->assignments.end(), [&](const clang::Expr* change) {
          change = change->IgnoreParens();
          if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(change))
            return step->isIncrementOp();
          const auto* op = llvm::dyn_cast<clang::BinaryOperator>(change);
          if (!op || op->getRHS()->isValueDependent())
            return false;
          switch (op->getOpcode()) {
          case clang::BO_MulAssign:
          case clang::BO_DivAssign:
          case clang::BO_ShlAssign:
          case clang::BO_ShrAssign:
          case clang::BO_AddAssign:
            return isNotNegative(op->getRHS(), depth + 1);
          case clang::BO_Assign: { // d = d * 2
            const auto* grown =
                llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
            return grown && namedBy(grown->getLHS()) == variable &&
                   (grown->getOpcode() == clang::BO_Mul || grown->getOpcode() == clang::BO_Div ||
                    grown->getOpcode() == clang::BO_Shl || grown->getOpcode() == clang::BO_Shr ||
                    grown->getOpcode() == clang::BO_Add) &&
                   isNotNegative(grown->getRHS(), depth + 1);
          }
          default:
            return false;
          }
        });
  }
  const Uniformity& uniformity_;
};

} // namespace cu2cpp

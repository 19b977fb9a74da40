// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "analyse/tile_loops.h"

namespace cu2cpp {
namespace {

/// What is added in such a loop: arithmetic with elements of shared tables.
class Added : public SyntaxVisitor {
public:
  Added(const clang::FunctionDecl* function, const clang::VarDecl* sum)
      : sum_(sum), alongRow_(function->getBody(), "x"), alongColumn_(function->getBody(), "y") {}
  bool fits = true;
  bool ofRow = false;    ///< an element is one for a row of threads, and differs from row to row
  bool ofColumn = false; ///< neighbours read neighbours, and all rows of threads the same

  bool VisitStmt(clang::Stmt* s) override {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(s);
    return fits =
               fits &&
               (llvm::isa<clang::ArraySubscriptExpr, clang::ParenExpr, clang::IntegerLiteral,
                          clang::FloatingLiteral, clang::MemberExpr, clang::OpaqueValueExpr,
                          clang::PseudoObjectExpr, clang::MSPropertyRefExpr, clang::CallExpr>(s)
                    ? !llvm::isa<clang::CallExpr, clang::MemberExpr, clang::PseudoObjectExpr>(s) ||
                          asBuiltinPart(llvm::cast<clang::Expr>(s)).has_value()
                    : (op && (op->isAdditiveOp() || op->isMultiplicativeOp()) &&
                       op->getOpcode() != clang::BO_Rem) ||
                          (use && use->getDecl() != sum_) || cast);
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (element->getType()->isArrayType())
      return true; // a row of one that was seen before
    unsigned x[2] = {}, y[2] = {}, places = 0;
    const clang::Expr* base = element;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      if (places == 2)
        return fits = false;
      x[places] = alongRow_.slope(at->getIdx());
      y[places++] = alongColumn_.slope(at->getIdx());
      base = at->getBase()->IgnoreParenImpCasts();
    }
    const clang::VarDecl* table = namedBy(base);
    const bool isFloating = element->getType()->isRealFloatingType();
    if (!table || !isShared(table) || places != 2 || !isFloating ||
        !table->getType()->isConstantArrayType())
      return fits = false;
    const bool alikeInRow = x[0] == 0 && x[1] == 0, alikeInColumn = y[0] == 0 && y[1] == 0;
    // Of the first place the table lies turned (turned_arrays.h).
    const bool neighbours = x[0] + x[1] == 1;
    ofRow |= alikeInRow && !alikeInColumn;
    ofColumn |= neighbours && alikeInColumn;
    return fits = fits && ((alikeInRow && !alikeInColumn) || (neighbours && alikeInColumn));
  }

private:
  const clang::VarDecl* sum_;
  Slopes alongRow_, alongColumn_;
};

} // namespace

void addSumLoops(const FunctionFacts& function, const Uniformity& uniformity,
                 std::map<const clang::ForStmt*, TileLoop>& out) {
  // Of threads that have left each row asks.
  if (Contents(function.decl->getBody()).returns)
    return;
  for (const clang::ForStmt* loop : forLoopsIn(function.decl->getBody())) {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = init && init->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                              : nullptr;
    const LocalVariable* local = counter ? uniformity.find(counter) : nullptr;
    if (out.count(loop) || !local || !local->uniform || local->escapes ||
        local->assignments.size() != 1 || !loop->getInc() ||
        loop->getInc()->IgnoreParens() != local->assignments.front() || !loop->getCond() ||
        !uniformity.isUniform(loop->getCond()) || loop->getConditionVariable() ||
        loop->getForLoc().isMacroID())
      continue;
    const clang::Stmt* body = loop->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body); list && list->size() == 1)
      body = list->body_front();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(body);
    const clang::VarDecl* sum =
        op && op->getOpcode() == clang::BO_AddAssign ? namedBy(op->getLHS()) : nullptr;
    const LocalVariable* kept = sum ? uniformity.find(sum) : nullptr;
    if (!kept || kept->escapes || !sum->hasLocalStorage() || isShared(sum) ||
        llvm::isa<clang::ParmVarDecl>(sum) || sum->getType().isVolatileQualified() ||
        !sum->getType()->isRealFloatingType())
      continue;
    Added added(function.decl, sum);
    added.TraverseStmt(const_cast<clang::Expr*>(op->getRHS()));
    if (!added.fits || !added.ofRow || !added.ofColumn)
      continue;
    TileLoop tile;
    tile.array = sum;
    tile.isNumber = tile.ofNeighbours = true;
    out[loop] = tile;
  }
}

} // namespace cu2cpp

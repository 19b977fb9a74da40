// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of two dimensions whose first one is threadIdx.x: `tile[threadIdx.x][k]`. A warp
// does not mind, if rows are padded; a loop over threads would gather. With the dimensions the
// other way around in memory, threads reach for neighbours. That is for arrays of which nothing but
// single elements is named, each with both its places.
#include "analyse/analyses.h"

#include <algorithm>

#include "analyse/slopes.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// How a body reaches for an array of two dimensions.
struct Reach {
  bool elementsOnly = true;
  double inColumns = 0; ///< accesses in which neighbours of a row differ in the first place
  double inRows = 0;    ///< in the last one
};

class Reaches : public SyntaxVisitor {
public:
  explicit Reaches(const clang::Stmt* body) : alongRow_(body, "x") {}
  std::map<const clang::ValueDecl*, Reach> found;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    constexpr double usualSteps = 8;
    const clang::VarDecl* const around = counter_;
    counter_ = variableCounterOf(loop);
    often_ *= usualSteps;
    const bool result = SyntaxVisitor::TraverseForStmt(loop);
    often_ /= usualSteps;
    counter_ = around;
    return result;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      stored_ = op->getLHS()->IgnoreParens();
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* row = arrayIn(element);
    const auto* use =
        row ? llvm::dyn_cast<clang::DeclRefExpr>(row->getBase()->IgnoreParenImpCasts()) : nullptr;
    if (!use)
      return true;
    elements_.insert(use);
    Reach& reach = found[use->getDecl()];
    const unsigned first = alongRow_.slope(row->getIdx()),
                   last = alongRow_.slope(element->getIdx());
    // What a thread changes along its row in a loop of its own is a vector already:
    // `for (c = k + 1; c < n; ++c) a[tid][c] -= ...`.
    const auto* at = llvm::dyn_cast<clang::DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
    if (first == 1 && last == 0)
      (element == stored_ && at && counter_ && at->getDecl() == counter_ ? reach.inRows
                                                                         : reach.inColumns) +=
          often_;
    else if (first == 0 && last == 1)
      reach.inRows += often_;
    // Some take the whole array for one row: `tile[0][i]`.
    if (llvm::isa<clang::IntegerLiteral>(row->getIdx()->IgnoreParenImpCasts()) &&
        !llvm::isa<clang::IntegerLiteral>(element->getIdx()->IgnoreParenImpCasts()))
      reach.elementsOnly = false;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    const auto* element =
        op->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens())
            : nullptr;
    const auto* row = element ? arrayIn(element) : nullptr;
    if (row)
      if (const auto* use =
              llvm::dyn_cast<clang::DeclRefExpr>(row->getBase()->IgnoreParenImpCasts()))
        found[use->getDecl()].elementsOnly = false; // a pointer reaches the next ones
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (!elements_.count(use)) // elements are visited before the names in them
      found[use->getDecl()].elementsOnly = false;
    return true;
  }

private:
  /// The counter of a loop over neighbours that no compiler writes out: it starts at what varies.
  static const clang::VarDecl* variableCounterOf(const clang::ForStmt* loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared && declared->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                              : nullptr;
    const clang::Expr* start = counter ? counter->getInit() : nullptr;
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    return start && !llvm::isa<clang::IntegerLiteral>(start->IgnoreParenImpCasts()) && step &&
                   step->isIncrementOp()
               ? counter
               : nullptr;
  }
  static const clang::ArraySubscriptExpr* arrayIn(const clang::ArraySubscriptExpr* element) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
  }

  Slopes alongRow_;
  double often_ = 1;
  const clang::VarDecl* counter_ = nullptr; ///< of the innermost loop
  const clang::Expr* stored_ = nullptr;
  std::set<const clang::DeclRefExpr*> elements_;
};

/// `Element name[A][B];`, written here, with elements that are no arrays.
bool isPlainTable(const SharedVariable& shared) {
  const clang::TypeSourceInfo* written = shared.decl->getTypeSourceInfo();
  if (!shared.movable || shared.dynamic || !shared.loneDeclaration || !written ||
      (shared.decl->getInit() && !llvm::isa<clang::CXXConstructExpr>(shared.decl->getInit())) ||
      shared.decl->hasAttr<clang::AlignedAttr>() || shared.decl->getLocation().isMacroID())
    return false;
  const auto rows = written->getTypeLoc().getAs<clang::ArrayTypeLoc>();
  const auto columns = rows ? rows.getElementLoc().getAs<clang::ArrayTypeLoc>() : rows;
  return columns && rows.getSizeExpr() && columns.getSizeExpr() &&
         !columns.getElementLoc().getType()->isArrayType() &&
         !columns.getElementLoc().getType().hasQualifiers() &&
         !columns.getElementLoc().getType()->isUndeducedAutoType() &&
         written->getTypeLoc().getBeginLoc().isFileID() && rows.getLBracketLoc().isFileID() &&
         columns.getRBracketLoc().isFileID();
}

} // namespace

void findTurnedArrays(Facts& facts) {
  if (facts.addressSpaces || facts.foreignShared)
    return;
  for (auto& [place, f] : facts.functions) {
    if (!f.kernel || !f.regions || std::none_of(f.shared.begin(), f.shared.end(), isPlainTable))
      continue;
    Reaches reaches(f.decl->getBody());
    reaches.TraverseStmt(f.decl->getBody());
    for (SharedVariable& shared : f.shared) {
      const Reach& reach = reaches.found[shared.decl];
      shared.turned = isPlainTable(shared) && reach.elementsOnly && reach.inColumns > reach.inRows;
    }
  }
}

} // namespace cu2cpp

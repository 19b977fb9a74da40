// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of two dimensions whose first one is threadIdx.x: `tile[threadIdx.x][k]`. A warp
// does not mind, if rows are padded; a loop over threads would gather. With the dimensions the
// other way around in memory, threads reach for neighbours. That is for arrays of which nothing but
// single elements is named, each with both its places.
#include "analyse/analyses.h"

#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// How a body reaches for an array of two dimensions.
struct Reach {
  bool elementsOnly = true;
  double inColumns = 0; ///< accesses in which neighbours of a row differ in the first place
  double inRows = 0;    ///< in the last one
};

class Reaches : public clang::RecursiveASTVisitor<Reaches> {
public:
  explicit Reaches(const clang::Stmt* body) : alongRow_(body, "x") {}
  std::map<const clang::ValueDecl*, Reach> found;

  bool TraverseForStmt(clang::ForStmt* loop) {
    constexpr double usualSteps = 8;
    often_ *= usualSteps;
    const bool result = RecursiveASTVisitor::TraverseForStmt(loop);
    often_ /= usualSteps;
    return result;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
    const auto* row = arrayIn(element);
    const auto* use =
        row ? llvm::dyn_cast<clang::DeclRefExpr>(row->getBase()->IgnoreParenImpCasts()) : nullptr;
    if (!use)
      return true;
    elements_.insert(use);
    Reach& reach = found[use->getDecl()];
    const unsigned first = alongRow_.slope(row->getIdx()),
                   last = alongRow_.slope(element->getIdx());
    if (first == 1 && last == 0)
      reach.inColumns += often_;
    else if (first == 0 && last == 1)
      reach.inRows += often_;
    // Some take the whole array for one row: `tile[0][i]`.
    if (llvm::isa<clang::IntegerLiteral>(row->getIdx()->IgnoreParenImpCasts()) &&
        !llvm::isa<clang::IntegerLiteral>(element->getIdx()->IgnoreParenImpCasts()))
      reach.elementsOnly = false;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
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
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (!elements_.count(use)) // elements are visited before the names in them
      found[use->getDecl()].elementsOnly = false;
    return true;
  }

private:
  static const clang::ArraySubscriptExpr* arrayIn(const clang::ArraySubscriptExpr* element) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
  }

  Slopes alongRow_;
  double often_ = 1;
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

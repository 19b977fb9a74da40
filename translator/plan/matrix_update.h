// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An update of a matrix in shared memory, or of a part of it, by rows and columns of it that it
// leaves alone: `a[i][j] -= a[i][k] * a[k][j]`. Who makes it, and which rows and columns, is known
// to those that build on it:
//
//   split_strips         a loop over elements that the block's threads share
//   split_row_strips     a loop of each thread, over the columns of its own row
//   split_column_strips  a loop of each thread, over rows in which it takes its own column, and
//                        threads of one element each
#pragma once

#include <string>
#include <vector>

#include "analyse/region_parts.h"
#include "plan/splitter.h"

namespace cu2cpp {

class MatrixUpdate {
public:
  virtual ~MatrixUpdate() = default;

  struct Read {
    std::string place, name; ///< `cu2cpp::alongRow(k)`
    std::vector<const clang::Expr*> numbers;
    std::vector<const clang::ArraySubscriptExpr*> reads;
  };
  /// Where a row's columns begin or end: `j <= i`.
  struct Edge {
    const clang::Expr* at = nullptr;
    bool rises = false, off = false; ///< `off` by one: `j <= i`, `j > i`
  };
  const clang::Expr* table = nullptr;
  const clang::VarDecl* column = nullptr;
  const clang::Expr* columns = nullptr; ///< of a matrix that is laid out by hand
  const clang::BinaryOperator* update = nullptr;
  std::vector<const clang::VarDecl*> before; ///< values of the row
  std::vector<const clang::VarDecl*> values; ///< what threads begin with, and the update reads
  std::vector<const clang::ArraySubscriptExpr*> own;
  std::vector<Read> reads;
  std::vector<const clang::Expr*> scalars; ///< what else it is made of
  Edge start, limit;                       ///< of a loop over columns

protected:
  /// All of it stands in `whole`.
  MatrixUpdate(const Splitter& splitter, const clang::Stmt* whole)
      : splitter_(splitter), context_(splitter.plan_.unit.context()), whole_(whole) {}

  /// Whether an expression is the row that is updated.
  virtual bool isRow(const clang::Expr* e) = 0;
  /// Whether it is the column.
  virtual bool isColumn(const clang::Expr* e) { return column && namedBy(e) == column; }
  /// Whether an expression, with so many subscripts behind it, is the matrix.
  virtual bool isMatrix(const clang::Expr* base, unsigned dimensions) const = 0;

  bool takeBefore(const clang::VarDecl* variable);
  /// A value that each thread knows before the update.
  bool takeBegin(const clang::VarDecl* variable);
  /// Whether elements may run in strips, as far as their type is known.
  bool isOfFloatingPoint() const {
    return elementType()->isDependentType() || elementType()->isRealFloatingType();
  }
  /// What a thread stores into its own row before the update.
  bool takeStore(const clang::BinaryOperator* op);
  bool takeUpdate(const clang::BinaryOperator* op);
  /// How much more a number is in the next row: made of the row and of what the block knows, or of
  /// threads, too.
  std::optional<unsigned> riseOf(const clang::Expr* e, bool ofThreads, unsigned depth = 0);

  bool isOfBlock(const clang::Expr* e) const {
    return !namesInside(e) && splitter_.isGroupValue(e, true) && !Uniformity::readsMemory(e);
  }
  /// Whether it names a variable that the update's own statements declare.
  bool namesInside(const clang::Expr* e) const;
  bool areAlike(const clang::Expr* a, const clang::Expr* b) const {
    return cu2cpp::areAlike(plain(a), plain(b), context_);
  }
  /// Without conversions between integers: places are small (element_strips.h).
  const clang::Expr* plain(const clang::Expr* e) const;
  bool isGroupValue(const clang::Expr* e) const { return splitter_.isGroupValue(e); }
  bool isStored(const clang::VarDecl* variable, Storage storage) const {
    return splitter_.isStored(variable, storage);
  }
  /// One more from thread to thread of a row, or from lane to lane of a warp.
  bool isPlaceOfThread(const clang::Expr* e) const { return splitter_.isPlaceInRow(e); }
  /// One value for each row of threads, one more from row to row.
  bool isPlaceOfRow(const clang::Expr* e) const {
    return splitter_.stepAlong("y", e) == 1 && isOfRowOfThreads(e);
  }
  bool isOfRowOfThreads(const clang::Expr* e) const { return !splitter_.variesInRow(e); }
  const clang::VarDecl* sharedBehind(const clang::VarDecl* pointer) const {
    return splitter_.sharedBehind(pointer);
  }
  bool hasText(const clang::Expr* e) const { return splitter_.plan_.text.isWhole(e); }
  /// A variable that keeps its first value.
  bool isFixed(const clang::VarDecl* variable) const {
    return (variable->getType().isConstQualified() || isOnlyRead(variable)) &&
           !variable->getType().isVolatileQualified() && !variable->getType()->isReferenceType() &&
           !variable->isStaticLocal();
  }
  /// A shared array of so many dimensions that lies in memory as it is written.
  bool isTable(const clang::VarDecl* array, unsigned dimensions) const;
  /// A matrix in a shared structure, or in one of several: `systems[w].a`, where `ofIndex` says
  /// whether w is known to who makes the update.
  template <class OfIndex>
  bool isTableOfStructure(const clang::Expr* base, unsigned dimensions, OfIndex ofIndex) const {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(base->IgnoreParenImpCasts());
    if (!member || member->isArrow() || !isArrayOfNumbers(member, dimensions))
      return false;
    const clang::Expr* structure = member->getBase()->IgnoreParenImpCasts();
    const auto* of = llvm::dyn_cast<clang::ArraySubscriptExpr>(structure);
    const clang::VarDecl* variable = namedBy(of ? arrayOf(of) : structure);
    return variable && isTable(variable, of ? 1 : 0) && (!of || ofIndex(indexOf(of)));
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;

private:
  struct Place {
    const clang::Expr *table, *row, *column;
  };
  bool isBefore(const clang::VarDecl* variable) const {
    return std::find(before.begin(), before.end(), variable) != before.end();
  }
  bool isBegin(const clang::VarDecl* variable) const {
    return std::find(begins_.begin(), begins_.end(), variable) != begins_.end();
  }
  static bool isUpdate(clang::BinaryOperatorKind code) {
    return code == clang::BO_Assign || code == clang::BO_AddAssign || code == clang::BO_SubAssign ||
           code == clang::BO_MulAssign || code == clang::BO_DivAssign;
  }
  /// Whether what threads store before the update is in their own rows, in columns of the block.
  bool fitStores();
  bool isWhole(const clang::Expr* e) const {
    return hasText(e) && !e->getBeginLoc().isMacroID() && !e->getEndLoc().isMacroID();
  }
  /// Whether the update does nothing with a variable but to read its value.
  bool isOnlyRead(const clang::VarDecl* variable) const;
  /// The element's type, which is float or double (element_strips.h asks).
  clang::QualType elementType() const;
  /// A field that is an array of so many dimensions, whose size compilers know.
  bool isArrayOfNumbers(const clang::MemberExpr* member, unsigned dimensions) const;
  bool isOfElement(clang::QualType type) const {
    return context_.hasSameType(type.getCanonicalType().getUnqualifiedType(), elementType());
  }
  /// Sums, products and quotients of elements and of numbers of their type.
  bool takeValue(const clang::Expr* e);
  /// `T(0.5)` and `(T)0.5`, T being the element's type.
  const clang::Expr* convertedTo(const clang::Expr* e) const;
  bool takeRead(const clang::ArraySubscriptExpr* element);
  bool note(const std::string& place, std::vector<const clang::Expr*> numbers,
            const clang::ArraySubscriptExpr* element);
  /// `a[i][j]`, or `a[i * columns + j]`
  std::optional<Place> placeOf(const clang::ArraySubscriptExpr* element);

  const clang::Stmt* const whole_;
  bool isVector_ = false; ///< what was taken has a value for each column
  std::set<const clang::VarDecl*> vectors_;
  std::vector<const clang::VarDecl*> begins_;
  std::vector<const clang::BinaryOperator*> stores_;
};

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <vector>

#include "plan/splitter.h"

namespace cu2cpp {

/// Where a region's threads read rows of a skewed array.
struct RowsRead {
  const clang::ForStmt* loop = nullptr; ///< passes over the rows, and changes nothing in them
  std::vector<const clang::DeclRefExpr*> uses;
};

/// Whether regions only move elements, and how they lie that these come from.
class Moves : public SyntaxVisitor {
public:
  explicit Moves(const Splitter& splitter) : splitter_(splitter) {}
  bool good = true;
  bool apart = false; ///< something moves four words, or along a row of a skewed array
  bool inShared = false;
  std::map<const clang::VarDecl*, RowsRead> copied; ///< such arrays that are read from copies

  /// rowsRead() are the skewed arrays of which a region reads rows, in a loop that passes over
  /// most of them.
  std::map<const clang::VarDecl*, RowsRead> rowsRead(const RegionNode& region) const;

  bool VisitStmt(clang::Stmt* s) override;
  bool VisitCallExpr(clang::CallExpr* call) override;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override;
  bool VisitUnaryOperator(clang::UnaryOperator* op) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override;

private:
  static bool isIndex(clang::QualType type);
  bool isFourWords(clang::QualType type) const;
  bool isSkewed(const clang::VarDecl* array) const;
  bool readsRow(const clang::DeclRefExpr* use) const;
  const clang::ForStmt* loopOverRows(const RegionNode& region, const clang::VarDecl* array) const;

  const Splitter& splitter_;
};

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tables whose columns a block reads, neighbouring threads neighbours in a column and rows
// of threads neighbouring columns: `out[y * n + x] = tile[threadIdx.x][threadIdx.y]`. From a turned
// copy (headers/cu2cpp/turned_copy.h) they read rows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "clang/AST/ParentMap.h"

#include "analyse/slopes.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

class ColumnReads : private SyntaxVisitor {
public:
  /// `body` is a kernel's; `parents` tells those of its statements.
  ColumnReads(const clang::Stmt* body, const clang::ParentMap& parents);

  /// find() gives the uses of tables in some statements that read columns, by table. The statements
  /// change none of these.
  using Uses = std::map<const clang::VarDecl*, std::set<const clang::DeclRefExpr*>>;
  Uses find(const std::vector<const clang::Stmt*>& statements) const;
  /// columnsRead() is how many columns, counted from the first, hold all that uses read, if loops
  /// between constants tell: `table[threadIdx.x][k]` for k below 16.
  std::optional<std::uint64_t> columnsRead(const std::set<const clang::DeclRefExpr*>& uses,
                                           const clang::ASTContext& context) const;
  /// isRead() tells whether an element is such a read in a statement.
  bool isRead(const clang::ArraySubscriptExpr* element, const clang::Stmt* s) const;

private:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override;
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override;

  struct Use {
    const clang::DeclRefExpr* name;
    bool reads, isInColumn;
  };
  struct Table {
    bool onlyElements = true; ///< nothing else names it: no pointer or reference to it
    std::vector<Use> uses;
  };

  const clang::ParentMap& parents_;
  Slopes alongRow_, alongColumn_;
  std::map<const clang::VarDecl*, Table> tables_;
  unsigned lambdas_ = 0; ///< around, which may be called from anywhere
};

} // namespace cu2cpp

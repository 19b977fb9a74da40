// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block fill shared memory together, one thread for each element,
// in rows that are no multiple of a row of threads:
//
//   for (int t = tid; t < 34 * 10; t += 256)        for (int y = threadIdx.y; y < 10; y += 8)
//     s[t / 34][t % 34] = ...;                        for (int x = threadIdx.x; x < 34; x += 32)
//                                                       s[y][x] = ...;
//
// Which thread takes an element matters to nobody, so they can run by rows of elements. So can
// those in which each thread counts its own elements:
//
//   for (int l = 0; l < 4; ++l) { const int t = tid + l * 256; s[t / 64][t % 64] = ...; }
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "analyse/uniformity.h"

namespace cu2cpp {

struct ElementLoop {
  const clang::ForStmt* rows = nullptr;    ///< the loop, or the outer one
  const clang::ForStmt* columns = nullptr; ///< the inner one, or null
  const clang::VarDecl* row = nullptr;    ///< the variable of `rows`: without `columns`, an element
  const clang::VarDecl* column = nullptr; ///< that of `columns`
  /// Of threads that count their elements: the number and distance of these, what counts them, and
  /// the declaration of `row`.
  const clang::Expr *items = nullptr, *distance = nullptr, *start = nullptr;
  const clang::VarDecl* counter = nullptr;
  const clang::DeclStmt* declared = nullptr;
  /// By what a loop without `columns` divides its variable, and where.
  const clang::Expr* width = nullptr;
  std::set<const clang::BinaryOperator*> quotients, remainders;
  /// Quotients by a multiple of `width`, `t / (34 * 10)`, and how many rows a layer has, 10: a
  /// number or, if that is 0, an expression.
  struct Layer {
    std::int64_t rows = 0;
    const clang::Expr* count = nullptr;
  };
  std::map<const clang::BinaryOperator*, Layer> layers;
  /// Variables of the body that keep their first value, which is made of such, of the element's
  /// place and of what the block knows; in order.
  std::vector<const clang::VarDecl*> places;

  /// Whether the elements run in the order in which each thread takes its own (element_rows.h).
  bool inTurn = false;
  /// The loops over columns of those, which are one value apart from thread to thread of a row.
  struct Columns {
    const clang::ForStmt* loop = nullptr;
    const clang::VarDecl* variable = nullptr;
    bool neighbours = false; ///< they are neighbours in memory, too
    std::vector<const clang::ContinueStmt*> skips;
  };
  /// Places in memory that are a few more from column to column, and how many.
  std::vector<std::pair<const clang::Expr*, unsigned>> steps;
  bool inShared = false; ///< all memory that the body names is shared
  std::vector<Columns> inner;
  bool neighbours = false; ///< likewise of a loop without such
  bool ofWarps = false;    ///< whose rows start at quotients of threadIdx.x, columns at remainders
  bool ofRanks = false;    ///< whose threads are those of a block with more than one row
};

/// How an expression differs between neighbouring columns of a row of elements.
enum class ColumnStep {
  None, ///< the same value
  One,  ///< one more in each column
  Other ///< anything else
};
/// columnStep() asks `sameInBlock` of what does not belong to the loop.
ColumnStep columnStep(const ElementLoop& loop, const clang::Expr* e, const Uniformity& uniformity);

/// findElementLoops() finds them, by the outer loop.
std::map<const clang::ForStmt*, ElementLoop>
findElementLoops(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a block in which each thread adds to a tile of results of its own:
//
//   for (int k = 0; k < 8; ++k)
//     for (int i = 0; i < 8; ++i)
//       for (int j = 0; j < 8; ++j)
//         sum[i][j] += a[k][y * 8 + i] * b[k][x * 8 + j];
//
// Neighbouring threads reach for places that lie a tile apart: vectors over threads would have to
// pick their elements one by one. Run for few threads at a time, whose tiles stay in registers, the
// loop has vectors along the rows of the tiles instead (cu2cpp::eachTile). Where they reach for
// neighbours, `sum[i] += a[y + i * 8][k] * b[k][x]`, a vector is one element of several threads.
#pragma once

#include <map>

#include "analyse/facts.h"
#include "analyse/uniformity.h"

namespace cu2cpp {

struct TileLoop {
  const clang::VarDecl* array = nullptr; ///< the tile
  /// Of an array with one dimension, that is reached as [i * width + j]; else null.
  const clang::Expr* width = nullptr;
  /// How many elements of a row are multiplied by neighbours in memory, if a thread takes its row
  /// from several places there (`b[j]` and `b[4 + j]` from s[x * 4 + j] and s[64 + x * 4 + j]);
  /// else 0.
  unsigned run = 0;
  bool ofNeighbours = false; ///< neighbouring threads read neighbours
  bool isNumber = false;     ///< what each thread adds up is one number: addSumLoops()
};

/// findTileLoops() finds them: loops without jumps that do nothing but compute, and that one head
/// counts for all threads.
std::map<const clang::ForStmt*, TileLoop> findTileLoops(const FunctionFacts& function,
                                                        const Uniformity& uniformity);

/// addSumLoops() adds those in which each thread adds up one number, `sum += a[threadIdx.y][k] *
/// b[k][threadIdx.x];` of shared tables: the tile is that of a few rows of threads
/// (cu2cpp::eachSum), which load an element of b once.
void addSumLoops(const FunctionFacts& function, const Uniformity& uniformity,
                 std::map<const clang::ForStmt*, TileLoop>& out);

} // namespace cu2cpp

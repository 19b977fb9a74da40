// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of blocks that read through their tiles (read_through.cpp) where they lie inside of the
// grid: those that follow in the grid's row may run along as one block with longer rows
// (cu2cpp/tile_row.h).
//
//   const bool cuInGrid = ...;
//   if (cuInGrid) { for all threads: out[y * n + x] = (cuTile_s + ty * n)[tx] + ...; } else { ... }
//
// Then thread `threadIdx.x + k * size` of a block does what thread `threadIdx.x` of the k-th block
// behind it would: all that it computes is the same, since it names the two indices together
// (`blockIdx.x * size + threadIdx.x`), also where one is in an array's place and the other in its
// index.
#pragma once

#include <optional>
#include <string>

#include "analyse/regions.h"

namespace cu2cpp {

struct TileRow {
  const RegionNode* region = nullptr;     ///< all that such blocks do
  const clang::Expr* condition = nullptr; ///< whether a block is one, by blockIdx alone
  std::string size;                       ///< what the kernel takes for blockDim.x; may be empty
};

/// sizeOfLongRow() tells whether the threads of a region of a kernel whose blocks run together by
/// rows of the grid (Regions::joined) can be counted on from block to block likewise: it is what
/// the kernel takes for blockDim.x, which may be empty; none if they can't.
std::optional<std::string> sizeOfLongRow(const Facts& facts, const FunctionFacts& kernel,
                                         const RegionNode& region);

/// runsLongRows() tells whether all regions of such a kernel are so, and nothing is kept for its
/// threads from one to the next.
bool runsLongRows(const Facts& facts, const FunctionFacts& kernel);

/// findTileRow() reads a kernel in split form; nothing if its blocks have to run one by one.
std::optional<TileRow> findTileRow(const Facts& facts, const FunctionFacts& kernel);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that only count: shared tables of integers start at 0, one loop by the whole grid adds to
// them, and at the end each block adds its tables to the grid's:
//
//   for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
//   __syncthreads();
//   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
//     atomicAdd(&bins[data[i]], 1);
//   __syncthreads();
//   for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&all[i], bins[i]);
//
// Which block counts what does not matter then, nor how many blocks count in one table: sums of
// integers that wrap around are the same in any order, and nobody sees a block's.
#pragma once

#include <optional>
#include <vector>

#include "clang/AST/Stmt.h"

#include "analyse/facts.h"

namespace cu2cpp {

class SourceUnit;

/// addsUpGrid() tells whether a kernel is of that kind, and `loop` is what counts.
bool addsUpGrid(const SourceUnit& unit, const FunctionFacts& kernel, const clang::ForStmt* loop,
                const Facts& facts);

/// The places of a matrix that a grid counts: if (x < width) for (y = blockIdx.y * blockDim.y +
/// threadIdx.y; y < height; y += gridDim.y * blockDim.y), where x is the thread's column.
struct PlacesOfGrid {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl *column = nullptr, *row = nullptr;
  const clang::Expr* width = nullptr;
  unsigned sizeX = 0, sizeY = 0; ///< of a block, as numbers; 0 for blockDim's
  /// Where the whole grid steps by columns, too, `loop` is the outer one of two loops; else null.
  const clang::ForStmt* inner = nullptr;
};
/// placesOfGrid() tells whether a kernel is of that kind, with such a loop under `guard`.
std::optional<PlacesOfGrid> placesOfGrid(const SourceUnit& unit, const FunctionFacts& kernel,
                                         const clang::IfStmt* guard, const Facts& facts);

/// The same of two loops, one inside the other: for (y = ...; y < height; ...) for (x = blockIdx.x *
/// blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x).
std::optional<PlacesOfGrid> placesOfGrid(const SourceUnit& unit, const FunctionFacts& kernel,
                                         const clang::ForStmt* loop, const Facts& facts);

/// What blocks of such a kernel do between its two barriers, whatever that is, if they only count:
///
///   bins[threadIdx.x] = 0;
///   __syncthreads();
///   if (x < width && y < height) atomicAdd(&bins[in[y * width + x]], 1);
///   __syncthreads();
///   atomicAdd(&all[threadIdx.x], bins[threadIdx.x]);
///
/// The tables may be members of a structure, of which a method counts, and copies, whose sum is
/// added: for (k ...) sum += table.bins[k][threadIdx.x].
struct BlocksTogether {
  const clang::Stmt *begin = nullptr, *end = nullptr; ///< the barriers
  /// Variables declared before them that differ from block to block.
  std::vector<const clang::VarDecl*> places;
};
/// blocksTogether() tells whether a kernel is of that kind.
std::optional<BlocksTogether> blocksTogether(const SourceUnit& unit, const FunctionFacts& kernel,
                                             const Facts& facts);

} // namespace cu2cpp

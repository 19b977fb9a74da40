// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside a kernel that run best outside of the loop over threads: compilers vectorise
// innermost loops only, and with neighbouring threads innermost each step touches neighbouring
// elements:
//
//   for (int k = 0; k < n; ++k)                  the same k for all threads:         for k: for
//   lane: sum += ...
//     sum += a[row * n + k] * b[k * n + col];
//   for (int i = tid; i < n; i += blockDim.x)    a step for each row of threads:     for step: for
//   lane: i = tid + step ...
//     sum += x[i];
#pragma once

#include <set>

#include "analyse/uniformity.h"

namespace cu2cpp {

/// What lies side by side in a row of the block, as far as launches show.
enum class LaneRowsOf {
  Nothing, ///< a warp of a block of 16 x 16 threads is two rows
  Parts,   ///< parts of rows, which run in place of warps between a kernel's barriers
  Warps    ///< warps, or parts of rows in kernels whose threads meet nobody
};

struct LaneLoops {
  std::set<const clang::Stmt*> loops;
  /// Those of `loops` that threads leave one by one, and that do nothing but compute with scalars.
  std::set<const clang::Stmt*> arithmetic;
  /// All loops whose variable starts at a value of the thread and steps by one value for all.
  std::set<const clang::ForStmt*> strided;
  /// Those of `loops` that can and should run outside of the loop over all threads of a block:
  /// their heads are one for the block, and each step moves along memory (strided ones) or writes
  /// to it.
  std::set<const clang::ForStmt*> ofBlock;
  /// Those of `ofBlock` that each row of threads begins elsewhere, all threads of a row alike.
  std::set<const clang::ForStmt*> byRows;
  /// Short loops around such over a thread's own arrays, in which neighbouring threads read
  /// neighbouring elements: written out, they leave one straight piece of code for a row of
  /// threads.
  std::set<const clang::ForStmt*> writtenOut;
  /// Innermost loops with one head for the block that would be among `loops` if warps were rows of
  /// the block. They are, too, where parts of rows run in the place of warps.
  std::set<const clang::ForStmt*> inShortRows;
};

/// findLaneLoops() chooses them.
LaneLoops findLaneLoops(const Facts& facts, const FunctionFacts& function,
                        const Uniformity& uniformity, LaneRowsOf rows);

} // namespace cu2cpp

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

#include "clang/AST/Stmt.h"

#include "analyse/facts.h"

namespace cu2cpp {

class SourceUnit;

/// addsUpGrid() tells whether a kernel is of that kind, and `loop` is what counts.
bool addsUpGrid(const SourceUnit& unit, const FunctionFacts& kernel, const clang::ForStmt* loop,
                const Facts& facts);

} // namespace cu2cpp

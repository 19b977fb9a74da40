// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are one loop by the whole grid and keep nothing from step to step, so that several
// blocks may take turns:
//
//   const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
//   for (int row = first; row < rows; row += gridDim.x * blockDim.x / 32) { ... }
#pragma once

#include "analyse/uniformity.h"

namespace cu2cpp {

/// loopInTurns() is that loop of a kernel's body; null if it is no such kernel. What comes before
/// it may run again for each step, and a step that its condition refuses is the last. Shared memory
/// that the kernel declares is not asked about.
const clang::ForStmt* loopInTurns(const clang::CompoundStmt* body, const Uniformity& uniformity);

} // namespace cu2cpp

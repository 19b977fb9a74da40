// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of threads across a barrier that need not be parted, if warps run in order:
//
//   if (t >= d) v = s[t - d];     what thread t reads here belongs to itself or to a thread before
//   __syncthreads();              it: where the last warps run first, nobody has changed it yet
//   s[t] += v;
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "analyse/uniformity.h"

namespace cu2cpp {

enum class WarpOrder { None, Rising, Falling };

/// orderAcross() tells in which order warps of blocks of one row may run what stands before and
/// behind a barrier; None if in no order, or if nothing is read that lies elsewhere.
WarpOrder orderAcross(const std::vector<const clang::Stmt*>& before,
                      const std::vector<const clang::Stmt*>& behind, const Uniformity& uniformity);

/// namesRowsOfBlock() tells whether a kernel names what differs between the rows of a block, or
/// calls functions of the user that might.
bool namesRowsOfBlock(const FunctionFacts& kernel, const Facts& facts);

} // namespace cu2cpp

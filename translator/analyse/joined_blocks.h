// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks may run side by side as one: their threads share nothing, and loops that run
// around the loop over all threads run around those of several blocks too (cu2cpp/block_row.h).
#pragma once

#include "analyse/regions.h"

namespace cu2cpp {

/// sharesNothing() tells whether nothing but a kernel's own text can tell its block from others.
bool sharesNothing(const Facts& facts, const FunctionFacts& kernel);

/// canJoin() tells whether regions, found without trust in blockIdx.x, are only loops over threads
/// and what the block does around them.
bool canJoin(const Regions& regions);

/// runsWarps() tells whether something runs for warps of the block, or parts of its rows.
bool runsWarps(const Regions& regions);
/// agreesInParts() tells whether nothing is taken for one value of a warp that is none for a row.
bool agreesInParts(const Regions& regions);
/// fitsParts() tells whether what runs for warps may run for parts of rows, which are no warps:
/// nothing is taken for one value of a warp, and no value of a thread is kept for the block beside
/// those kept for lanes.
bool fitsParts(const Regions& regions);

/// Whether a list holds loops that lanes leave one by one, or calls of functions with such.
bool leavesOneByOne(const std::vector<RegionNode>& nodes);

/// passesOnce() tells whether regions are one loop that steps by a value of the group and what
/// stands around it, and threads keep nothing from step to step.
bool passesOnce(const Regions& regions);

/// LongerBlocks tells whether several blocks may be taken as one that is longer; if `size` is not
/// empty, only where blocks have that many threads in this direction.
struct LongerBlocks {
  bool may = false;
  std::string size;
};
/// continuesRows() tells whether a kernel that shares nothing may take several blocks as one with
/// longer rows: it names threadIdx.x and blockIdx.x in `blockIdx.x * blockDim.x + threadIdx.x`
/// only (or with a constant that is the block's size), and gains by it, since neighbours reach for
/// neighbours in memory (asked only if `neighbourly`).
LongerBlocks continuesRows(const FunctionFacts& kernel, bool neighbourly = true);
/// continuesColumns() tells the same of threadIdx.y and blockIdx.y: whole rows of blocks may be
/// taken as one with longer columns; and, if `neighbourly`, that neighbours in a column reach for
/// neighbours.
LongerBlocks continuesColumns(const FunctionFacts& kernel, bool neighbourly = false);

/// keepsFew() tells whether threads keep so few values that a stack has room for those of many.
bool keepsFew(const Regions& regions);

/// storesInColumns() tells whether a kernel that shares nothing stores to neighbouring elements in
/// threads of a column, and only so: the loop over a column is better the inner one then.
bool storesInColumns(const FunctionFacts& kernel);

} // namespace cu2cpp

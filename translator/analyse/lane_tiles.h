// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in which a part of a warp works on an item: threads meet in tiles of 4, 8 or 16 lanes
// alone, and nothing is exchanged between the tiles of a warp.
//
//   const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
//   for (int j = start[row] + lane; j < start[row + 1]; j += 8) sum += a[j] * x[column[j]];
//   for (int o = 4; o > 0; o /= 2) sum += __shfl_down_sync(~0u, sum, o, 8);
//
// To such a kernel a tile is what a warp is to others: one row, one loop, one branch for all lanes.
#pragma once

#include "analyse/regions.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// lanesThatMeet() is how many lanes the tiles have in which threads of a kernel meet: 4, 8 or 16,
/// or 32 if they meet in warps or nobody knows in what.
unsigned lanesThatMeet(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel);

/// areOrdered() tells whether warps follow each other in an order that stands for a barrier.
bool areOrdered(const std::vector<RegionNode>& nodes);

/// gainsFromTiles() tells whether tiles that run by themselves go through more of a kernel's loops
/// together than warps do.
bool gainsFromTiles(const Regions& byTiles, const Regions& byWarps);

} // namespace cu2cpp

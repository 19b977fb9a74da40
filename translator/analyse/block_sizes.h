// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block sizes that launches show: what a kernel is usually launched with. A hint and no fact:
// translated code compares it with the block that runs.
#pragma once

#include <optional>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct BlockSize {
  unsigned x = 1, y = 1, z = 1;
  bool operator==(const BlockSize& other) const {
    return x == other.x && y == other.y && z == other.z;
  }
};

/// findBlockSize() is the size in the first launch of the kernel that shows one (a literal, a
/// constant, a variable that starts with one, a default argument), else the bound that
/// `__launch_bounds__` gives.
std::optional<BlockSize> findBlockSize(const SourceUnit& unit, const Facts& facts,
                                       const FunctionFacts& kernel);

/// launchesShowWholeWarps() tells whether findBlockSize() finds a size whose rows are whole warps,
/// and no launch shows one whose rows are not.
bool launchesShowWholeWarps(const SourceUnit& unit, const Facts& facts,
                            const FunctionFacts& kernel);

/// isOnlyBlockSize() tells whether every launch of the kernel has blocks of that size, as far as
/// this source shows: the kernel is defined here for this source alone, all its launches are here,
/// and what their sizes stand for does not change.
bool isOnlyBlockSize(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel,
                     const BlockSize& size);

/// guessBlockSize() is the size that a kernel template seems to be made for: `N, N` where it has a
/// shared array of N x N elements, N is its parameter and threads have two indices; empty if there
/// is nothing to go by.
std::string guessBlockSize(const FunctionFacts& kernel);

} // namespace cu2cpp

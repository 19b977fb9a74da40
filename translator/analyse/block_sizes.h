// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block sizes that launches show: what a kernel is usually launched with. A hint and no fact:
// translated code compares it with the block that runs.
#pragma once

#include <optional>
#include <string>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct BlockSize {
  unsigned x = 1, y = 1, z = 1;
  bool operator==(const BlockSize& other) const {
    return x == other.x && y == other.y && z == other.z;
  }
};

/// launchedAs() is what launches of a kernel name: another one may run it in its place (marks.h,
/// apartPeer()).
const FunctionFacts& launchedAs(const Facts& facts, const FunctionFacts& kernel);

/// findBlockSize() is the size in the first launch of the kernel that shows one (a literal, a
/// constant, a variable that starts with one or gets its parts one by one, a default argument), else
/// the bound that `__launch_bounds__` gives.
std::optional<BlockSize> findBlockSize(const SourceUnit& unit, const Facts& facts,
                                       const FunctionFacts& kernel);

/// launchesShowWholeWarps() tells whether findBlockSize() finds a size whose rows are whole warps,
/// or tiles of so many lanes as run together, and no launch shows one whose rows are not.
bool launchesShowWholeWarps(const SourceUnit& unit, const Facts& facts,
                            const FunctionFacts& kernel);

/// blocksHaveOneRow() tells whether no launch of a kernel has blocks of more rows than one, as far
/// as this source shows: all its launches are here.
bool blocksHaveOneRow(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel);

/// SizeHint is what is written of a kernel's block size: numbers, or parameters of its template.
struct SizeHint {
  std::string text;     ///< `256`, `16, 16`, `BX, BY`, or nothing where there is nothing to go by
  bool certain = false; ///< no launch has another size, as far as this source shows
};

/// sizeHint() is findBlockSize(). Where instances of a kernel template are launched with different
/// sizes, it is those of its parameters that are the size in all of them; and where no launch shows
/// a size, the one that the template seems to be made for: the parameters in its
/// `__launch_bounds__`, or `N, N` where it has a shared array of N x N elements and threads have
/// two indices.
SizeHint sizeHint(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel);

} // namespace cu2cpp

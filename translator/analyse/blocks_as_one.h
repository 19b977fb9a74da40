// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that only count (analyse/grid_sums.h) and whose threads go on from block to block in what
// they count: instead of in turn, those that an OS thread takes run as one block with longer rows.
#pragma once

#include <optional>
#include <string>

#include "analyse/grid_sums.h"

namespace cu2cpp {

/// sizeOfBlocksAsOne() is what the kernel takes for blockDim.x, which may be empty; none if blocks
/// have to do one by one what lies between the two barriers.
std::optional<std::string> sizeOfBlocksAsOne(const Facts& facts, const FunctionFacts& kernel,
                                             const BlocksTogether& together);

} // namespace cu2cpp

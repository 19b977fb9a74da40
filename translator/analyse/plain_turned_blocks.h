// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks are better read with rows and columns exchanged.
#pragma once

#include "analyse/plain_body.h"

namespace cu2cpp {

/// turnBlocks() exchanges x and y in a kernel in which neighbours of a column reach for neighbours
/// in memory, and those of a row do not.
void turnBlocks(const PlainBody& body, const Facts& facts);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles by which lanes hand on elements of read-only memory to their neighbours.
#pragma once

#include "analyse/plain_body.h"

namespace cu2cpp {

/// loadNeighbours() loads what a kernel's lanes get from their neighbours by shuffles from where
/// these have it, and what they keep for the next step of a loop in that step.
void loadNeighbours(const PlainBody& body, const FunctionFacts& function);

} // namespace cu2cpp

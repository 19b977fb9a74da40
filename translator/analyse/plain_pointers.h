// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analyse/plain_body.h"

namespace cu2cpp {

/// placePointers() makes pointers that move through a kernel's array places in it.
void placePointers(const PlainBody& body);
/// placeOwnPointers() makes pointers into arrays of a thread's own places in them.
void placeOwnPointers(const PlainBody& body);

} // namespace cu2cpp

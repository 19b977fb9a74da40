// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the heads of loops do beside counting.
#pragma once

#include "analyse/plain_body.h"

namespace cu2cpp {

/// moveHeads() moves it to the end of the loops' bodies.
void moveHeads(const PlainBody& body);

} // namespace cu2cpp

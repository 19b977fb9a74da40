// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers in which threads keep what they have loaded until shared memory is free for it.
#pragma once

#include "analyse/plain_body.h"

namespace cu2cpp {

/// loadWhereStored() loads what a kernel's threads put aside in an array of their own where they
/// store it.
void loadWhereStored(const PlainBody& body);

} // namespace cu2cpp

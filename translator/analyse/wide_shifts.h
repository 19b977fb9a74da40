// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts by as many bits as the value has, which a GPU takes for "all of them" and x86 for none.
// C++ defines neither, and device code that packs bits relies on the GPU's.
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// findWideShifts() is the counts of shifts in the user's device code that are written so that
/// they can be the width of the value: `x << (32 - n)`, and the mask `(1 << n) - 1`. Rotations,
/// where both readings give the same, are left out.
std::vector<const clang::Expr*> findWideShifts(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp

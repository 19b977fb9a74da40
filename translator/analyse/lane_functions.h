// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that run best for all lanes of a warp at once, though nobody waits in them:
// they only compute, in a loop that threads leave one by one.
//
//   __device__ int steps(float x, float y) {
//     for (int i = 0; i < 200; ++i) {
//       step(x, y);
//       if (x * x + y * y > 4)
//         return i;
//     }
//     return 200;
//   }
#pragma once

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// isLaneFunction() tells whether a function is one: of scalars by value, without any effect.
bool isLaneFunction(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function);
/// loopsByNumbers() tells whether the loops of such a function run as often for all threads as soon
/// as short loops around its calls are written out: compilers then write out its own too, and
/// compute what they make of numbers alone. It stays a function of one thread.
bool loopsByNumbers(const Facts& facts, const FunctionFacts& function);

} // namespace cu2cpp

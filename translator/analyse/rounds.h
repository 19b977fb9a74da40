// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compute in rounds, as hashes and ciphers do:
//
//   __device__ void mix(uint32_t& a, uint32_t b, const uint32_t* K) {
//     for (int i = 0; i < 64; ++i)
//       a = a + rotl(a ^ b, i % 4 * 5 + 7) + K[i];
//   }
//
// Written out, that is straight code: neighbouring threads compute it side by side.
#pragma once

#include <optional>

#include "analyse/facts.h"

namespace cu2cpp {

/// operationsInRounds() is how many operations a call of a user's function makes that does nothing
/// but compute, in loops of few known steps: with numbers, of which it changes its own and local
/// ones that it gets by reference, and with what the counters of its loops choose from constant
/// memory. None if it does anything else.
std::optional<unsigned long long> operationsInRounds(const clang::CallExpr* call,
                                                     const Facts& facts);

} // namespace cu2cpp

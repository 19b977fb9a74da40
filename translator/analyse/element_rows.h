// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block share elements, and may read what they have stored:
//
//   for (int i = k + 1 + threadIdx.y; i < n; i += blockDim.y) {
//     const float f = a[i * n + k];
//     for (int j = k + 1 + threadIdx.x; j <= i; j += blockDim.x)
//       a[i * n + j] -= f * a[k * n + j];
//   }
//
// Each thread meets its elements row by row, and in each row one after the other. Where all
// elements run in that order, every thread finds what it would find if it ran alone; that threads
// do not meet in one place, the program has to see to.
#pragma once

#include "analyse/element_loops.h"

namespace cu2cpp {

/// takeRowsInTurn() looks whether a loop is such a one, with loops over columns inside or without.
bool takeRowsInTurn(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity,
                    ElementLoop& element);

} // namespace cu2cpp

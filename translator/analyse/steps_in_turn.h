// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on both sides of a barrier that threads may take in one, one thread after the other:
//
//   if (i <= level) next = a * v[i] + b * v[i + 1];   what thread t reads here belongs to itself or
//   __syncthreads();                                  to a thread behind it, which has not changed
//   if (i <= level) v[i] = next;                      it yet
//
// What a thread keeps in between then lives in registers, also if it keeps it in an element of its
// own of another shared array: `if (i <= level) next[i] = ...`.
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "analyse/uniformity.h"

namespace cu2cpp {

/// runInTurn() tells whether threads of blocks of one row may do so: what stands before the barrier
/// are declarations, what threads change of their own, and a branch; what stands behind it is a
/// branch under the same condition.
bool runInTurn(const std::vector<const clang::Stmt*>& before,
               const std::vector<const clang::Stmt*>& behind, const Uniformity& uniformity,
               const Facts& facts, const clang::ASTContext& context);

} // namespace cu2cpp

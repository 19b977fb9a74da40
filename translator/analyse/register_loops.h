// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short loops over small arrays that each thread keeps for itself:
//
//   for (int i = 0; i < 8; ++i)
//     for (int j = 0; j < 8; ++j)
//       sum[i][j] += a[i] * b[j];
//
// nvcc writes such loops out, and programs rely on it: only then do the arrays live in registers.
// Other compilers stop earlier.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// Of a product of tiles the longest: 8 by 8 results of a thread, 8 steps.
constexpr std::uint64_t mostCopiesOfTile = 512;
/// Of what follows a kernel's last barrier: a small square of taps, or a row of them for each of a
/// thread's results.
constexpr std::uint64_t mostCopiesBehind = 192;

/// unrollAsked is what a plain form that writes code in one line leaves of `#pragma unroll`.
constexpr llvm::StringLiteral unrollAsked = "/* #pragma unroll */";

/// addWrittenOut() adds the loops of a piece of code to `loops`, if all of them can be written out
/// and the code is not too long then, in any of a template's instances. Threads may leave them
/// early if they `mayLeave`.
bool addWrittenOut(const clang::Stmt* code, const FunctionFacts& function,
                   std::set<const clang::ForStmt*>& loops,
                   std::uint64_t mostCopies = mostCopiesOfTile, bool mayLeave = false);

/// hasMoreSteps() tells whether a loop between constants has more than `steps`.
bool hasMoreSteps(const clang::ForStmt* loop, std::uint64_t steps);

/// findRegisterLoops() is those loops in the user's device code, but for loops that regions run
/// around their threads.
std::vector<const clang::ForStmt*> findRegisterLoops(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp

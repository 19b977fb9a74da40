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

#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// findRegisterLoops() is those loops in the user's device code, but for loops that regions run
/// around their threads.
std::vector<const clang::ForStmt*> findRegisterLoops(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp

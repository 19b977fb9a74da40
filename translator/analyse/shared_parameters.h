// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of functions in which threads meet that refer to the block's shared memory, in each
// call: the group passes the place itself, where a reference to a variable of each thread would be
// one for each of them.
//
//   template <class T, int N> __device__ T scan(T x, T (&sums)[N]);   ->   all threads' version:
//   __shared__ float sums[256];                                            `T (&sums)[N]`, too
//   x = scan(x, sums);
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// isSharedParameter() tells whether a variable is such a parameter: a reference that all threads
/// pass alike.
bool isSharedParameter(const clang::VarDecl* variable, const FunctionFacts& function);

/// findSharedParameters() adds them to the uniform parameters of functions that reach collectives.
void findSharedParameters(const SourceUnit& unit, const Facts& facts,
                          const std::vector<FunctionFacts*>& functions);

} // namespace cu2cpp

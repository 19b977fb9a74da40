// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads that run a function meet, as far as can be told before calls are followed for
// the whole file (propagateCalls()).
#pragma once

#include <vector>

#include "analyse/facts.h"

namespace cu2cpp {

/// meetingPlaces() are the collectives that a function calls itself, and its calls of functions
/// that reach one.
std::vector<clang::SourceLocation> meetingPlaces(const FunctionFacts& function, const Facts& facts);

} // namespace cu2cpp

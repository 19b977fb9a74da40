// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that each thread or lane keeps, and that lie in memory as rows: the same element of
// neighbouring threads side by side.
#pragma once

#include "analyse/facts.h"

namespace cu2cpp {

/// mayLieInRows() tells whether an array is one of numbers that a function only reaches element by
/// element, at places on which the threads agree.
bool mayLieInRows(const clang::VarDecl* array, const FunctionFacts& function);

} // namespace cu2cpp

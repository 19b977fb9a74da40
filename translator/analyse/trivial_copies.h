// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures whose copies are nothing but their bytes: `tile[y][x] = in[place]` of them reads one
// element and writes another, as an assignment of numbers does.
#pragma once

#include "clang/AST/DeclCXX.h"

namespace cu2cpp {

/// isTrivialAssignment() tells whether a function, which may be missing, is the assignment of a
/// structure that copies its bytes.
bool isTrivialAssignment(const clang::FunctionDecl* function);

} // namespace cu2cpp

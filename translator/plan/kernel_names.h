// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel is named in text that is added: where its address is wanted, a name alone may be
// ambiguous, and template arguments may have no name.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Decl.h"

namespace cu2cpp {

/// isOverloaded() tells whether another function of the same name would make the name alone
/// ambiguous.
bool isOverloaded(const clang::FunctionDecl* function);

/// needsGlobalScope() tells whether `using namespace std;` or its like makes the name of a global
/// function ambiguous that stands alone: `fill`, but not `::fill`.
bool needsGlobalScope(const clang::FunctionDecl* function);

/// templateArguments() is `<float, 4>` for an instance; none if one of them has no name.
std::optional<std::string> templateArguments(const clang::FunctionDecl* instance);

/// pointerType() is `void (*)(float*, int)` for a resolved kernel.
std::string pointerType(const clang::FunctionDecl* kernel);

/// fullName() is the name of a kernel or variable with its namespaces.
std::string fullName(const clang::NamedDecl* decl);

/// addressAtEnd() is an expression for a kernel's address that means the same at the end of the
/// file; none if nothing there can name it.
std::optional<std::string> addressAtEnd(const clang::FunctionDecl* kernel);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Expr.h"

namespace cu2cpp {

/// isRestOfSum() tells whether a rest is that of a place beside a thread's own, which most threads
/// have as it is: `(x + 1) % w`, `(x - 1 + w) % w`. (Others tell rows and columns: `i % w`.)
bool isRestOfSum(const clang::BinaryOperator* rest, const clang::ASTContext& context);

/// isPartOf() tells whether a sum has a part once: `x - 1 + w` has w.
bool isPartOf(const clang::Expr* sum, const clang::Expr* part, const clang::ASTContext& context);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the distances by which the lanes of a warp are shuffled.
#pragma once

#include <optional>

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace cu2cpp {

/// constantNumber() is an expression's value as a whole number, if the compiler knows it.
std::optional<long long> constantNumber(const clang::Expr* e, const clang::ASTContext& context);
/// isWarpSize() tells whether a number is 32 for each warp: the variable warpSize, or a constant.
bool isWarpSize(const clang::Expr* e, const clang::ASTContext& context);
/// halvedDistance() is the counter of `for (int o = 16; o > 0; o >>= 1)`, null of another loop;
/// doubledDistance() that of `for (int o = 1; o < 32; o <<= 1)`.
const clang::VarDecl* halvedDistance(const clang::ForStmt* loop, const clang::ASTContext& context);
const clang::VarDecl* doubledDistance(const clang::ForStmt* loop, const clang::ASTContext& context);

} // namespace cu2cpp

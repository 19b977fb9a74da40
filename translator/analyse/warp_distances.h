// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles of a whole warp, and loops over the distances by which its lanes are shuffled.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"

namespace cu2cpp {

/// isWarpSize() tells whether a number is 32 for each warp: the variable warpSize, or a constant.
bool isWarpSize(const clang::Expr* e, const clang::ASTContext& context);
/// wholeShuffle() is the call of this name that an expression is, if all 32 lanes take part in it
/// as one; null if it is none.
const clang::CallExpr* wholeShuffle(const clang::Expr* e, llvm::StringRef name,
                                    const clang::ASTContext& context);
/// halvedDistance() is the counter of `for (int o = 16; o > 0; o >>= 1)`, null of another loop;
/// doubledDistance() that of `for (int o = 1; o < 32; o <<= 1)`.
const clang::VarDecl* halvedDistance(const clang::ForStmt* loop, const clang::ASTContext& context);
const clang::VarDecl* doubledDistance(const clang::ForStmt* loop, const clang::ASTContext& context);

} // namespace cu2cpp

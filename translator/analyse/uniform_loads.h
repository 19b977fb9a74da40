// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads of a group read from one place before they write: one of them can read it for
// all. Compilers cannot find that out themselves, since a thread's store may change what the next
// one reads; in CUDA that would be a race.
//
//   a[row][t] -= a[row][k] * a[k][t];   ->   const auto cuUniform1 = a[row][k];
//                                            each thread: a[row][t] -= cuUniform1 * a[k][t];
#pragma once

#include <functional>
#include <vector>

#include "clang/AST/Expr.h"

namespace cu2cpp {

/// findUniformLoads() finds such reads in the statements of a region that every thread runs.
/// `isOfGroup` tells whether an expression has one value that the group knows.
std::vector<const clang::Expr*>
findUniformLoads(const std::vector<const clang::Stmt*>& statements,
                 const std::function<bool(const clang::Expr*)>& isOfGroup);

/// findLoadsOfHead() finds the reads that a loop's condition makes again and again, though nothing
/// in the loop writes to memory: `k < end[row]`. (Where only some lanes go on, compilers read for
/// each of them.)
std::vector<const clang::Expr*>
findLoadsOfHead(const clang::Expr* condition, const clang::Stmt* body,
                const std::function<bool(const clang::Expr*)>& isOfGroup);

} // namespace cu2cpp

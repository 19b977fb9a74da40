// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// A loop of each thread that counts up between constants (of a template, as the case may be):
/// `for (int k = 0; k < 4; ++k)`.
struct CountedLoop {
  const clang::VarDecl* counter;
  const clang::Expr* first;
  const clang::Expr* limit;
  bool reachesLimit; ///< `k <= limit`
};

/// None if the loop is no such, or counts further than a few items of a thread.
std::optional<CountedLoop> asCountedLoop(const clang::ForStmt* loop,
                                         const clang::ASTContext& context);

/// Whether a statement only asks for the value of a variable, and does not change it or tell where
/// it lies.
bool onlyReads(const clang::VarDecl* variable, const clang::Stmt* s);

} // namespace cu2cpp

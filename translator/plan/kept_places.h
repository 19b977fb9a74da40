// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that are kept within bounds, and are what they were within them:
//
//   x < 0 ? x + w : x      max(x, 0)      (x + w) % w      wrap(x, w)
#pragma once

#include <vector>

#include "analyse/counted_loops.h"

namespace cu2cpp {

struct KeptPlace {
  /// A bound of the place.
  struct Bound {
    const char* call;                   ///< of an Inside
    const clang::Expr* limit = nullptr; ///< none: 0
    long long number = 0;               ///< that is added to it
    bool isOfResult = false;            ///< of what the whole then is, and not of the place
  };
  const clang::Expr* whole = nullptr;
  /// A choice is its place where its condition has this answer.
  const clang::Expr* condition = nullptr;
  bool answer = false;
  /// What else is its place within these bounds.
  std::vector<Bound> bounds = {};
  const clang::Expr* place = nullptr;
  const clang::Expr* less = nullptr;   ///< what is taken off the place
  std::vector<CountedLoop> loops = {}; ///< of the thread, around it
};

/// findKeptPlaces() lists them, those that are part of another one before it. More than one may
/// stand for the same whole: which of them it is depends on what differs between threads.
std::vector<KeptPlace> findKeptPlaces(const clang::Stmt* body, const clang::ASTContext& context);

} // namespace cu2cpp

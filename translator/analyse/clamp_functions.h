// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the user that keep an integer within bounds, and give back what already is:
//
//   __device__ int clampIndex(int i, int count) { return min(max(i, 0), count - 1); }
//   __device__ int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
//   __device__ int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }
//   __device__ int mirror(int i, int n) { if (i < 0) i = -i; if (i >= n) i = 2 * n - i; return i; }
#pragma once

#include <optional>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace cu2cpp {

struct ClampFunction {
  /// A parameter and what is added to it, or a number alone.
  struct Bound {
    bool least = false;  ///< the place is at least this, otherwise at most
    bool beyond = false; ///< and not this itself
    int parameter = -1;  ///< -1: none
    long long number = 0;
  };
  unsigned place = 0; ///< the parameter that is kept within bounds
  std::vector<Bound> bounds;
};

/// isMinOrMax() tells whether a function is `min` or `max` of a library; users may give their own
/// functions these names.
bool isMinOrMax(const clang::FunctionDecl* function);

/// clampFunction() finds the bounds within which a function gives its place back; nothing if its
/// body does anything else, or if it is not of integers of one type.
std::optional<ClampFunction> clampFunction(const clang::FunctionDecl* function);

/// keepsWithinBounds() tells whether a call does that to an integer: `min(x, w - 1)`, or a call of
/// such a function.
bool keepsWithinBounds(const clang::CallExpr& call);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floating-point values to integers that may not hold them. A GPU takes the nearest
// integer of the type; C++ leaves the result open, and x86 processors take the smallest.
#pragma once

#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// ClampedCast is one conversion to be said with the GPU's meaning.
struct ClampedCast {
  const clang::Expr* value; ///< what is converted; of `n += x` the variable
  std::string type;         ///< the type to be named: an argument's, which may choose an overload
  bool assigns = false;     ///< `n += x`, `n *= x` ...
};

/// findClampedCasts() is the conversions in the user's device code, explicit or not, whose values
/// are not seen to fit: by constants, `fminf(fmaxf(x, 0), 255)`, or integers they come from.
std::vector<ClampedCast> findClampedCasts(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How shared arrays are written that may lie turned in memory (findTurnedArrays()).
#pragma once

#include "clang/AST/TypeLoc.h"

namespace cu2cpp {

/// tableOf() is the two last dimensions of three, `[2][A][B]`; an array of other dimensions itself.
inline clang::ArrayTypeLoc tableOf(clang::ArrayTypeLoc array) {
  const auto inner = array.getElementLoc().getAs<clang::ArrayTypeLoc>();
  return inner && inner.getElementLoc().getAs<clang::ArrayTypeLoc>() ? inner : array;
}

/// isOfTables() tells whether an array has three dimensions.
inline bool isOfTables(clang::ArrayTypeLoc array) {
  return tableOf(array).getLBracketLoc() != array.getLBracketLoc();
}

} // namespace cu2cpp

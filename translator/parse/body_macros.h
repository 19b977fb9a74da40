// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that a function's body defines or undefines. Where the body is written a second time
// behind the function, they have to mean there what they meant at its start.
#pragma once

#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace cu2cpp {

struct BodyMacros {
  std::set<std::string> names;
  unsigned before = 0; ///< where the first of their directives begins, or the `#if` around it

  /// `#pragma push_macro("NAME")` for each of them, in lines of their own.
  std::string pushed() const;
  std::string popped() const;
};

/// bodyMacros() scans the text from `begin` to `end`, which must be followed by a NUL byte.
BodyMacros bodyMacros(llvm::StringRef text, unsigned begin, unsigned end);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One change of a file's text as plain data.
#pragma once

#include <string>

namespace cu2cpp {

struct Edit {
  unsigned begin = 0;
  unsigned end = 0; ///< == begin for an insertion
  std::string text;
  /// yields: another edit that replaces the text around it takes care of it too (a qualifier in a
  /// moved declaration).
  bool yields = false;
};

} // namespace cu2cpp

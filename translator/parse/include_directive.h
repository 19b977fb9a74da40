// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An include directive as plain data.
#pragma once

#include <string>

namespace cu2cpp {

/// An `#include` in one of the user's files.
struct IncludeDirective {
  std::string includer; ///< path of the file that holds the directive
  unsigned offset = 0;  ///< of the quote or angle bracket
  unsigned length = 0;  ///< of the name with its quotes or brackets
  std::string spelled;  ///< the name without them
  bool angled = false;
  std::string resolved; ///< path of the included file; empty if it was not found
  bool resolvedIsUser = false;
};

} // namespace cu2cpp

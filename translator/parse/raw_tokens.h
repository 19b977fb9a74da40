// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file's tokens before preprocessing, directives and inactive branches included; comments are
// left out.
#pragma once

#include <vector>

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"

namespace cu2cpp {

struct RawToken {
  clang::tok::TokenKind kind;
  unsigned offset;
  llvm::StringRef text; ///< points into the text that was scanned
  bool startsLine;      ///< first token of its line (where a `#` begins a directive)
};

/// rawTokens() scans `text`, which must stay alive and be followed by a NUL byte.
std::vector<RawToken> rawTokens(llvm::StringRef text);

} // namespace cu2cpp

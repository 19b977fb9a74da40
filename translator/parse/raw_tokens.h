// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file's tokens before preprocessing, directives and inactive branches included; comments are
// left out.
#pragma once

#include <map>
#include <optional>
#include <string>
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

/// RenamedToken is an identifier that has another name in a copy of the text.
struct RenamedToken {
  unsigned offset, length;
  std::string name;
};
/// renamedTokens() are the identifiers of a text that `names` names; nothing if one is a member's,
/// or has no other name.
std::optional<std::vector<RenamedToken>>
renamedTokens(std::string text, const std::map<std::string, std::string>& names);

/// lastOfUnroll() is the last token of the directive that begins at a token if that is `#pragma
/// unroll`, which means nothing to a copy of the text; none if it may mean something.
std::optional<std::size_t> lastOfUnroll(const std::vector<RawToken>& tokens, std::size_t first);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands before a file's own text, parsed once: our prelude and the headers of the system and
// of ours that the file begins with. The rounds of a translation then parse the user's text alone.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "parse/cuda_invocation.h"

namespace cu2cpp {

/// ParsedHeaders is a precompiled header for one file and its flags.
class ParsedHeaders {
public:
  /// Makes it, unless a header is the user's or does not compile: then there is nothing.
  ParsedHeaders(const InstallLayout& layout, const std::string& file,
                const std::vector<std::string>& userFlags);
  ~ParsedHeaders();
  ParsedHeaders(const ParsedHeaders&) = delete;
  ParsedHeaders& operator=(const ParsedHeaders&) = delete;

  /// pathFor() is the precompiled header that a parse of `text` with these flags may begin with;
  /// empty if there is none.
  std::string pathFor(llvm::StringRef text, const std::vector<std::string>& userFlags) const;

private:
  void remove();

  const std::vector<std::string> flags_;
  std::vector<std::string> includes_; ///< as spelled: `<vector>`
  std::string path_;
};

/// leadingIncludes() are the headers in angle brackets that a text includes before anything else
/// stands in it, but for comments and `#pragma once`.
std::vector<std::string> leadingIncludes(llvm::StringRef text);

} // namespace cu2cpp

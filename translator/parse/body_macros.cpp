// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/body_macros.h"

#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

std::string pragmas(const std::set<std::string>& names, const char* what) {
  std::string out;
  for (const std::string& name : names)
    out += "#pragma " + std::string(what) + "(\"" + name + "\")\n";
  return out;
}

} // namespace

std::string BodyMacros::pushed() const { return pragmas(names, "push_macro"); }
std::string BodyMacros::popped() const { return pragmas(names, "pop_macro"); }

BodyMacros bodyMacros(llvm::StringRef text, unsigned begin, unsigned end) {
  const std::string body = text.slice(begin, end).str(); // ends where the scan is to end
  const std::vector<RawToken> tokens = rawTokens(body);
  BodyMacros out;
  unsigned depth = 0, outermost = 0;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].startsLine || tokens[i].kind != clang::tok::hash)
      continue;
    const llvm::StringRef directive = tokens[i + 1].text;
    // Directives are lines; a line that follows a comment of several begins with that.
    const std::size_t newline = llvm::StringRef(body).rfind('\n', tokens[i].offset);
    const unsigned line = newline == llvm::StringRef::npos ? 0 : unsigned(newline) + 1;
    if (directive.starts_with("if")) {
      if (depth++ == 0)
        outermost = line;
    } else if (directive == "endif") {
      depth -= depth > 0;
    } else if (directive == "define" || directive == "undef") {
      if (out.names.empty())
        out.before = begin + (depth > 0 ? outermost : line);
      out.names.insert(tokens[i + 2].text.str());
    }
  }
  return out;
}

} // namespace cu2cpp

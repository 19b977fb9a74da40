// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/sided_macros.h"

#include <map>
#include <vector>

#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// An #if whose condition tells the device from the host, up to its #endif.
struct Conditional {
  bool sided = false;
  /// What each branch so far says of a macro; a name that it leaves out has no meaning there.
  std::vector<std::map<std::string, std::string>> branches;
  bool hasElse = false;
};

void addDifferent(const Conditional& conditional, std::set<std::string>& names) {
  std::vector<std::map<std::string, std::string>> branches = conditional.branches;
  if (!conditional.hasElse)
    branches.emplace_back();
  for (const auto& branch : branches)
    for (const auto& [name, meaning] : branch)
      for (const auto& other : branches) {
        const auto found = other.find(name);
        if (found == other.end() || found->second != meaning)
          names.insert(name);
      }
}

} // namespace

void findSidedMacros(llvm::StringRef text, std::set<std::string>& names) {
  if (!text.contains("__CUDA_ARCH__"))
    return;
  const std::vector<RawToken> tokens = rawTokens(text);
  std::vector<Conditional> open;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].startsLine || tokens[i].text != "#")
      continue;
    std::size_t end = i + 1;
    while (end < tokens.size() && !tokens[end].startsLine)
      ++end;
    const llvm::StringRef directive = tokens[i + 1].text;
    if (directive == "if" || directive == "ifdef" || directive == "ifndef") {
      Conditional conditional;
      for (std::size_t k = i + 2; k < end; ++k)
        conditional.sided |= tokens[k].text == "__CUDA_ARCH__";
      conditional.branches.emplace_back();
      open.push_back(std::move(conditional));
    } else if (open.empty()) {
      continue;
    } else if (directive == "elif" || directive == "else") {
      open.back().hasElse |= directive == "else";
      open.back().branches.emplace_back();
    } else if (directive == "endif") {
      if (open.back().sided)
        addDifferent(open.back(), names);
      open.pop_back();
    } else if (directive == "define" && i + 2 < end) {
      const llvm::StringRef last = tokens[end - 1].text;
      const unsigned from = tokens[i + 2].offset;
      const std::string meaning =
          text.slice(from, tokens[end - 1].offset + unsigned(last.size())).str();
      for (Conditional& conditional : open)
        if (conditional.sided)
          conditional.branches.back()[tokens[i + 2].text.str()] = meaning;
    }
  }
}

std::string sidedMacroIn(llvm::StringRef text, const std::set<std::string>& names) {
  if (names.empty())
    return {};
  const std::string piece = text.str();
  for (const RawToken& token : rawTokens(piece))
    if (names.count(token.text.str()))
      return token.text.str();
  return {};
}

} // namespace cu2cpp

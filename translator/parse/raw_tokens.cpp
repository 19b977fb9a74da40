// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/raw_tokens.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace cu2cpp {

std::vector<RawToken> rawTokens(llvm::StringRef text) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.CUDA = true; // `<<<` is one token
  options.LineComment = options.Bool = options.CXXOperatorNames = true;
  clang::Lexer lexer(clang::SourceLocation(), options, text.data(), text.data(),
                     text.data() + text.size());
  std::vector<RawToken> tokens;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token)) {
    const unsigned end = static_cast<unsigned>(lexer.getBufferLocation() - text.data());
    const unsigned begin = end - token.getLength();
    tokens.push_back({token.getKind(), begin,
                      llvm::StringRef(text.data() + begin, token.getLength()),
                      token.isAtStartOfLine()});
  }
  return tokens;
}

std::optional<std::vector<RenamedToken>>
renamedTokens(std::string text, const std::map<std::string, std::string>& names) {
  text += "\n"; // the last token would be missed at the very end
  std::vector<RenamedToken> renamed;
  bool member = false;
  for (const RawToken& token : rawTokens(text)) {
    const auto found =
        token.kind == clang::tok::raw_identifier ? names.find(token.text.str()) : names.end();
    const bool ofOther = member;
    member = token.text == "." || token.text == "->" || token.text == "::";
    if (found == names.end())
      continue;
    if (ofOther || found->second.empty())
      return std::nullopt;
    renamed.push_back({token.offset, unsigned(token.text.size()), found->second});
  }
  return renamed;
}

std::optional<std::size_t> lastOfUnroll(const std::vector<RawToken>& tokens, std::size_t first) {
  if (first + 2 >= tokens.size() || tokens[first + 1].text != "pragma" ||
      tokens[first + 2].text != "unroll")
    return std::nullopt;
  std::size_t last = first;
  while (last + 1 < tokens.size() && !tokens[last + 1].startsLine)
    ++last;
  return last;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/defined_macros.h"

#include <algorithm>

namespace cu2cpp {
namespace {

bool isName(const RawToken& token) { return token.kind == clang::tok::raw_identifier; }

/// readMacro() reads the directive that some tokens are.
bool readMacro(const std::vector<RawToken>& tokens, Macro& macro) {
  if (tokens.size() < 3 || tokens[0].kind != clang::tok::hash || tokens[1].text != "define" ||
      !isName(tokens[2]))
    return false;
  macro.name = tokens[2].text.str();
  std::size_t at = 3;
  if (at < tokens.size() && tokens[at].text == "(" &&
      tokens[at].offset == tokens[2].offset + tokens[2].text.size()) {
    macro.likeFunction = true;
    for (++at; at < tokens.size() && tokens[at].text != ")"; ++at) {
      if (isName(tokens[at]))
        macro.parameters.push_back(tokens[at].text.str());
      else if (tokens[at].text != ",")
        return false; // `...`
    }
    if (at == tokens.size())
      return false;
    ++at;
  }
  macro.text.assign(tokens.begin() + std::ptrdiff_t(at), tokens.end());
  return true;
}

} // namespace

bool Macro::has(llvm::StringRef token) const {
  return std::any_of(text.begin(), text.end(),
                     [&](const RawToken& one) { return one.text == token; });
}

bool Macro::endsStatements() const {
  int depth = 0;
  return std::any_of(text.begin(), text.end(), [&](const RawToken& token) {
    depth += token.text == "(";
    depth -= token.text == ")";
    return depth == 0 && token.text == ";";
  });
}

bool Macro::isOne() const {
  int depth = 0;
  for (const RawToken& token : text) {
    depth += token.text == "(";
    depth -= token.text == ")";
    if (depth < 0 || (depth == 0 && token.text == ","))
      return false;
  }
  return depth == 0;
}

bool Macro::pastes() const {
  return std::any_of(text.begin(), text.end(), [](const RawToken& one) {
    return one.kind == clang::tok::hash || one.kind == clang::tok::hashhash ||
           one.kind == clang::tok::hashat;
  });
}

std::size_t Macro::onceDone() const {
  const std::size_t size = text.size();
  return size > 6 && text[0].text == "do" && text[1].text == "{" && text[size - 5].text == "}" &&
                 text[size - 4].text == "while" && text[size - 3].text == "(" &&
                 text[size - 2].text == "0" && text[size - 1].text == ")" && !has("break") &&
                 !has("continue")
             ? size - 5
             : 0;
}

std::optional<Macro> macroAt(llvm::StringRef file, unsigned place) {
  const auto goesOn = [&](std::size_t end) { // of a line
    if (end > 0 && file[end - 1] == '\r')
      --end;
    return end > 0 && file[end - 1] == '\\';
  };
  std::size_t begin = place, end = place;
  while (begin > 0 && (file[begin - 1] != '\n' || goesOn(begin - 1)))
    --begin;
  while (end < file.size() && (file[end] != '\n' || goesOn(end)))
    ++end;
  Macro macro;
  macro.begin = unsigned(begin);
  macro.directive = std::make_shared<std::string>(file.slice(begin, end).str() + "\n");
  // A comment or string may take the directive into lines that look like no part of it.
  const llvm::StringRef all = *macro.directive;
  if (all.count("/*") != all.count("*/") || all.contains("R\"") ||
      !readMacro(rawTokens(all), macro) ||
      std::any_of(macro.text.begin(), macro.text.end(),
                  [](const RawToken& token) { return token.text.contains('\n'); }))
    return std::nullopt;
  return macro;
}

DefinedMacros::DefinedMacros(const SourceUnit& unit) {
  for (const std::string& file : unit.userFiles()) {
    const std::string all = unit.userText(file).str() + "\n";
    const std::vector<RawToken> tokens = rawTokens(all);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].startsLine || tokens[i].kind != clang::tok::hash)
        continue;
      std::size_t end = i + 1;
      while (end < tokens.size() && !tokens[end].startsLine)
        ++end;
      const std::vector<RawToken> directive(tokens.begin() + std::ptrdiff_t(i),
                                            tokens.begin() + std::ptrdiff_t(end));
      i = end - 1;
      Macro macro;
      if (directive.size() < 3 || directive[1].text != "define")
        continue;
      Said& said = all_[directive[2].text.str()];
      if (!readMacro(directive, macro)) {
        said.pastes = said.commas = true;
        continue;
      }
      said.pastes |= macro.pastes();
      said.commas |= !macro.isOne();
      for (const RawToken& token : macro.text)
        if (isName(token))
          said.names.insert(token.text.str());
    }
  }
}

std::set<std::string> DefinedMacros::reached(const std::string& name) const {
  std::set<std::string> out;
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto found = all_.find(open.back());
    open.pop_back();
    if (found != all_.end())
      for (const std::string& other : found->second.names)
        if (out.insert(other).second)
          open.push_back(other);
  }
  return out;
}

bool DefinedMacros::namesItself(const Macro& macro) const {
  for (std::size_t i = 0; i < macro.text.size(); ++i) {
    const std::string name = macro.text[i].text.str();
    const bool isArray = i + 1 < macro.text.size() && macro.text[i + 1].text == "[";
    if (name == macro.name ? !macro.likeFunction || !isArray : reached(name).count(macro.name) != 0)
      return true;
  }
  return false;
}

bool DefinedMacros::mayPaste(const std::string& name) const {
  const auto pastes = [&](const std::string& other) {
    const auto found = all_.find(other);
    return found != all_.end() && found->second.pastes;
  };
  const std::set<std::string> all = reached(name);
  return !all_.count(name) || pastes(name) || std::any_of(all.begin(), all.end(), pastes);
}

bool DefinedMacros::mayBeSeveral(const std::string& name) const {
  const auto commas = [&](const std::string& other) {
    const auto found = all_.find(other);
    return found != all_.end() && found->second.commas;
  };
  const std::set<std::string> all = reached(name);
  return commas(name) || std::any_of(all.begin(), all.end(), commas);
}

} // namespace cu2cpp

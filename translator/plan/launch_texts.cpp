// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that make text of their arguments show a launch as it was written:
//
//   #define RUN(call) call; report(#call)   ->   #define RUN(call) call;
//   report(cu2cpp::asWritten(#call)) RUN(scale<<<1, 32>>>(x))                ->
//   RUN(cu2cpp::launch(scale, 1, 32)(x))
//
// Text that string literals stand beside is left alone: a call can't be joined with them.
#include "plan/launch_texts.h"

#include <cctype>
#include <optional>
#include <set>

#include "clang/Lex/Lexer.h"

namespace cu2cpp {
namespace {

bool isIdentifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Definition is a macro's parameters and where its body lies.
struct Definition {
  std::set<std::string> parameters;
  unsigned begin, end;
};

/// endOfLine() is the end of a directive's line, behind all that backslashes join to it.
std::size_t endOfLine(llvm::StringRef text, std::size_t from) {
  for (std::size_t at = text.find('\n', from);; at = text.find('\n', at + 1)) {
    if (at == llvm::StringRef::npos)
      return text.size();
    if (!text.substr(from, at - from).rtrim("\r").ends_with("\\"))
      return at;
  }
}

std::vector<Definition> definitionsOf(llvm::StringRef text, llvm::StringRef name) {
  std::vector<Definition> found;
  for (std::size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    const std::size_t open = at + name.size();
    const llvm::StringRef before = text.substr(0, at).rtrim(" \t");
    if (!before.ends_with("define") || !before.drop_back(6).rtrim(" \t").ends_with("#") ||
        !text.substr(open).starts_with("("))
      continue;
    const std::size_t close = text.find(')', open);
    if (close == llvm::StringRef::npos)
      continue;
    Definition definition{{"__VA_ARGS__"}, unsigned(close + 1), unsigned(endOfLine(text, close))};
    llvm::SmallVector<llvm::StringRef, 4> names;
    text.slice(open + 1, close).split(names, ',');
    for (llvm::StringRef parameter : names)
      definition.parameters.insert(parameter.trim(" \t\r\n\\.").str());
    found.push_back(definition);
  }
  return found;
}

/// standsAlone() is false where a literal beside the text would be joined with it.
bool standsAlone(llvm::StringRef before, llvm::StringRef behind) {
  before = before.rtrim(" \t\r\n\\");
  behind = behind.ltrim(" \t\r\n\\");
  const bool opened = !before.empty() && (llvm::StringRef("(,<=?:+;{").contains(before.back()) ||
                                          before.ends_with("return"));
  return opened && !behind.empty() && llvm::StringRef("),<?:+;}[.").contains(behind.front());
}

/// textsIn() is where a body makes text of its parameters.
std::vector<std::pair<unsigned, unsigned>> textsIn(llvm::StringRef text, const Definition& of) {
  std::vector<std::pair<unsigned, unsigned>> found;
  for (unsigned at = of.begin; at < of.end; ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      const char quote = text[at];
      for (++at; at < of.end && text[at] != quote; ++at)
        at += text[at] == '\\';
      continue;
    }
    if (text[at] != '#')
      continue;
    if (text.substr(at).starts_with("##")) {
      ++at;
      continue;
    }
    unsigned name = at + 1;
    while (name < of.end && (text[name] == ' ' || text[name] == '\t'))
      ++name;
    unsigned end = name;
    while (end < of.end && isIdentifier(text[end]))
      ++end;
    if (of.parameters.count(text.slice(name, end).str()) &&
        standsAlone(text.slice(of.begin, at), text.slice(end, of.end)))
      found.push_back({at, end});
    at = end - 1;
  }
  return found;
}

} // namespace

bool keepLaunchTexts(Plan& plan, clang::SourceLocation launch) {
  const clang::SourceManager& sources = plan.unit.sources();
  const std::string& file = plan.unit.mainFile();
  const llvm::StringRef text = plan.text.buffer(file);
  bool any = false;
  while (launch.isMacroID() && sources.isMacroArgExpansion(launch)) {
    const llvm::StringRef name =
        clang::Lexer::getImmediateMacroName(launch, sources, plan.unit.context().getLangOpts());
    for (const Definition& definition : definitionsOf(text, name))
      for (const auto& [begin, end] : textsIn(text, definition)) {
        plan.edits.insert({file, begin}, "cu2cpp::asWritten(");
        plan.edits.insert({file, end}, ")");
        any = true;
      }
    launch = sources.getImmediateSpellingLoc(launch);
  }
  return any;
}

} // namespace cu2cpp

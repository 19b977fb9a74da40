// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros as the user's files define them: their texts, token by token, and what these name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parse/raw_tokens.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// Macro is what a `#define` says.
struct Macro {
  std::string name;
  bool likeFunction = false;
  std::vector<std::string> parameters;
  std::vector<RawToken> text;
  unsigned begin = 0;                     ///< what its tokens' places are counted from
  std::shared_ptr<std::string> directive; ///< what its tokens point into, if nothing else holds it

  /// has() tells whether a token is in its text.
  bool has(llvm::StringRef token) const;
  /// endsStatements() tells whether it has semicolons that end statements.
  bool endsStatements() const;
  /// isOne() tells whether its text, given to another macro, is one argument.
  bool isOne() const;
  /// pastes() tells whether it makes strings or names of what it is given.
  bool pastes() const;
  /// onceDone() is the place of the closing brace of `do { ... } while (0)`; 0 for any other text.
  std::size_t onceDone() const;
};

/// macroAt() is the macro in whose directive a place of a file lies; none where that cannot be told
/// from the lines around it, and for macros of any number of arguments.
std::optional<Macro> macroAt(llvm::StringRef file, unsigned place);

/// DefinedMacros are all macros that the user's files define, wherever they do.
class DefinedMacros {
public:
  explicit DefinedMacros(const SourceUnit& unit);
  /// namesItself() tells whether a macro's text may come to its own name, which then is none: not
  /// where that is an array's too, `#define a(i, j) a[(i) * width + (j)]`.
  bool namesItself(const Macro& macro) const;
  /// mayPaste() tells whether what a macro is given may become a string or part of a name; so may
  /// that of unknown ones.
  bool mayPaste(const std::string& name) const;
  /// mayBeSeveral() tells whether a name may stand for several arguments.
  bool mayBeSeveral(const std::string& name) const;

private:
  struct Said {
    std::set<std::string> names;
    bool pastes = false, commas = false;
  };
  std::set<std::string> reached(const std::string& name) const;
  std::map<std::string, Said> all_;
};

} // namespace cu2cpp

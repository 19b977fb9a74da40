// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From places in the syntax tree to places in files, through macros. A construct written by a macro
// is edited where the macro is defined; what a macro's caller wrote is edited at the call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parse/source_unit.h"

namespace cu2cpp {

/// A position in a file.
struct FilePosition {
  std::string file;
  unsigned offset = 0;
};
/// A half-open range of a file's text.
struct FileRange {
  std::string file;
  unsigned begin = 0;
  unsigned end = 0;
};

class SourceText {
public:
  explicit SourceText(const SourceUnit& unit) : unit_(unit), sm_(unit.sources()) {}

  /// positionOf() is where the token at `location` is spelled; none if the token was pasted
  /// together by a macro.
  std::optional<FilePosition> positionOf(clang::SourceLocation location) const;
  /// endOf() is the position behind the token at `location`.
  std::optional<FilePosition> endOf(clang::SourceLocation location) const;
  /// rangeOf() covers from the first through the last token of a range; both must be spelled in one
  /// file.
  std::optional<FileRange> rangeOf(clang::SourceRange range) const;
  /// writtenRange() covers what the user wrote for a range, macros' names included: of what a
  /// macro's argument says the argument, of what its body says the whole use.
  std::optional<FileRange> writtenRange(clang::SourceRange range) const;
  /// meet() climbs out of macros with both ends of a range until they are on one level.
  void meet(clang::SourceLocation& begin, clang::SourceLocation& end) const;
  /// lift() climbs out of macros from `location` until it is on the same level as `anchor`: for
  /// `K<<<1, 1>>>()` with a macro K, the callee's place lifts to the K beside `<<<`.
  clang::SourceLocation lift(clang::SourceLocation location, clang::SourceLocation anchor,
                             bool end = false) const;
  /// text() is what the user wrote in a range, with what wrap() asked for.
  std::string text(const FileRange& range) const;
  std::string text(clang::SourceRange range) const;
  /// wrap() lets text() write `open` and `close` around a range that lies inside of what it is
  /// asked for.
  void wrap(const FileRange& range, std::string open, std::string close);
  /// inMacro() tells whether a token was written by a macro's body (edits there must stay on one
  /// line).
  bool inMacro(clang::SourceLocation location) const;
  /// isWhole() tells whether an expression's text is that expression and nothing else: a macro that
  /// writes more than it (or less) hides its text.
  bool isWhole(const clang::Expr* expression) const;
  /// spelled() is the text of an expression, also of one that stands as a whole in a macro's
  /// argument or in its body; nothing if it is put together of several.
  std::optional<std::string> spelled(const clang::Expr* expression) const;
  /// indentation() is the white space that the line of a position starts with.
  std::string indentation(const FilePosition& position) const;
  /// buffer() is the whole text of a file that this unit read.
  llvm::StringRef buffer(const std::string& file) const;

  const SourceUnit& unit() const { return unit_; }
  const clang::SourceManager& sources() const { return sm_; }

private:
  const SourceUnit& unit_;
  const clang::SourceManager& sm_;
  struct Wrapped {
    FileRange range;
    std::string open, close;
  };
  std::vector<Wrapped> wrapped_;
};

} // namespace cu2cpp

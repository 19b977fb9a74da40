// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the translation of one file with one set of flags comes to, before it is laid out and merged
// with that of others. Plain data, so that it travels between processes and stays in a state file.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "parse/include_directive.h"
#include "plan/text_edit.h"
#include "report/summary.h"

namespace cu2cpp {

/// A half-open range of offsets in a file.
using OffsetRange = std::pair<unsigned, unsigned>;

/// A function's text in a file.
struct FunctionRange {
  OffsetRange range;
  bool instantiated = true; ///< false for a template of which this unit has no instance
  bool operator==(const FunctionRange& o) const {
    return range == o.range && instantiated == o.instantiated;
  }
};

/// One of the user's files as one unit sees it.
struct FileEdits {
  std::string text;     ///< where the unit did not read it as it is on the disk (inline PTX)
  bool ownText = false; ///< text is set
  std::vector<Edit> edits;
  std::vector<OffsetRange> skipped; ///< by #if, in each inclusion
  std::vector<FunctionRange> functions;
};

struct UnitEdits {
  std::string mainFile;
  std::vector<std::string> userFiles;   ///< that were read, also where it does not compile
  std::vector<std::string> absentFiles; ///< ParseLog::absentFiles
  std::vector<IncludeDirective> includes;
  std::map<std::string, FileEdits> files; ///< all user files
  std::string head;                       ///< stands before the main file's text
  std::string end;                        ///< stands behind it
  std::string messages;                   ///< the compiler's, where it does not compile
  FileSummary summary;
};

/// packUnit() is the result as bytes; unpackUnit() gets it back, false where they are not whole.
std::string packUnit(const UnitEdits& unit);
bool unpackUnit(const std::string& bytes, UnitEdits& unit);

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits: what the rewrites ask for and the apply stage carries out. Rewrites see the original text
// only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parse/source_text.h"
#include "plan/text_edit.h"
#include "report/diagnostics.h"

namespace cu2cpp {

/// EditList collects edits by file. The same edit asked for twice (a macro's text, expanded twice)
/// counts once.
class EditList {
public:
  void replace(const FileRange& range, std::string text, bool yields = false);
  void insert(const FilePosition& position, std::string text, bool yields = false);
  const std::map<std::string, std::vector<Edit>>& byFile() const { return edits_; }
  bool touches(const std::string& file) const { return edits_.count(file) != 0; }

private:
  std::map<std::string, std::vector<Edit>> edits_;
};

} // namespace cu2cpp

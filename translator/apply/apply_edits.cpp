// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apply/apply_edits.h"

#include <algorithm>

namespace cu2cpp {
namespace {

Place placeAt(llvm::StringRef text, const std::string& file, unsigned offset) {
  const llvm::StringRef before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  return {file, static_cast<unsigned>(before.count('\n')) + 1,
          static_cast<unsigned>(newline == llvm::StringRef::npos ? offset : offset - newline - 1) +
              1};
}

/// Orders edits by place and drops those that yield to a replacement around them.
std::vector<Edit> resolve(llvm::StringRef original, std::vector<Edit> edits,
                          const std::string& file, Diagnostics& diagnostics) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    // Insertions come before a replacement that starts there; of two replacements the wider one
    // first.
    const bool aInserts = a.begin == a.end, bInserts = b.begin == b.end;
    if (aInserts != bInserts)
      return aInserts;
    return !aInserts && a.end > b.end;
  });
  std::vector<Edit> out;
  for (Edit& edit : edits) {
    if (!out.empty()) {
      // Insertions never hide the replacement that came before them.
      auto last =
          std::find_if(out.rbegin(), out.rend(), [](const Edit& e) { return e.begin != e.end; });
      if (last != out.rend() && edit.begin < last->end) {
        if (edit.yields && edit.end <= last->end)
          continue;
        if (last->yields && last->begin == edit.begin) {
          *last = std::move(edit);
          continue;
        }
        diagnostics.report(DiagId::EditConflict, placeAt(original, file, edit.begin),
                           {last->text, edit.text});
        continue;
      }
    }
    out.push_back(std::move(edit));
  }
  return out;
}

} // namespace

std::string applyEdits(llvm::StringRef original, std::vector<Edit> edits, const std::string& file,
                       const std::string& lineDirectiveFile, Diagnostics& diagnostics) {
  edits = resolve(original, std::move(edits), file, diagnostics);
  std::string out;
  const auto lineDirective = [&](unsigned offset) {
    const unsigned line = static_cast<unsigned>(original.substr(0, offset).count('\n')) + 1;
    return "#line " + std::to_string(line) + " \"" + lineDirectiveFile + "\"\n";
  };
  if (!lineDirectiveFile.empty())
    out += lineDirective(0);
  unsigned position = 0;
  bool shifted = false; // lines differ from the original since the last directive
  const auto copyTo = [&](unsigned offset) {
    while (position < offset) {
      const std::size_t newline = original.find('\n', position);
      const unsigned end = newline == llvm::StringRef::npos || newline >= offset
                               ? offset
                               : static_cast<unsigned>(newline) + 1;
      out += original.substr(position, end - position);
      position = end;
      const bool continued = end >= 2 && original[end - 1] == '\n' && original[end - 2] == '\\';
      if (shifted && end > 0 && original[end - 1] == '\n' && !continued &&
          !lineDirectiveFile.empty()) {
        out += lineDirective(position);
        shifted = false;
      }
    }
  };
  for (const Edit& edit : edits) {
    copyTo(edit.begin);
    const llvm::StringRef removed = original.substr(edit.begin, edit.end - edit.begin);
    if (lineDirectiveFile.empty()) {
      out += edit.text;
    } else {
      // Each inserted line belongs to the line of the edit, so that no message or breakpoint names
      // a wrong one.
      for (const char c : edit.text) {
        const bool continued = !out.empty() && out.back() == '\\'; // a macro's definition
        out += c;
        if (c == '\n' && !continued)
          out += lineDirective(edit.begin);
      }
      shifted |= removed.count('\n') != 0;
    }
    position = std::max(position, edit.end);
  }
  copyTo(static_cast<unsigned>(original.size()));
  return out;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/merge_edits.h"

#include <algorithm>

namespace cu2cpp {
namespace {

bool isInside(const Edit& edit, const OffsetRange& range) {
  return edit.begin >= range.first && edit.end <= range.second;
}

/// A kernel's head without the block size that its launches suggest:
/// `const auto& cuBlock = cu2cpp::thisBlock<16, 16>();` means what `thisBlock()` means.
std::string withoutHint(const std::string& text) {
  const std::string hinted = "const auto& cuBlock = cu2cpp::thisBlock<";
  std::string out = text;
  if (const std::size_t at = out.find(hinted); at != std::string::npos) {
    const std::size_t end = out.find('>', at + hinted.size());
    if (end != std::string::npos)
      out.replace(at, end + 1 - at, "const cu2cpp::Block& cuBlock = cu2cpp::thisBlock");
  }
  for (const auto& [hinting, plain] : {std::pair("cu2cpp::thisRow<", "cu2cpp::thisRow"),
                                       std::pair("cu2cpp::thisKeptRow<", "cu2cpp::thisKeptRow"),
                                       std::pair("cu2cpp::thisKeptRows<", "cu2cpp::thisKeptRows"),
                                       std::pair("cu2cpp::runBlock<", "cu2cpp::runBlock"),
                                       std::pair("cu2cpp::runAnyBlock<", "cu2cpp::runBlock")})
    if (const std::size_t at = out.find(hinting); at != std::string::npos) {
      const std::size_t end = out.find('>', at);
      if (end != std::string::npos)
        out.replace(at, end + 1 - at, plain);
    }
  return out;
}

bool sameEdit(const Edit& a, const Edit& b) {
  return a.begin == b.begin && a.end == b.end && a.yields == b.yields &&
         (a.text == b.text || withoutHint(a.text) == withoutHint(b.text));
}

/// A function whose text the other unit knows better: it has instances of the template.
bool knowsBetter(const FileEdits& other, const FileEdits& mine, const Edit& edit) {
  return std::any_of(mine.functions.begin(), mine.functions.end(), [&](const FunctionRange& f) {
    return !f.instantiated && isInside(edit, f.range) &&
           std::any_of(other.functions.begin(), other.functions.end(), [&](const FunctionRange& o) {
             return o.instantiated && o.range == f.range;
           });
  });
}

/// leavesTo() tells whether what `mine` does not ask for at this place is up to `other`.
bool leavesTo(const FileEdits& other, const FileEdits& mine, const Edit& edit) {
  return std::any_of(mine.skipped.begin(), mine.skipped.end(),
                     [&](const OffsetRange& r) { return isInside(edit, r); }) ||
         knowsBetter(other, mine, edit);
}

bool has(const FileEdits& file, const Edit& edit) {
  // Both lists are short where they differ at all; edits are in the order of the rewrites.
  return std::any_of(file.edits.begin(), file.edits.end(),
                     [&](const Edit& e) { return sameEdit(e, edit); });
}

bool identical(const FileEdits& a, const FileEdits& b) {
  return a.ownText == b.ownText && a.text == b.text && a.skipped == b.skipped &&
         a.functions == b.functions && a.edits.size() == b.edits.size() &&
         std::equal(a.edits.begin(), a.edits.end(), b.edits.begin(),
                    [](const Edit& x, const Edit& y) {
                      return x.begin == y.begin && x.end == y.end && x.yields == y.yields &&
                             x.text == y.text;
                    });
}

std::optional<unsigned> firstUnmatched(const FileEdits& a, const FileEdits& b) {
  std::optional<unsigned> first;
  for (const Edit& edit : a.edits)
    if (!has(b, edit) && !leavesTo(a, b, edit) && !knowsBetter(b, a, edit))
      first = first ? std::min(*first, edit.begin) : edit.begin;
  return first;
}

} // namespace

std::optional<unsigned> conflictOf(const FileEdits& a, const FileEdits& b) {
  if (identical(a, b))
    return std::nullopt;
  if (a.ownText != b.ownText || a.text != b.text)
    return 0;
  const std::optional<unsigned> onlyA = firstUnmatched(a, b), onlyB = firstUnmatched(b, a);
  return onlyA && onlyB ? std::min(*onlyA, *onlyB) : onlyA ? onlyA : onlyB;
}

std::vector<Edit> mergeEdits(const std::vector<const FileEdits*>& files) {
  std::vector<const FileEdits*> distinct;
  for (const FileEdits* file : files)
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](const FileEdits* d) { return identical(*d, *file); }))
      distinct.push_back(file);
  if (distinct.size() == 1)
    return distinct.front()->edits;
  std::vector<Edit> merged;
  for (const FileEdits* file : distinct)
    for (const Edit& edit : file->edits) {
      if (std::any_of(distinct.begin(), distinct.end(), [&](const FileEdits* other) {
            return other != file && knowsBetter(*other, *file, edit);
          }))
        continue;
      const auto known = std::find_if(merged.begin(), merged.end(),
                                      [&](const Edit& m) { return sameEdit(m, edit); });
      if (known == merged.end())
        merged.push_back(edit);
      else if (known->text == withoutHint(known->text))
        *known = edit; // a hint is better than none
    }
  return merged;
}

std::vector<std::size_t> groupEdits(const std::vector<const FileEdits*>& files,
                                    std::optional<unsigned>& at) {
  std::vector<std::vector<const FileEdits*>> groups;
  std::vector<std::size_t> groupOf;
  for (const FileEdits* file : files) {
    std::size_t group = 0;
    for (; group < groups.size(); ++group) {
      std::optional<unsigned> conflict;
      for (const FileEdits* member : groups[group])
        if (!conflict)
          conflict = conflictOf(*member, *file);
      if (!conflict)
        break;
      if (!at)
        at = conflict;
    }
    if (group == groups.size())
      groups.emplace_back();
    // Hundreds of users of a header mostly want the same of it.
    if (std::none_of(groups[group].begin(), groups[group].end(),
                     [&](const FileEdits* m) { return identical(*m, *file); }) ||
        groups[group].empty())
      groups[group].push_back(file);
    groupOf.push_back(group);
  }
  return groupOf;
}

} // namespace cu2cpp

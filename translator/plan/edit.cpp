// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/edit.h"

#include <algorithm>

namespace cu2cpp {

void EditList::replace(const FileRange& range, std::string text, bool yields) {
  std::vector<Edit>& edits = edits_[range.file];
  const bool known = std::any_of(edits.begin(), edits.end(), [&](const Edit& e) {
    return e.begin == range.begin && e.end == range.end && e.text == text;
  });
  if (!known)
    edits.push_back({range.begin, range.end, std::move(text), yields});
}

void EditList::insert(const FilePosition& position, std::string text, bool yields) {
  replace({position.file, position.offset, position.offset}, std::move(text), yields);
}

} // namespace cu2cpp

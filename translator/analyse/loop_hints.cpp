// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/loop_hints.h"

namespace cu2cpp {

bool removeHint(const PlainBody& body, const clang::ForStmt* loop, const FileRange& range,
                std::map<unsigned, std::pair<unsigned, std::string>>& edits) {
  const auto* hinted =
      llvm::dyn_cast_or_null<clang::AttributedStmt>(body.variables.parents().getParent(loop));
  if (!hinted)
    return true;
  const llvm::StringRef above = body.text.buffer(range.file).substr(0, range.begin).rtrim();
  const std::size_t line = above.rfind('\n') + 1; // (npos + 1 is 0)
  llvm::StringRef hint = above.substr(line).ltrim();
  if (hinted->getAttrs().size() != 1 || !llvm::isa<clang::LoopHintAttr>(hinted->getAttrs()[0]) ||
      !hint.consume_front("#") || !hint.ltrim().consume_front("pragma") || hint.contains("/*"))
    return false;
  edits[unsigned(line)] = {unsigned(above.size()), ""};
  return true;
}

} // namespace cu2cpp

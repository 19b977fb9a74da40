// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only a parse tells what a macro or an earlier declaration says of a function; the overlay, which
// must come before the parse, goes by the text.
#include "analyse/hidden_sides.h"

#include "analyse/analyses.h"
#include "parse/source_text.h"

namespace cu2cpp {

DeviceBodiesByFile findHiddenSides(const SourceUnit& unit) {
  DeviceBodiesByFile hidden;
  bool anyTest = false;
  const SourceText text(unit);
  for (const std::string& file : unit.userFiles())
    anyTest |= text.buffer(file).contains("__CUDA_ARCH__");
  if (!anyTest)
    return hidden;
  Facts facts;
  findFunctions(unit, facts);
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !function.decl->getBody() || !unit.isUser(function.decl->getLocation()))
      continue;
    const auto range = text.rangeOf(function.decl->getBody()->getSourceRange());
    // Where the overlay knew, the name has been replaced.
    if (range && llvm::StringRef(text.text(*range)).contains("__CUDA_ARCH__"))
      hidden[range->file][range->begin] = function.host;
  }
  return hidden;
}

} // namespace cu2cpp

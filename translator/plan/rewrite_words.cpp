// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of narrow integers are read and stored as the words that they fill:
//
//   uchar4 p = in[i];                   ->   uchar4 p = cu2cpp::asWord(in[i]);
//   grey[i] = in[i].x / 3;              ->   grey[i] = cu2cpp::asWord(in[i]).x / 3;
//   out[i] = make_uchar4(x, y, z, 0);   ->   cu2cpp::wordTo(out[i]) = make_uchar4(x, y, z, 0);
#include "plan/rewrites.h"

#include "analyse/word_structures.h"

namespace cu2cpp {

void rewriteWords(Plan& plan, SourceText& text) {
  for (const WordAccess& access : findWordAccesses(plan.unit, plan.facts)) {
    // A macro may serve host code too, which knows no such name.
    const clang::Expr* place = access.place;
    if (place->getBeginLoc().isMacroID() || place->getEndLoc().isMacroID())
      continue;
    const auto range = text.rangeOf(place->getSourceRange());
    if (!range)
      continue;
    const std::string open = access.stores ? "cu2cpp::wordTo(" : "cu2cpp::asWord(";
    // What replaces the text around has these too.
    plan.edits.replace({range->file, range->begin, range->begin}, open, true);
    plan.edits.replace({range->file, range->end, range->end}, ")", true);
    text.wrap(*range, open, ")");
  }
}

} // namespace cu2cpp

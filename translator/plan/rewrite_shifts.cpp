// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts that a GPU carries out where C++ leaves them open keep the GPU's meaning:
//
//   rest = word << (32 - bit);   ->   rest = word << cu2cpp::gpuShift(32 - bit);
#include "plan/rewrites.h"

#include "analyse/wide_shifts.h"

namespace cu2cpp {

void rewriteShifts(Plan& plan, SourceText& text) {
  for (const clang::Expr* count : findWideShifts(plan.unit, plan.facts)) {
    // A macro may serve host code too, which knows no such name.
    if (count->getBeginLoc().isMacroID() || count->getEndLoc().isMacroID())
      continue;
    const auto range = text.rangeOf(count->getSourceRange());
    if (!range)
      continue;
    const bool parens = llvm::isa<clang::ParenExpr>(count->IgnoreImpCasts());
    const std::string open = parens ? "cu2cpp::gpuShift" : "cu2cpp::gpuShift(";
    const std::string close = parens ? "" : ")";
    // What replaces the text around has these too.
    plan.edits.replace({range->file, range->begin, range->begin}, open, true);
    if (!close.empty())
      plan.edits.replace({range->file, range->end, range->end}, close, true);
    text.wrap(*range, open, close);
  }
}

} // namespace cu2cpp

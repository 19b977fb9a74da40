// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to integers that a GPU carries out where C++ leaves them open keep the GPU's meaning:
//
//   int bin = (int)(x * 16);    ->   int bin = (int)cu2cpp::clamped(x * 16);
//   count(x);                   ->   count(int(cu2cpp::clamped(x)));
//   sum += x;                   ->   cu2cpp::clampedTo(sum) += x;
#include "plan/rewrites.h"

#include "analyse/clamped_casts.h"

namespace cu2cpp {

void rewriteCasts(Plan& plan, SourceText& text) {
  for (const ClampedCast& cast : findClampedCasts(plan.unit, plan.facts)) {
    // A macro may serve host code too, which knows no such name.
    const clang::Expr* value = cast.value;
    if (value->getBeginLoc().isMacroID() || value->getEndLoc().isMacroID())
      continue;
    const auto range = text.rangeOf(value->getSourceRange());
    // A fold of an instance is a pattern in the text, which is no argument.
    if (!range || llvm::StringRef(text.text(*range)).contains("..."))
      continue;
    const bool parens = llvm::isa<clang::ParenExpr>(value);
    const std::string name = cast.assigns ? "cu2cpp::clampedTo" : "cu2cpp::clamped";
    std::string open = parens ? name : name + "(";
    std::string close = parens ? "" : ")";
    if (!cast.type.empty()) {
      open = "static_cast<" + cast.type + ">(" + open;
      close += ")";
    }
    // What replaces the text around has these too.
    plan.edits.replace({range->file, range->begin, range->begin}, open, true);
    if (!close.empty())
      plan.edits.replace({range->file, range->end, range->end}, close, true);
    text.wrap(*range, open, close);
  }
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short loops over a thread's own arrays are written out, as nvcc does:
//
//   for (int j = 0; j < 8; ++j)   ->   CU2CPP_UNROLL for (int j = 0; j < 8; ++j)
#include "plan/rewrites.h"

#include "analyse/region_parts.h"
#include "analyse/register_loops.h"

namespace cu2cpp {

void rewriteRegisterLoops(Plan& plan, SourceText& text) {
  for (const clang::ForStmt* loop : findRegisterLoops(plan.unit, plan.facts)) {
    if (loop->getForLoc().isMacroID())
      continue;
    const auto range = text.rangeOf(clang::SourceRange(loop->getForLoc(), loop->getForLoc()));
    if (!range)
      continue;
    // The word itself, so that what is put in front of the statement stays in front.
    const std::string word =
        hasMoreSteps(loop, mostStepsAskedFor) ? "CU2CPP_UNROLL_WHOLE " : "CU2CPP_UNROLL ";
    plan.edits.replace(*range, word + "for", true);
    text.wrap(*range, word, "");
  }
}

} // namespace cu2cpp

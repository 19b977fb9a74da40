// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that have a version of their own for device code. A block runs on one OS thread, so
// that atomics on its own shared memory need no locked instruction; the device's heap has a limit:
//
//   atomicAdd(&bins[i], 1)  ->  cu2cpp::inBlock::atomicAdd(&bins[i], 1)
//   malloc(n)               ->  cu2cpp::deviceHeap::malloc(n)
#include "plan/rewrites.h"

#include "clang/AST/Expr.h"

namespace cu2cpp {

void rewriteAtomics(Plan& plan) {
  for (const clang::DeclRefExpr* use : plan.facts.sharedAtomics)
    // Where another rewrite replaces the text around, the atomic stays what it was.
    if (const auto range = plan.text.rangeOf(use->getSourceRange()))
      plan.edits.replace(*range, "cu2cpp::inBlock::" + use->getDecl()->getNameAsString(), true);
  for (const clang::DeclRefExpr* use : plan.facts.heapFunctions)
    if (const auto range = plan.text.rangeOf(use->getSourceRange()))
      plan.edits.replace(*range, "cu2cpp::deviceHeap::" + use->getDecl()->getNameAsString(), true);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that have a version of their own for device code. A block runs on one OS thread, so
// that atomics on its own shared memory need no locked instruction; the device's heap has a limit:
//
//   atomicAdd(&bins[i], 1)  ->  cu2cpp::inTurn::atomicAdd(&bins[i], 1)
//   malloc(n)               ->  cu2cpp::deviceHeap::malloc(n)
//
// On fibers it is cu2cpp::inBlock::atomicAdd(), which lets the block's other threads run.
#include "plan/rewrites.h"

#include <algorithm>

#include "clang/AST/Expr.h"

namespace cu2cpp {
namespace {

/// Where threads run one after the other, from one end of a stretch of code to the other: in
/// kernels that are not on fibers, and in functions that only such kernels can call.
class InTurn {
public:
  explicit InTurn(const Plan& plan) {
    const bool anyFibers = std::any_of(plan.forms.begin(), plan.forms.end(), [](const auto& form) {
      return form.second.form == Form::Fibers;
    });
    for (const auto& [place, function] : plan.facts.functions) {
      const auto form = plan.forms.find(&function);
      const clang::Stmt* body = function.decl->getBody();
      const auto range = body ? plan.text.rangeOf(body->getSourceRange()) : std::nullopt;
      if (!range)
        continue;
      if (form != plan.forms.end()
              ? form->second.form != Form::Fibers
              : !anyFibers && !plan.options.separateCompilation && !plan.options.module &&
                    function.device && range->file == plan.unit.mainFile())
        ranges_.push_back(*range);
    }
  }
  bool has(const FileRange& part) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const FileRange& range) {
      return range.file == part.file && range.begin <= part.begin && part.end <= range.end;
    });
  }

private:
  std::vector<FileRange> ranges_;
};

} // namespace

void rewriteAtomics(Plan& plan) {
  const InTurn inTurn(plan);
  for (const clang::DeclRefExpr* use : plan.facts.sharedAtomics)
    // Where another rewrite replaces the text around, the atomic stays what it was.
    if (const auto range = plan.text.rangeOf(use->getSourceRange()))
      plan.edits.replace(*range,
                         std::string("cu2cpp::") + (inTurn.has(*range) ? "inTurn::" : "inBlock::") +
                             use->getDecl()->getNameAsString(),
                         true);
  for (const clang::DeclRefExpr* use : plan.facts.heapFunctions)
    if (const auto range = plan.text.rangeOf(use->getSourceRange()))
      plan.edits.replace(*range, "cu2cpp::deviceHeap::" + use->getDecl()->getNameAsString(), true);
}

} // namespace cu2cpp

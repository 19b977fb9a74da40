// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): branches that store results and move on what threads keep.
//
//   if (inside) {
//     out[at] = c * (below + here + above + tile[ty][tx - 1]);       if (inside) {
//     below = here;                                             ->     out[at] = c * (in[...] + ...);
//     here = above;                                                  }
//   }
//
// Statements of the branch are taken one by one: as if each had a branch of its own.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

bool March::isMixed(const clang::Stmt* s) const {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  const auto* list = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
  if (!list || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || isCopy(branch))
    return false;
  const Named asked(branch->getCond());
  return asked.changed.empty() && asked.calls.empty() &&
         std::any_of(list->body_begin(), list->body_end(),
                     [&](const clang::Stmt* part) { return isCopyInBranch(part); });
}

bool March::isCopyInBranch(const clang::Stmt* s) const {
  return llvm::isa<clang::Expr, clang::IfStmt, clang::ForStmt>(s) && isCopy(s, true);
}

bool March::passMixed(const clang::IfStmt* branch, State& state, const Needs& known, bool before,
                      bool inLoop) {
  if (!replaceReads(branch->getCond(), state, known))
    return false;
  // Elements are filled in each step, or in none.
  if (fillsTile(branch) && !isSteady(branch->getCond()))
    return false;
  Needs within = known, conditions;
  learn(branch->getCond(), true, state, within);
  const bool isRead = read(branch->getCond(), true, state, conditions);
  const auto equal = equal_;
  noteEqual(branch->getCond(), state);
  bool good = true;
  for (const clang::Stmt* part : llvm::cast<clang::CompoundStmt>(branch->getThen())->body()) {
    if (isCopyInBranch(part)) {
      removed_.insert(part);
      good = (before || inLoop) && copy(part, state, conditions, inLoop);
      // The other threads keep what they had.
      if (good && !isRead)
        forget(part, state);
    } else if (llvm::isa<clang::DeclStmt>(part)) {
      good = passStatement(part, state, within, before, inLoop);
    } else {
      good = changesFit(part, state) && replaceReads(part, state, within);
    }
    if (!good)
      break;
  }
  equal_ = equal;
  return good;
}

} // namespace cu2cpp::marches

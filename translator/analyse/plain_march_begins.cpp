// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp) and move on where a step begins, in all steps but the
// first:
//
//   for (int z = 0; z < nz; ++z) {
//     if (z > 0) {
//       behind = here; here = ahead; ahead = in[at];
//       at += plane; to += plane;
//     }
//     ...
//   }
//
// What is kept and where places are is then the same as if each step did so where it ends, if there
// is a next one. So it is taken for that, and nothing of it stays: a place that is still asked for
// would have to be kept for each thread, which takes longer than what was to be saved.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

namespace {

std::vector<const clang::Stmt*> partsOf(const clang::IfStmt* branch) {
  const clang::Stmt* then = branch->getThen();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
    return {list->body_begin(), list->body_end()};
  return {then};
}

} // namespace

const clang::IfStmt* March::beginOf(const State& begin) {
  const auto* branch =
      body_list_->body_empty() ? nullptr : llvm::dyn_cast<clang::IfStmt>(body_list_->body_front());
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || fillsTile(branch))
    return nullptr;
  // `z > from`, `z != from`
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(plainly(branch->getCond()));
  if (!test || (test->getOpcode() != clang::BO_GT && test->getOpcode() != clang::BO_NE) ||
      namedBy(test->getLHS()) != counter_ || !isSteady(test->getRHS()))
    return nullptr;
  const auto from = sumOf(test->getRHS(), begin);
  if (!from || !(*from - first_).empty())
    return nullptr;
  const auto parts = partsOf(branch);
  const auto fits = [&](const clang::Stmt* part) { return isCopy(part) || movesPlace(part); };
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), fits) ? branch : nullptr;
}

void March::moveOn(State& state) {
  const auto apply = [&](const clang::Stmt* s) {
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (const auto moved = e ? motion(e, state) : std::nullopt)
      *state.placeOf(moved->first) = moved->second;
  };
  for (const clang::Stmt* s : body_list_->body())
    apply(s);
  if (begin_)
    for (const clang::Stmt* part : partsOf(begin_))
      apply(part);
}

bool March::passStep(State& state, const Needs& known) {
  for (const clang::Stmt* s : body_list_->body()) {
    Needs here = known;
    if (const auto guard = guarded_.find(s); guard != guarded_.end())
      learn(guard->second->getCond(), true, state, here);
    if (s != begin_ && !passStatement(s, state, here, true, true))
      return false;
  }
  if (!begin_)
    return true;
  const auto parts = partsOf(begin_);
  if (std::none_of(parts.begin(), parts.end(), movesPlace))
    removed_.insert(begin_);
  const Sum here = state.integers[counter_], one = constantSum(1);
  const Needs isNext = {symbols_[*step_].bounds.most - symbolSum(*step_) - one};
  state.integers[counter_] = here + one;
  for (const clang::Stmt* part : parts) {
    if (movesPlace(part)) {
      const auto moved = motion(llvm::cast<clang::Expr>(part), state);
      if (!moved)
        return false;
      *state.placeOf(moved->first) = moved->second;
      continue;
    }
    if (!removed_.count(begin_))
      removed_.insert(part);
    if (!copy(part, state, isNext, true))
      return false;
  }
  state.integers[counter_] = here;
  return true;
}

bool March::removeIdleBegin(PlainChanges& changes) {
  const auto range = body_.text.rangeOf(begin_->getSourceRange());
  const auto loop = body_.text.positionOf(loop_->getBeginLoc());
  if (!range || !loop || loop->file != range->file)
    return false;
  for (const clang::Stmt* part : partsOf(begin_)) {
    if (!movesPlace(part))
      continue;
    const auto* move = llvm::cast<clang::BinaryOperator>(plainly(llvm::cast<clang::Expr>(part)));
    const clang::VarDecl* variable = namedBy(move->getLHS());
    const auto uses = body_.contents.references.find(variable);
    if (uses == body_.contents.references.end() || body_.mayBeHidden(variable))
      return false;
    for (const clang::DeclRefExpr* use : uses->second) {
      const auto at = body_.text.positionOf(use->getLocation());
      const bool before = at && at->file == loop->file && at->offset < loop->offset;
      // Where it is moved, or moves another one, which nothing asks for either.
      const bool moves =
          at && at->file == range->file && at->offset >= range->begin && at->offset < range->end;
      if (use->getLocation().isMacroID() ||
          (!before && !moves && !isReplaced(use->getLocation(), changes)))
        return false;
    }
  }
  auto& edits = changes[range->file];
  edits.erase(edits.lower_bound(range->begin), edits.lower_bound(range->end));
  return remove(begin_, changes);
}

} // namespace cu2cpp::marches

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a loop with a stride, or one that counts up from a number, passes over become a
// branch, so that a step has one end and may run for all threads at once:
//
//   for (int i = start; i < n; i += stride) {      for (int i = start; i < n; i += stride) {
//     float f = x[i];                                float f = x[i];
//     if (f < 0) continue;                    ->     if (!(f < 0)) {
//     atomicAdd(&bins[int(f)], 1);                   atomicAdd(&bins[int(f)], 1);
//   }                                              }}
//
// Where something is done for them first, the rest is done for the others:
//
//   if (edge) { y[i] = 0; continue; }       ->     if (edge) { y[i] = 0;  } else {
//
// Not where threads meet in the loop: which of them do is plainer from `continue`.
#include "analyse/plain_body.h"

#include <algorithm>
#include <string>

#include "analyse/facts.h"

namespace cu2cpp {
namespace {

/// `if (...) continue;`
const clang::IfStmt* passesOver(const clang::Stmt* s) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr())
    return nullptr;
  const clang::Stmt* then = branch->getThen();
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then);
  if (list && list->size() == 1)
    then = list->body_front();
  return llvm::isa<clang::ContinueStmt>(then) ? branch : nullptr;
}

/// The last statement of `if (...) { ...; continue; }`, which goes on from nowhere else.
const clang::ContinueStmt* lastOf(const clang::Stmt* s) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  const auto* list = branch && !branch->getElse() && !branch->getInit() &&
                             !branch->getConditionVariable() && !branch->isConstexpr()
                         ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen())
                         : nullptr;
  return list && list->size() > 1 &&
                 std::none_of(list->body_begin(), list->body_end() - 1,
                              [](const clang::Stmt* one) { return PlainBody::continues(one); })
             ? llvm::dyn_cast<clang::ContinueStmt>(list->body_back())
             : nullptr;
}

/// `for (int i = 0; i < n; ++i)`: threads may count together.
bool countsUp(const clang::ForStmt* loop, const clang::ASTContext& context) {
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (!step || !step->isIncrementOp() || !test || test->getOpcode() != clang::BO_LT)
    return false;
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* variable = init && init->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                             : nullptr;
  const clang::Expr* from = variable ? variable->getInit() : nullptr;
  clang::Expr::EvalResult number;
  const auto isNumber = [&](const clang::Expr* e) {
    return e->isValueDependent() || e->EvaluateAsInt(number, context);
  };
  return isNumber(test->getRHS()) || (from && isNumber(from));
}

void nest(const PlainBody& body, const clang::ForStmt* loop, const FunctionFacts* facts) {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  const auto* step = loop->getInc()
                         ? llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())
                         : nullptr;
  const bool strides = step && step->getOpcode() == clang::BO_AddAssign;
  if (!list || !(strides || countsUp(loop, body.unit.context())) || !PlainBody::continues(list) ||
      list->getRBracLoc().isMacroID())
    return;
  const auto end = body.text.positionOf(list->getRBracLoc());
  const auto all = body.text.rangeOf(list->getSourceRange());
  const auto meetsHere = [&](const Collective& meeting) {
    const auto at = body.text.positionOf(meeting.at);
    return !at || !all || meeting.at.isMacroID() ||
           (at->file == all->file && at->offset >= all->begin && at->offset < all->end);
  };
  if (facts && std::any_of(facts->collectives.begin(), facts->collectives.end(), meetsHere))
    return;
  // Branches that #if hides may go on, too.
  if (!end || !all || llvm::StringRef(body.text.text(*all)).contains("#if"))
    return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  std::string closing;
  for (const clang::Stmt* s : list->body()) {
    if (const clang::ContinueStmt* last = lastOf(s)) {
      const auto* branch = llvm::cast<clang::IfStmt>(s);
      const auto jump = body.text.rangeOf(last->getSourceRange());
      const auto then = body.text.endOf(branch->getThen()->getEndLoc());
      const auto behind = jump ? behindSemicolon(body.text, *jump) : std::nullopt;
      if (!then || !behind || then->file != end->file || jump->file != end->file ||
          branch->getBeginLoc().isMacroID() || last->getBeginLoc().isMacroID() ||
          branch->getThen()->getEndLoc().isMacroID())
        return;
      edits[jump->begin] = {*behind, ""};
      edits[then->offset] = {then->offset, " else {"};
      closing += "}";
      continue;
    }
    const clang::IfStmt* branch = passesOver(s);
    if (!branch) {
      if (PlainBody::continues(s))
        return;
      continue;
    }
    const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
    const auto begin = body.text.positionOf(branch->getBeginLoc());
    const auto then = body.text.rangeOf(branch->getThen()->getSourceRange());
    if (!condition || !begin || !then || begin->file != end->file || condition->file != end->file ||
        branch->getBeginLoc().isMacroID() || branch->getThen()->getBeginLoc().isMacroID() ||
        branch->getThen()->getEndLoc().isMacroID())
      return;
    const auto behind = llvm::isa<clang::CompoundStmt>(branch->getThen())
                            ? std::optional<unsigned>(then->end)
                            : behindSemicolon(body.text, *then);
    if (!behind)
      return;
    edits[begin->offset] = {*behind,
                            withLinesOf(body.text.text({begin->file, begin->offset, *behind}),
                                        "if (!(" + body.text.text(*condition) + ")) {")};
    closing += "}";
  }
  if (closing.empty())
    return;
  edits[end->offset] = {end->offset, closing};
  body.changes[end->file].insert(edits.begin(), edits.end());
}

} // namespace

void nestSteps(const PlainBody& body, const FunctionFacts* facts) {
  for (const clang::Stmt* loop : body.contents.loops)
    if (const auto* f = llvm::dyn_cast<clang::ForStmt>(loop))
      nest(body, f, facts);
}

} // namespace cu2cpp

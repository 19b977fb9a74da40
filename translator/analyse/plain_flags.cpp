// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of steps that are declared before them, and first values that nobody asks for:
//
//   bool computed = false;
//   for (int i = 0; i < steps; ++i) {         for (int i = 0; i < steps; ++i) {
//     float v = 0;                              float v;
//     computed = x > i && x < 31 - i;           const bool computed = x > i && x < 31 - i;
//     if (computed) v = ...;              ->    if (computed) v = ...;
//     __syncthreads();                          __syncthreads();
//     if (computed) tile[x] = v;                if (computed) tile[x] = v;
//     ...                                       ...
//
// A flag that never changes is asked for anew where it stands, and ranges of threads are found by
// it; the other would be kept for each thread. Behind the second declaration threads that do not
// take the branch do nothing.
#include "analyse/plain_body.h"

#include <algorithm>

#include "clang/AST/Type.h"

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The list of statements in which a statement stands.
const clang::CompoundStmt* listOf(const PlainBody& body, const clang::Stmt* s) {
  return llvm::dyn_cast_or_null<clang::CompoundStmt>(
      body.variables.parents().getParent(const_cast<clang::Stmt*>(s)));
}

/// Where a variable of its own statement is declared.
struct Declared {
  const LocalVariable* local = nullptr;
  const clang::DeclStmt* statement = nullptr;
  const clang::CompoundStmt* list = nullptr;
};

std::optional<Declared> declared(const PlainBody& body, const clang::DeclStmt* s) {
  const auto* variable =
      s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
  const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
  const clang::CompoundStmt* list = listOf(body, s);
  if (!local || !list || local->escapes || !local->scalar || !variable->hasLocalStorage() ||
      variable->hasAttrs() || variable->getType().isVolatileQualified() ||
      variable->getType()->isDependentType() || variable->getType()->isReferenceType() ||
      s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
    return std::nullopt;
  return Declared{local, s, list};
}

/// Declares a flag where a list of statements sets it, if nothing else names it than that list.
void declareWhereSet(const PlainBody& body, const Declared& flag) {
  const clang::VarDecl* variable = flag.local->decl;
  const auto* set =
      flag.local->assignments.size() == 1
          ? llvm::dyn_cast<clang::BinaryOperator>(flag.local->assignments.front()->IgnoreParens())
          : nullptr;
  if (!set || set->getOpcode() != clang::BO_Assign || !variable->getType()->isBooleanType() ||
      variable->getType().isConstQualified() || !body.isSpelled(set) ||
      (variable->hasInit() && variable->getInit()->HasSideEffects(body.unit.context())))
    return;
  const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()); // without parentheses
  const clang::CompoundStmt* list = listOf(body, set);
  const auto places = body.placesOf(variable);
  const auto all = body.text.rangeOf(flag.statement->getSourceRange());
  const auto value = body.text.rangeOf(set->getSourceRange());
  const auto within = list ? body.text.rangeOf(list->getSourceRange()) : std::nullopt;
  if (!target || target->getDecl() != variable || !places || !all || !value || !within ||
      list == flag.list || all->file != value->file || within->file != value->file)
    return;
  for (const auto& [at, use] : *places)
    if (use != target && (at < value->end || at >= within->end))
      return;
  // Nothing else has its name.
  for (const clang::DeclStmt* s : body.contents.declarations)
    for (const clang::Decl* decl : s->decls())
      if (const auto* other = llvm::dyn_cast<clang::NamedDecl>(decl);
          !other || (other != variable && other->getName() == variable->getName()))
        return;
  body.put(all->file, {{all->begin, {all->end, withLinesOf(body.text.text(*all), ";")}},
                       {value->begin, {value->begin, "const bool "}}});
}

/// Whether a statement is a branch for threads whose flag, which never changes, is set; which flag.
const clang::VarDecl* flagOf(const PlainBody& body, const clang::Stmt* s) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getBeginLoc().isMacroID() || branch->getEndLoc().isMacroID())
    return nullptr;
  const clang::VarDecl* flag = namedBy(branch->getCond());
  const LocalVariable* local = flag ? body.variables.find(flag) : nullptr;
  return local && !local->modified && !local->escapes && flag->getType()->isBooleanType() &&
                 flag->hasInit()
             ? flag
             : nullptr;
}

/// Leaves out the value that a variable begins with, if all that names it are branches of one flag
/// in its own list, the first of which sets it first.
void leaveOutFirstValue(const PlainBody& body, const Declared& kept) {
  const clang::VarDecl* variable = kept.local->decl;
  if (!variable->hasInit() || variable->getInitStyle() != clang::VarDecl::CInit ||
      variable->getType().isConstQualified() || variable->isConstexpr() ||
      variable->getType()->isPointerType() ||
      variable->getTypeSourceInfo()->getType()->getContainedDeducedType() ||
      variable->getInit()->HasSideEffects(body.unit.context()))
    return;
  const auto places = body.placesOf(variable);
  const auto value = body.text.rangeOf(variable->getInit()->getSourceRange());
  const auto name = body.text.positionOf(variable->getLocation());
  if (!places || places->empty() || !value || !name || name->file != value->file)
    return;
  const clang::VarDecl* flag = nullptr;
  std::size_t found = 0;
  bool meets = false, met = false;
  const auto from = std::find(kept.list->body_begin(), kept.list->body_end(), kept.statement);
  for (auto s = from; s != kept.list->body_end(); ++s) {
    meets |= isBarrier(*s);
    const clang::VarDecl* const asked = flagOf(body, *s);
    if (!asked || (flag && asked != flag))
      continue;
    const clang::Stmt* then = llvm::cast<clang::IfStmt>(*s)->getThen();
    const auto range = body.text.rangeOf(then->getSourceRange());
    if (!range || range->file != name->file)
      return;
    // (The semicolon of a single statement does not count.)
    const auto first = places->lower_bound(range->begin);
    const auto behind = places->upper_bound(range->end);
    const auto uses = std::size_t(std::distance(first, behind));
    if (uses == 0)
      continue;
    if (!flag) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then);
      const auto sets = [&](const clang::Stmt* one) {
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one);
        if (!op || op->getOpcode() != clang::BO_Assign)
          return false;
        const clang::Expr* target = op->getLHS()->IgnoreParens();
        PlainVisitor of;
        of.TraverseStmt(op->getRHS());
        return target == first->second && of.usesOf(variable) == 0;
      };
      if (!(list ? std::any_of(list->body_begin(), list->body_end(), sets) : sets(then)))
        return;
      flag = asked;
    }
    met |= meets;
    found += uses;
  }
  if (found != places->size() || !met)
    return;
  body.put(
      name->file,
      {{name->offset + unsigned(variable->getName().size()),
        {value->end, withLinesOf(body.text.buffer(name->file)
                                     .slice(name->offset + variable->getName().size(), value->end),
                                 "")}}});
}

} // namespace

void declareFlagsOfSteps(const PlainBody& body) {
  if (body.contents.lambdas)
    return;
  const std::size_t before = body.changeCount();
  for (const clang::DeclStmt* s : body.contents.declarations)
    if (const auto flag = declared(body, s))
      declareWhereSet(body, *flag);
  if (body.changeCount() != before)
    return;
  for (const clang::DeclStmt* s : body.contents.declarations)
    if (const auto kept = declared(body, s))
      leaveOutFirstValue(body, *kept);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that set values and leave a loop which only computes, set them first, where only
// compilers read the translation:
//
//   for (int i = 0; i < 200; ++i) {             for (int i = 0; i < 200; ++i) {
//     if (x * x + y * y > 4) {                    if (x * x + y * y > 4) { steps = i; }
//       steps = i;                        ->      if (x * x + y * y > 4) break;
//       break;                                    ...
//     }
//     ...
//
// A branch that does nothing but to leave is a set of lanes, found by one comparison of vectors;
// the values are chosen by another. (Compilers compare once.)
#include "analyse/plain_body.h"

#include <algorithm>
#include <set>

#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// Whether code reaches memory beside local variables.
bool reachesMemory(const clang::Stmt* s) {
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s);
      op && (op->getOpcode() == clang::UO_Deref || op->getOpcode() == clang::UO_AddrOf))
    return true;
  if (llvm::isa<clang::ArraySubscriptExpr>(s))
    return true;
  return std::any_of(s->child_begin(), s->child_end(),
                     [](const clang::Stmt* child) { return child && reachesMemory(child); });
}

/// Whether an expression names local variables by their own names, and no volatile ones.
bool namesOwn(const clang::Expr* e) {
  const auto uses = Contents(e).uses;
  return std::all_of(uses.begin(), uses.end(), [](const clang::VarDecl* variable) {
    return !variable->getType()->isReferenceType() && !variable->getType().isVolatileQualified();
  });
}

/// A local number that code changes or declares: `steps = i`.
const clang::VarDecl* numberSet(const PlainBody& body, const Facts& facts, const clang::Stmt* s) {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* value = nullptr;
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(s)) {
    variable = declares->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl())
                                        : nullptr;
    value = variable ? variable->getInit() : nullptr;
  } else if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens());
    variable = op && op->getOpcode() == clang::BO_Assign ? namedBy(op->getLHS()) : nullptr;
    value = variable ? op->getRHS() : nullptr;
    const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
    if (!local || local->escapes || local->pointed)
      return nullptr;
  }
  return value && variable->hasLocalStorage() && !isShared(variable) &&
                 variable->getType()->isArithmeticType() &&
                 !variable->getType().isVolatileQualified() && !reachesMemory(value) &&
                 isPureExpression(value, facts)
             ? variable
             : nullptr;
}

void leaveAtOnce(const PlainBody& body, const Facts& facts, const clang::IfStmt* branch) {
  const clang::ParentMap& parents = body.variables.parents();
  const clang::Stmt* around = parents.getParent(branch);
  const clang::Stmt* loop =
      llvm::isa_and_nonnull<clang::CompoundStmt>(around) ? parents.getParent(around) : nullptr;
  const auto* then = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
  if (!llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(loop) || !then ||
      then->size() < 2 || branch->getElse() || branch->hasInitStorage() ||
      branch->hasVarStorage() || branch->isConstexpr() || !body.isSpelled(branch) ||
      !body.text.isWhole(branch->getCond()) || reachesMemory(loop))
    return;
  // `{ steps = i; { found = true; break; } }`
  std::vector<const clang::Stmt*> statements(then->body_begin(), then->body_end());
  while (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(statements.back())) {
    statements.pop_back();
    statements.insert(statements.end(), inner->body_begin(), inner->body_end());
    if (statements.empty())
      return;
  }
  const auto* jump = llvm::dyn_cast<clang::BreakStmt>(statements.back());
  const clang::Expr* condition = branch->getCond();
  if (!jump || condition->isTypeDependent() || body.variables.isUniform(condition, Scope::Block) ||
      !isPureExpression(condition, facts) || !namesOwn(condition))
    return;
  statements.pop_back();
  for (const clang::Stmt* s : statements) {
    const clang::VarDecl* variable = numberSet(body, facts, s);
    if (!variable || Contents(condition).uses.count(variable))
      return;
  }
  const auto whole = body.text.rangeOf(branch->getSourceRange());
  const auto asked = body.text.rangeOf(condition->getSourceRange());
  const auto left = body.text.rangeOf(jump->getSourceRange());
  const auto behind = left ? behindSemicolon(body.text, *left) : std::nullopt;
  if (!whole || !asked || !behind || asked->file != whole->file || left->file != whole->file ||
      jump->getBeginLoc().isMacroID() || llvm::StringRef(body.text.text(*whole)).contains('#'))
    return;
  const auto question = onOneLine(body.text, *asked, {});
  if (!question)
    return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  edits[left->begin] = {*behind, ""};
  edits[whole->end] = {whole->end, " if (" + *question + ") break;"};
  body.put(whole->file, std::move(edits));
}

} // namespace

void leaveAtOnce(const PlainBody& body, const Facts& facts) {
  for (const clang::IfStmt* branch : body.contents.branches)
    leaveAtOnce(body, facts, branch);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread stores in shared memory is chosen where it is declared, though a branch sets it
// over a number that it begins with. For compilers only:
//
//   float v = 0.0f;                                  float v = (x >= 0 && x < n) ? (in[y * n + x])
//   if (x >= 0 && x < n) v = in[y * n + x];    ->                                : (0.0f);
//   tile[ly][lx] = v;                                tile[ly][lx] = v;
//
//   float v;                                         (the same)
//   if (x >= 0 && x < n) v = in[y * n + x];
//   else v = 0.0f;
//
// A tile that is so filled is a copy of what lies inside of the array, as one is with the choice.
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The one statement of a branch, if it sets a variable.
const clang::BinaryOperator* settingOf(const clang::Stmt* side, const clang::VarDecl* variable) {
  if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(side))
    side = list->size() == 1 ? list->body_front() : nullptr;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(side);
  return op && op->getOpcode() == clang::BO_Assign && namedBy(op->getLHS()) == variable ? op
                                                                                        : nullptr;
}

/// A number, which nothing has to be asked for.
bool isNumber(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return (op->getOpcode() == clang::UO_Minus || op->getOpcode() == clang::UO_Plus) &&
           isNumber(op->getSubExpr());
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(e) ||
         (llvm::isa<clang::DeclRefExpr>(e) && namedBy(e) && isNamedConstant(namedBy(e)));
}

/// Whether a statement stores a variable in an element of a shared array.
bool storesShared(const clang::Stmt* s, const clang::VarDecl* variable) {
  const auto* store = llvm::dyn_cast<clang::BinaryOperator>(s);
  if (!store || store->getOpcode() != clang::BO_Assign || namedBy(store->getRHS()) != variable)
    return false;
  const clang::VarDecl* const array = elementOf(store->getLHS()).array;
  return array && isShared(array);
}

void choose(const PlainBody& body, const clang::DeclStmt* declaration) {
  const auto* variable = declaration->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                             : nullptr;
  const auto* list =
      llvm::dyn_cast_or_null<clang::CompoundStmt>(body.variables.parents().getParent(declaration));
  const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
  if (!list || !local || local->escapes || !variable->hasLocalStorage() || variable->hasAttrs() ||
      !(variable->getType()->isArithmeticType() ||
        llvm::isa<clang::TemplateTypeParmType>(variable->getType().getCanonicalType())) ||
      variable->getType().hasQualifiers())
    return;
  const auto at = std::find(list->body_begin(), list->body_end(), declaration);
  if (list->body_end() - at < 3 || !storesShared(at[2], variable))
    return;
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(at[1]);
  if (!branch || branch->getInit() || branch->getConditionVariable() || branch->isConstexpr() ||
      branch->isConsteval() || bool(branch->getElse()) == variable->hasInit())
    return;
  const clang::BinaryOperator* const set = settingOf(branch->getThen(), variable);
  const clang::BinaryOperator* const otherwise =
      branch->getElse() ? settingOf(branch->getElse(), variable) : nullptr;
  const clang::Expr* const number = otherwise ? otherwise->getRHS() : variable->getInit();
  const unsigned uses = otherwise ? 3 : 2;
  const auto places = body.placesOf(variable);
  if (!set || !number || !isNumber(number) || !places || places->size() != uses ||
      countUses(branch->getCond(), variable) != 0 || countUses(set->getRHS(), variable) != 0)
    return;
  // As wide as what it is given: the choice would have another type.
  const clang::ASTContext& context = body.unit.context();
  if (!context.hasSameUnqualifiedType(set->getRHS()->IgnoreParenImpCasts()->getType(),
                                      variable->getType()))
    return;
  const auto from = body.text.positionOf(variable->getLocation());
  const auto end = body.text.rangeOf(branch->getSourceRange());
  const auto last = body.text.rangeOf((otherwise ? otherwise : set)->getSourceRange());
  const auto textOf = [&](const clang::Expr* e) -> std::optional<std::string> {
    const auto range = body.text.rangeOf(e->getSourceRange());
    return range && body.text.isWhole(e) ? onOneLine(body.text, *range, {}) : std::nullopt;
  };
  const auto condition = textOf(branch->getCond()), value = textOf(set->getRHS()),
             instead = textOf(number);
  if (!from || !end || !last || end->file != from->file || !condition || !value || !instead ||
      variable->getLocation().isMacroID() || branch->getBeginLoc().isMacroID() ||
      branch->getEndLoc().isMacroID() ||
      (*condition + *value + *instead).find("//") != std::string::npos)
    return;
  const bool inBraces =
      llvm::isa<clang::CompoundStmt>(branch->getElse() ? branch->getElse() : branch->getThen());
  const auto behind =
      inBraces ? std::optional<unsigned>(end->end)
               : body.behindStatement(otherwise ? otherwise : set, {last->file, last->begin});
  if (!behind)
    return;
  const unsigned begin = from->offset + unsigned(variable->getName().size());
  const std::string type = variable->getType().getAsString(context.getPrintingPolicy());
  const llvm::StringRef before = body.text.buffer(from->file).slice(begin, *behind);
  // Directives and comments would have to stay.
  if (before.contains('#') || before.contains("//") || before.contains("/*"))
    return;
  body.put(
      from->file,
      {{begin,
        {*behind, withLinesOf(before, " = (" + *condition + ") ? (" + *value + ") : static_cast<" +
                                          type + ">(" + *instead + ");")}}});
}

} // namespace

void chooseDefaults(const PlainBody& body) {
  for (const clang::DeclStmt* s : body.contents.declarations)
    choose(body, s);
}

} // namespace cu2cpp

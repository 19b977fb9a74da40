// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges under a condition store in any case, what was there or the other value: vectors of
// threads then need no stores under masks, and no thread guesses a branch.
//
//   if ((a > b) == up) {        { const bool cuSwaps = (a > b) == up;
//     int t = a;                  const auto cuOne = a; const auto cuOther = b;
//     a = b;                 ->   a = cuSwaps ? cuOther : cuOne;
//     b = t;                      b = cuSwaps ? cuOne : cuOther; }
//   }
//
// Only where the condition reads both: no other thread may change them meanwhile. What goes along
// with them in other shared arrays, at the same places, nobody else exchanges meanwhile either: he
// would read the same keys. (Whoever else stores there does so before or behind: one OS thread runs
// a block.)
#include "analyse/plain_body.h"

#include <algorithm>
#include <string>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// A number, or a value of a template's type.
bool isValue(clang::QualType type) {
  type = type.getNonReferenceType();
  return !type.isVolatileQualified() && (type->getAs<clang::TemplateTypeParmType>() ||
                                         (!type->isDependentType() && type->isArithmeticType()));
}

} // namespace

bool isOfValues(const clang::Expr* index) {
  class Parts : public SyntaxVisitor {
  public:
    bool fits = true;
    bool VisitStmt(clang::Stmt* s) override {
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s))
        return fits &= !use->getType()->isPointerType() && !use->getType()->isArrayType() &&
                       !use->getDecl()->getType()->isReferenceType();
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
        return fits &= !member->isArrow() && namedBy(member->getBase());
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
        return fits &= !op->isIncrementDecrementOp() && op->getOpcode() != clang::UO_Deref;
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s))
        return fits &= !op->isAssignmentOp();
      return fits &= llvm::isa<clang::IntegerLiteral, clang::ParenExpr, clang::ImplicitCastExpr,
                               clang::CStyleCastExpr, clang::CXXFunctionalCastExpr,
                               clang::CXXStaticCastExpr>(s);
    }
  } parts;
  parts.TraverseStmt(const_cast<clang::Expr*>(index));
  return parts.fits;
}

namespace {

/// A variable or an element of an array.
bool isPlace(const clang::Expr* e) {
  if (const clang::VarDecl* variable = namedBy(e))
    return isValue(variable->getType());
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
  return element && isValue(element->getType()) && namedBy(element->getBase()) &&
         isOfValues(element->getIdx());
}

/// `x = y`
const clang::BinaryOperator* assignment(const clang::Stmt* s) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
  return op && op->getOpcode() == clang::BO_Assign ? op : nullptr;
}

class Swaps {
public:
  explicit Swaps(const PlainBody& body) : body_(body) {}

  void look(const clang::IfStmt* branch) {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    if (!list || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        branch->isConstexpr() || list->size() == 0)
      return;
    // `int t;` before all
    const bool declares = list->size() % 3 == 1 && isPlainDeclaration(list->body_front());
    if (list->size() % 3 != (declares ? 1 : 0))
      return;
    std::string text;
    std::vector<std::pair<std::string, std::string>> keys; ///< indices of what the condition reads
    std::map<const clang::VarDecl*, std::size_t> kept;
    for (auto at = list->body_begin() + (declares ? 1 : 0); at != list->body_end(); at += 3) {
      const clang::VarDecl* variable = nullptr;
      const clang::Expr* one = nullptr;
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(at[0])) {
        variable = declaration->isSingleDecl()
                       ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                       : nullptr;
        one = variable ? variable->getInit() : nullptr;
        kept[variable] += 1;
      } else if (const auto* op = assignment(at[0])) {
        variable = namedBy(op->getLHS());
        one = op->getRHS();
        kept[variable] += 2;
      }
      const auto *first = assignment(at[1]), *second = assignment(at[2]);
      if (!variable || !one || !first || !second || variable->getType()->isReferenceType() ||
          namedBy(second->getRHS()) != variable || !isPlace(first->getLHS()) ||
          !isPlace(second->getLHS()) || !isWhole(at[0]) || !isWhole(first) || !isWhole(second))
        return;
      const auto typeOf = [](const clang::Expr* e) {
        return e->IgnoreParenImpCasts()->getType().getCanonicalType().getUnqualifiedType();
      };
      const std::string a = textOf(first->getLHS()), b = textOf(second->getLHS());
      if (textOf(one) != a || textOf(first->getRHS()) != b || a == b ||
          typeOf(first->getLHS()) != typeOf(second->getLHS()) ||
          typeOf(first->getLHS()) != variable->getType().getCanonicalType().getUnqualifiedType())
        return;
      const std::pair<std::string, std::string> indices{indexOf(first->getLHS(), false),
                                                        indexOf(second->getLHS(), false)};
      if (readsAlways(branch->getCond(), a) && readsAlways(branch->getCond(), b)) {
        keys.push_back(indices);
      } else if (indexOf(first->getLHS(), true).empty() ||
                 indexOf(second->getLHS(), true).empty() ||
                 std::none_of(keys.begin(), keys.end(), [&](const auto& key) {
                   return key == indices ||
                          (key.first == indices.second && key.second == indices.first);
                 })) {
        return;
      }
      text += (text.empty() ? "" : " ") + std::string("{ const auto cuOne = ") + a +
              "; const auto cuOther = " + b + "; " + a + " = cuSwaps ? cuOther : cuOne; " + b +
              " = cuSwaps ? cuOne : cuOther; }";
    }
    // What lies between is asked for by nobody else.
    for (const auto& [variable, uses] : kept)
      if (body_.contents.usesOf(variable) != uses)
        return;
    const auto all = body_.text.rangeOf(branch->getSourceRange());
    if (!all || !isWhole(branch) || textHasDirective(*all))
      return;
    const std::string before = body_.text.text(*all);
    body_.changes[all->file][all->begin] = {
        all->end, withLinesOf(before, "{ const bool cuSwaps = " + textOf(branch->getCond()) + "; " +
                                          text + " }")};
  }

private:
  bool isWhole(const clang::Stmt* s) const {
    return !s->getBeginLoc().isMacroID() && !s->getEndLoc().isMacroID();
  }
  bool isPlainDeclaration(const clang::Stmt* s) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    const auto* variable = declaration && declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    return variable && !variable->hasInit() && variable->hasLocalStorage() && isWhole(s) &&
           isValue(variable->getType());
  }
  /// The index of an element, of a shared array if it must be `ofShared`; empty if it is none.
  std::string indexOf(const clang::Expr* e, bool ofShared) const {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
    const clang::VarDecl* array = element ? namedBy(element->getBase()) : nullptr;
    return array && (!ofShared || (isShared(array) && array->getType()->isArrayType()))
               ? textOf(element->getIdx())
               : std::string();
  }
  std::string textOf(const clang::Expr* e) const {
    const auto range = body_.text.rangeOf(e->IgnoreImpCasts()->getSourceRange());
    return range ? std::string(body_.text.text(*range)) : std::string();
  }
  bool textHasDirective(const FileRange& range) const {
    const std::string text(body_.text.text(range));
    return text.find('#') != std::string::npos || text.find("//") != std::string::npos;
  }
  /// Whether a condition reads a place, whatever its other parts are.
  bool readsAlways(const clang::Expr* condition, const std::string& place) const {
    condition = condition->IgnoreParenImpCasts();
    if (textOf(condition) == place &&
        (namedBy(condition) || llvm::isa<clang::ArraySubscriptExpr>(condition)))
      return true;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition))
      return !op->isAssignmentOp() && (readsAlways(op->getLHS(), place) ||
                                       (!op->isLogicalOp() && readsAlways(op->getRHS(), place)));
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(condition))
      return op->getOpcode() == clang::UO_LNot && readsAlways(op->getSubExpr(), place);
    // `precedes(keys[a], keys[b])`, which takes values.
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(condition)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (!callee || callee->isVariadic() || llvm::isa<clang::CXXOperatorCallExpr>(call))
        return false;
      for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i)
        if (const clang::QualType type = callee->getParamDecl(i)->getType();
            !type->isReferenceType() && isValue(type) && readsAlways(call->getArg(i), place))
          return true;
      return false;
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(condition))
      return readsAlways(choice->getCond(), place) || (readsAlways(choice->getTrueExpr(), place) &&
                                                       readsAlways(choice->getFalseExpr(), place));
    return false;
  }

  const PlainBody& body_;
};

} // namespace

void storeSwaps(const PlainBody& body) {
  Swaps swaps(body);
  for (const clang::IfStmt* branch : body.contents.branches)
    swaps.look(branch);
}

} // namespace cu2cpp

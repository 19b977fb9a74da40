// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements (split_elements.cpp) that fill a tile the other way around than they load it:
// neighbours of a row go to different rows of the tile, and those of a column side by side. Told
// where an element goes, the library turns squares of them (cu2cpp/turned_elements.h). For
// compilers only:
//
//   for (int t = tid; t < 64 * 16; t += 256) {    cu2cpp::eachElementTurned(cuBlock, ..., 16,
//     const int r = t / 16, c = t % 16;             [&](const auto cuRow, const auto cuColumn) {
//     s[c][r] = in[r * n + c];               ->       ... return s[c][r]; },
//   }                                               [&](..., auto& cuTurned) {
//                                                     ... cuTurned = in[r * n + c]; });
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {

namespace {

/// How a place differs from row to row of elements.
class RowStep {
public:
  explicit RowStep(const ElementLoop& loop) : loop_(loop) {}

  /// The row itself, or a variable that is it.
  bool isRow(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return loop_.quotients.count(op) != 0;
    const clang::VarDecl* variable = namedBy(e);
    return variable && ((loop_.columns && variable == loop_.row) ||
                        (isPlace(variable) && isRow(variable->getInit())));
  }
  /// Whether an expression names what the row is part of.
  bool namesRow(const clang::Stmt* e) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (op && (loop_.quotients.count(op) || loop_.remainders.count(op)))
      return loop_.quotients.count(op) != 0;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable &&
             (variable == loop_.row || (isPlace(variable) && namesRow(variable->getInit())));
    }
    return std::any_of(e->child_begin(), e->child_end(),
                       [&](const clang::Stmt* part) { return part && namesRow(part); });
  }
  /// `column * 64 + row`: one more from row to row.
  bool risesByOne(const clang::Expr* e) const {
    if (isRow(e))
      return true;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    return sum && sum->getOpcode() == clang::BO_Add &&
           ((risesByOne(sum->getLHS()) && !namesRow(sum->getRHS())) ||
            (risesByOne(sum->getRHS()) && !namesRow(sum->getLHS())));
  }

private:
  bool isPlace(const clang::VarDecl* variable) const {
    return std::find(loop_.places.begin(), loop_.places.end(), variable) != loop_.places.end();
  }
  const ElementLoop& loop_;
};

} // namespace

const clang::Expr* Splitter::turnedTarget(const RegionNode& region, const ElementLoop& loop) const {
  if (!plan_.options.lineDirectives || loop.inTurn || !inRunBlock())
    return nullptr;
  // Statements that all elements run.
  std::vector<const clang::Stmt*> all(region.statements.rbegin(), region.statements.rend());
  while (!all.empty()) {
    const clang::Stmt* s = all.back();
    all.pop_back();
    if (loop.columns && s == loop.columns)
      s = loop.columns->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      all.insert(all.end(), list->body_rbegin(), list->body_rend());
      continue;
    }
    const auto* store = llvm::dyn_cast<clang::BinaryOperator>(s);
    const auto* target =
        store && store->getOpcode() == clang::BO_Assign
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(store->getLHS()->IgnoreParens())
            : nullptr;
    if (target && isTurned(loop, target))
      return target;
  }
  return nullptr;
}

bool Splitter::isTurned(const ElementLoop& loop, const clang::ArraySubscriptExpr* target) const {
  if (!plan_.text.isWhole(target) || target->getBeginLoc().isMacroID() ||
      target->getEndLoc().isMacroID())
    return false;
  std::vector<const clang::Expr*> places; ///< the last one first
  const clang::Expr* at = target;
  for (; const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at);
       at = element->getBase()->IgnoreParenImpCasts())
    places.push_back(element->getIdx());
  const clang::VarDecl* array = namedBy(at);
  const auto shared = std::find_if(kernel_.shared.begin(), kernel_.shared.end(),
                                   [&](const SharedVariable& one) { return one.decl == array; });
  if (!array || shared == kernel_.shared.end() || shared->skewed != SharedVariable::Skew::None)
    return false;
  if (shared->turned && places.size() > 1)
    std::swap(places[0], places[1]);
  // Places of other dimensions tell columns apart.
  const RowStep rows(loop);
  return rows.risesByOne(places.front()) &&
         std::none_of(places.begin() + 1, places.end(),
                      [&](const clang::Expr* place) { return rows.namesRow(place); });
}

std::string Splitter::turnedPlace(const clang::Expr* target) const {
  RegionText named;
  skipElementHeads(*elements_, named);
  named.add(target);
  std::string out = "[&]([[maybe_unused]] const auto cuRow, [[maybe_unused]] const auto cuColumn) "
                    "-> auto& { ";
  // (the first ones are of a row's first element)
  const std::string column = elements_->columns ? typeOf(elements_->column) + " " +
                                                      elements_->column->getNameAsString() + " = "
                                                : "int cuColumn = ";
  for (const std::string& line : elementPlaces(named))
    if (line != "constexpr " + column + "0;")
      out += line + " ";
    else if (elements_->columns)
      out += "const " + column + "cuColumn; ";
  return out + "return " + expressionText(target) + "; }, ";
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that macros write, and flags that keep one, say what they ask where they ask it:
//
//   if (IN_RANGE(x, 0, n - 1))           if (((x) >= (0) && (x) <= (n - 1)))
//
//   computed = false;                    computed = false;
//   if (y < n) {                         if (y < n) {
//     computed = true; ...         ->      computed = true; ...
//   }                                    }
//   __syncthreads();                     __syncthreads();
//   if (computed) ...                    if ((y < n)) ...
//
// A condition on a thread's place is what ranges of threads are found by; a flag would be kept for
// each of them. (One that a place in a row decides is asked for as fast, unless it is a range: that
// is written for compilers only.)
#include "analyse/plain_body.h"

#include <algorithm>
#include <set>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The variables of a condition that compares sums and the like of integers, and does nothing else.
class Compared : public SyntaxVisitor {
public:
  bool fits = true;
  std::set<const clang::VarDecl*> variables;
  explicit Compared(const clang::Expr* condition) {
    TraverseStmt(const_cast<clang::Expr*>(condition));
  }
  bool VisitStmt(clang::Stmt* s) override {
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (!e || e->isTypeDependent())
      return fits = false;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variable && variable->hasLocalStorage())
        variables.insert(variable);
      else if (variable && !use->getType().isConstQualified())
        return fits = false; // others may change it
      return fits &=
             !use->getDecl()->getType()->isReferenceType() && !use->getType().isVolatileQualified();
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
      return fits &= op->getOpcode() == clang::UO_Minus || op->getOpcode() == clang::UO_LNot;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s))
      return fits &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) // of threadIdx and the like
      return fits &= !member->isArrow() && namedBy(member->getBase());
    return fits &= e->getType()->isIntegerType() || llvm::isa<clang::OpaqueValueExpr>(e);
  }
  bool VisitCallExpr(clang::CallExpr*) override { return fits = false; }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return fits = false; }
};

/// writeOut() writes out the parts of a condition that macros write.
void writeOut(const PlainBody& body, const clang::Expr* condition) {
  const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!inner)
    return;
  if (!inner->getOperatorLoc().isMacroID()) {
    if (inner->isLogicalOp()) {
      writeOut(body, inner->getLHS());
      writeOut(body, inner->getRHS());
    }
    return;
  }
  const clang::SourceManager& sources = body.text.sources();
  const clang::CharSourceRange call = sources.getExpansionRange(inner->getOperatorLoc());
  condition = condition->IgnoreImpCasts();
  const auto whole = body.text.rangeOf(call.getAsRange());
  const auto isOfCall = [&](clang::SourceLocation at) {
    return at.isMacroID() && sources.getExpansionLoc(at) == call.getBegin();
  };
  if (!whole || (!inner->isComparisonOp() && !inner->isLogicalOp()) ||
      !isOfCall(condition->getBeginLoc()) || !isOfCall(condition->getEndLoc()) ||
      !body.text.isWhole(condition) || !Compared(condition).fits ||
      body.variables.isUniform(condition))
    return;
  std::string text;
  llvm::raw_string_ostream out(text);
  condition->printPretty(out, nullptr,
                         clang::PrintingPolicy(body.unit.context().getPrintingPolicy()));
  body.changes[whole->file][whole->begin] = {
      whole->end, withLinesOf(body.text.text(*whole),
                              llvm::isa<clang::ParenExpr>(condition) ? text : "(" + text + ")")};
}

/// Whether something is computed from a thread's place along a column of the block.
bool namesColumn(const clang::Stmt* s, const Uniformity& variables, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s)) {
    const clang::VarDecl* of = namedBy(member->getBase());
    if (of && builtinOf(of) == ThreadIdx)
      return member->getMemberDecl()->getName() != "x";
  }
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(s))
    return namesColumn(pseudo->getResultExpr(), variables, depth);
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  const clang::VarDecl* variable = e ? namedBy(e) : nullptr;
  if (variable && variables.find(variable) && variable->hasInit() && depth < deepest)
    return namesColumn(variable->getInit(), variables, depth + 1);
  return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt* child) {
    return child && namesColumn(child, variables, depth);
  });
}

/// Whether a statement sets a flag to a known value; if so, which flag.
const clang::VarDecl* setsFlag(const clang::Stmt* s, bool value) {
  const clang::VarDecl* flag = nullptr;
  const clang::Expr* to = nullptr;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
    flag = declaration->isSingleDecl()
               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
               : nullptr;
    to = flag ? flag->getInit() : nullptr;
  } else if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
             op && op->getOpcode() == clang::BO_Assign) {
    flag = namedBy(op->getLHS());
    to = op->getRHS();
  }
  const auto* literal =
      to ? llvm::dyn_cast<clang::CXXBoolLiteralExpr>(to->IgnoreParenImpCasts()) : nullptr;
  return flag && flag->hasLocalStorage() && flag->getType()->isBooleanType() && literal &&
                 literal->getValue() == value
             ? flag
             : nullptr;
}

/// Whether a condition is nothing but bounds of one sort or another, also such as flags say.
bool isRange(const clang::Expr* e, const Uniformity& variables, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  e = plainly(e);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return op->getOpcode() == clang::BO_LAnd
               ? isRange(op->getLHS(), variables, depth) && isRange(op->getRHS(), variables, depth)
               : op->isRelationalOp();
  const clang::VarDecl* flag = namedBy(e);
  const LocalVariable* local = flag ? variables.find(flag) : nullptr;
  return local && !local->modified && !local->escapes && flag->getType()->isBooleanType() &&
         flag->hasInit() && depth < deepest && isRange(flag->getInit(), variables, depth + 1);
}

class Flags {
public:
  Flags(const PlainBody& body, bool ranges) : body_(body), ranges_(ranges) {}

  void look(const clang::IfStmt* branch) {
    const auto* then = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    const auto* list =
        llvm::dyn_cast_or_null<clang::CompoundStmt>(body_.variables.parents().getParent(branch));
    if (!then || !list || branch->getElse() || branch->getInit() ||
        branch->getConditionVariable() || branch->isConstexpr() || then->size() < 2)
      return;
    const auto at = std::find(list->body_begin(), list->body_end(), branch);
    if (at == list->body_begin())
      return;
    const clang::Stmt *sets = then->body_front(), *before = at[-1];
    const clang::VarDecl* flag = setsFlag(sets, true);
    const LocalVariable* local = flag ? body_.variables.find(flag) : nullptr;
    const Compared condition(branch->getCond());
    if (!local || local->escapes || flag->hasAttrs() || setsFlag(before, false) != flag ||
        !condition.fits || condition.variables.count(flag) ||
        body_.variables.isUniform(branch->getCond()) ||
        (!namesColumn(branch->getCond(), body_.variables) &&
         (!ranges_ || !isRange(branch->getCond(), body_.variables))))
      return;
    // Neither the flag nor what it says changes before the list's end.
    const auto changesInList = [&](const LocalVariable& variable) {
      return std::count_if(variable.assignments.begin(), variable.assignments.end(),
                           [&](const clang::Expr* a) { return isInside(a->getBeginLoc(), list); });
    };
    if (changesInList(*local) != 1 + llvm::isa<clang::Expr>(before))
      return;
    for (const clang::VarDecl* variable : condition.variables) {
      const LocalVariable* other = body_.variables.find(variable);
      if (other && (other->escapes || changesInList(*other) != 0))
        return;
      if (!hasOwnName(variable))
        return;
    }
    std::vector<const clang::IfStmt*> asking;
    for (auto behind = at + 1; behind != list->body_end(); ++behind)
      if (const auto* other = llvm::dyn_cast<clang::IfStmt>(*behind);
          other && namedBy(other->getCond()) == flag && !other->getInit() &&
          isWhole(other->getCond()))
        asking.push_back(other);
    const auto asked = body_.text.rangeOf(branch->getCond()->getSourceRange());
    if (asking.empty() || !asked)
      return;
    // One line each, whatever the condition takes.
    std::string text = body_.text.text(*asked);
    if (text.find('#') != std::string::npos || text.find("//") != std::string::npos)
      return;
    std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\\'; }, ' ');
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    for (const clang::IfStmt* other : asking) {
      const auto place = body_.text.rangeOf(other->getCond()->getSourceRange());
      if (!place || place->file != asked->file)
        return;
      edits[place->begin] = {place->end, "(" + text + ")"};
    }
    body_.changes[asked->file].insert(edits.begin(), edits.end());
  }

private:
  static bool isWhole(const clang::Stmt* s) {
    return !s->getBeginLoc().isMacroID() && !s->getEndLoc().isMacroID();
  }
  bool isInside(clang::SourceLocation at, const clang::Stmt* s) const {
    const clang::SourceManager& sources = body_.unit.sources();
    const clang::SourceLocation place = sources.getExpansionLoc(at);
    return !sources.isBeforeInTranslationUnit(place, sources.getExpansionLoc(s->getBeginLoc())) &&
           sources.isBeforeInTranslationUnit(place, sources.getExpansionLoc(s->getEndLoc()));
  }
  /// Whether a name means one variable in the whole function.
  bool hasOwnName(const clang::VarDecl* variable) const {
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls())
        if (const auto* other = llvm::dyn_cast<clang::VarDecl>(decl))
          if (other != variable && other->getName() == variable->getName())
            return false;
    return true;
  }

  const PlainBody& body_;
  const bool ranges_; ///< also places in a row
};

} // namespace

void writeOutConditions(const PlainBody& body) {
  for (const clang::IfStmt* branch : body.contents.branches)
    writeOut(body, branch->getCond());
  for (const clang::DeclStmt* s : body.contents.declarations)
    if (const auto* variable =
            s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr)
      if (variable->hasInit() && variable->getType()->isBooleanType())
        writeOut(body, variable->getInit());
}

void askAgain(const PlainBody& body, bool ranges) {
  Flags flags(body, ranges);
  for (const clang::IfStmt* branch : body.contents.branches)
    flags.look(branch);
}

} // namespace cu2cpp

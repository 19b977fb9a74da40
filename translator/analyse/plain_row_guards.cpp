// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard that a row of threads passes alike, around a loop by which the row fills shared memory,
// becomes part of the loop's condition, so that it is a loop of the block's:
//
//   if (y < height)                                       for (int k = threadIdx.x;
//     for (int k = threadIdx.x; k < 144; k += 128)   ->        (y < height) && (k < 144); k += 128)
//       line[threadIdx.y][k] = ...;                         line[threadIdx.y][k] = ...;
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// What a fill does: it stores to shared memory and keeps nothing else.
class Fill : public SyntaxVisitor {
public:
  explicit Fill(const clang::Stmt* body) { TraverseStmt(const_cast<clang::Stmt*>(body)); }
  bool isFill() const { return fits_ && storesShared_; }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    own_.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || take(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->getOpcode() == clang::UO_AddrOf)
      return fits_ = false;
    return !op->isIncrementDecrementOp() || take(op->getSubExpr());
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (isBarrier(s) || isLoop(s) ||
        llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt,
                  clang::LambdaExpr, clang::AsmStmt, clang::SwitchStmt>(s))
      fits_ = false;
    return fits_;
  }

private:
  bool take(const clang::Expr* target) {
    if (own_.count(namedBy(target)))
      return true;
    const clang::Expr* array = target->IgnoreParens();
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(array))
      array = arrayOf(at)->IgnoreParenImpCasts();
    const clang::VarDecl* variable = namedBy(array);
    const bool shared = variable && array != target->IgnoreParens() && isShared(variable);
    storesShared_ |= shared;
    return fits_ = fits_ && shared;
  }
  std::set<const clang::VarDecl*> own_;
  bool fits_ = true, storesShared_ = false;
};

/// Whether a condition compares what a row of threads agrees on, its place among the rows among
/// it, and names nothing that the function changes.
bool isOfRow(const clang::Expr* condition, const Uniformity& variables) {
  class Names : public SyntaxVisitor {
  public:
    const Uniformity* variables = nullptr;
    bool fits = true, row = false;
    unsigned depth = 0;
    bool VisitStmt(clang::Stmt* s) override {
      return fits = fits && !llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr,
                                       clang::LambdaExpr, clang::CXXThisExpr>(s);
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return fits = fits && op->getOpcode() != clang::UO_Deref &&
                    op->getOpcode() != clang::UO_AddrOf && !op->isIncrementDecrementOp();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return fits = fits && !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      const clang::VarDecl* of = namedBy(member->getBase());
      if (!of || builtinOf(of) != ThreadIdx)
        return true;
      row |= member->getMemberDecl()->getName() == "y";
      return fits = fits && member->getMemberDecl()->getName() == "y";
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      constexpr unsigned deepest = 8;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || builtinOf(variable) || variable->isConstexpr())
        return true;
      const LocalVariable* local = variables->find(variable);
      if (!local || local->modified || local->escapes || variable->getType()->isReferenceType())
        return fits = false;
      if (llvm::isa<clang::ParmVarDecl>(variable) || depth == deepest)
        return fits = fits && local->uniform;
      if (!variable->hasInit())
        return fits = false;
      ++depth;
      TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      --depth;
      return fits;
    }
  } names;
  names.variables = &variables;
  names.TraverseStmt(const_cast<clang::Expr*>(condition));
  return names.fits && names.row;
}

/// `threadIdx.x`, or a variable that keeps it.
bool isColumn(const clang::Expr* e) {
  const clang::VarDecl* variable = namedBy(e);
  return isPart(variable && variable->hasLocalStorage() && variable->hasInit() &&
                        variable->getType().isConstQualified()
                    ? variable->getInit()
                    : e,
                ThreadIdx);
}

/// `for (int k = threadIdx.x; ...; k += step)` that fills shared memory.
bool fillsByRow(const clang::ForStmt* loop, const Uniformity& variables) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (!counter || !counter->hasInit() || !isColumn(counter->getInit()) || !step ||
      step->getOpcode() != clang::BO_AddAssign || namedBy(step->getLHS()) != counter ||
      !variables.isUniform(step->getRHS()) || !test || !test->isRelationalOp() ||
      loop->getConditionVariable())
    return false;
  return Fill(loop->getBody()).isFill();
}

} // namespace

void guardSteps(const PlainBody& body) {
  for (const clang::IfStmt* branch : body.contents.branches) {
    const clang::Stmt* then = branch->getThen();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
      then = list->size() == 1 ? list->body_front() : nullptr;
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(then);
    if (!loop || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        branch->isConstexpr() || branch->getCond()->isTypeDependent() ||
        !isOfRow(branch->getCond(), body.variables) || !fillsByRow(loop, body.variables))
      continue;
    const auto* counter =
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
    const auto head =
        body.text.rangeOf(clang::SourceRange(branch->getIfLoc(), branch->getRParenLoc()));
    const auto asked = body.text.rangeOf(branch->getCond()->getSourceRange());
    const auto test = body.text.rangeOf(loop->getCond()->getSourceRange());
    if (!head || !asked || !test || head->file != test->file || branch->getBeginLoc().isMacroID())
      continue;
    const std::optional<std::string> guard = onOneLine(body.text.text(*asked));
    // A name that the loop hides would mean another variable there.
    const Contents named(branch->getCond());
    if (!guard || std::any_of(named.uses.begin(), named.uses.end(), [&](const auto* variable) {
          return variable->getName() == counter->getName();
        }))
      continue;
    auto& edits = body.changes[head->file];
    edits[head->begin] = {head->end, withLinesOf(body.text.text(*head), "")};
    edits[test->begin] = {test->end, "(" + *guard + ") && (" + body.text.text(*test) + ")"};
  }
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread of a row does is parted from what all do, so that it can have a loop of its own:
//
//   if (y < height) {                             if (y < height) {
//     tile[ty][tx] = in[i];                         tile[ty][tx] = in[i];
//     if (threadIdx.x == 0) tile[ty][0] = ...;    } if (y < height) { if (threadIdx.x == 0) ...;
//   }                                             }
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/few_threads.h"

namespace cu2cpp {
namespace {

/// Whether code changes variables by their names. What the thread goes on with stays where it is.
bool changesVariables(const clang::Stmt* s) {
  class Changes : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return !op->isAssignmentOp() || note(op->getLHS());
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return !op->isIncrementDecrementOp() || note(op->getSubExpr());
    }

  private:
    bool note(const clang::Expr* e) {
      return !(found |= llvm::isa<clang::DeclRefExpr>(e->IgnoreParenImpCasts()));
    }
  } changes;
  changes.TraverseStmt(const_cast<clang::Stmt*>(s));
  return changes.found;
}

/// Whether a branch's condition has the same value behind each of its statements: what it names
/// changes elsewhere, if at all, as a counter of a loop around does.
bool staysWithin(const PlainBody& body, const clang::IfStmt* branch) {
  class Names : public SyntaxVisitor {
  public:
    const PlainBody* body = nullptr;
    const clang::SourceManager* sources = nullptr;
    clang::SourceRange within;
    bool stay = true;
    bool VisitStmt(clang::Stmt* s) override {
      return stay &= !llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr, clang::LambdaExpr,
                                clang::CXXThisExpr>(s);
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return stay &= op->getOpcode() != clang::UO_Deref && op->getOpcode() != clang::UO_AddrOf &&
                     !op->isIncrementDecrementOp();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return stay &= !op->isAssignmentOp();
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = variable ? body->variables.find(variable) : nullptr;
      if (!local)
        return stay &= !llvm::isa<clang::BindingDecl>(use->getDecl());
      return stay &= !local->escapes && (!local->modified || changesOutside(*local));
    }

  private:
    bool changesOutside(const LocalVariable& local) const {
      return !local.assignments.empty() &&
             std::none_of(local.assignments.begin(), local.assignments.end(),
                          [&](const clang::Expr* change) {
                            const clang::SourceLocation at = change->getBeginLoc();
                            return at.isMacroID() ||
                                   (!sources->isBeforeInTranslationUnit(at, within.getBegin()) &&
                                    !sources->isBeforeInTranslationUnit(within.getEnd(), at));
                          });
    }
  } names;
  names.body = &body;
  names.sources = &body.unit.sources();
  names.within = branch->getSourceRange();
  names.TraverseStmt(const_cast<clang::Expr*>(branch->getCond()));
  return names.stay && !Uniformity::readsMemory(branch->getCond());
}

void part(const PlainBody& body, const clang::IfStmt* branch) {
  const Uniformity& variables = body.variables;
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
  if (!list || list->size() < 2 || branch->getElse() || branch->getInit() ||
      branch->getConditionVariable() || branch->isConstexpr() ||
      branch->getBeginLoc().isMacroID() || branch->getEndLoc().isMacroID() ||
      (!body.isFixed(branch->getCond()) && !staysWithin(body, branch)) ||
      std::any_of(list->body_begin(), list->body_end(),
                  [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt>(s); }))
    return;
  const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
  std::set<const clang::Stmt*> cuts;
  for (auto at = list->body_begin(); at != list->body_end(); ++at) {
    const auto* one = llvm::dyn_cast<clang::IfStmt>(*at);
    if (!one || one->getElse() || one->getBeginLoc().isMacroID() || one->getEndLoc().isMacroID() ||
        !asksForFew(one->getCond(), variables, body.unit.context()) ||
        changesVariables(one->getThen()))
      continue;
    cuts.insert(*at);
    if (at + 1 != list->body_end())
      cuts.insert(*(at + 1));
  }
  cuts.erase(list->body_front());
  // A macro may begin a statement behind a branch that is none: `TILE(y, x) = in[i];`.
  const clang::SourceManager& sources = body.unit.sources();
  for (const clang::Stmt* s : cuts)
    if (const auto at = body.text.positionOf(sources.getExpansionLoc(s->getBeginLoc()));
        at && condition)
      if (!body.changes[at->file].count(at->offset))
        body.changes[at->file][at->offset] = {at->offset,
                                              "} if (" + body.text.text(*condition) + ") { "};
}

} // namespace

void partEdges(const PlainBody& body) {
  for (const clang::IfStmt* branch : body.contents.branches)
    part(body, branch);
}

} // namespace cu2cpp

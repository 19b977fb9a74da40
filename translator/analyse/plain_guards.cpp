// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch that is all that a kernel does, around a loop that passes over memory, becomes a return
// of the other threads:
//
//   if (x > 0 && x < nx - 1) {               if (!(x > 0 && x < nx - 1)) return; {
//     for (int z = 1; z < nz; ++z)             for (int z = 1; z < nz; ++z)
//       out[...] = ...;               ->         out[...] = ...;
//   }                                        }
//
<<<<<<< HEAD
// The threads that stay then run as ranges (cu2cpp/block_staying.h).
//
// A guard that a row of threads passes alike, around a loop by which the row fills shared memory,
// becomes part of the loop's condition, so that it is a loop of the block's:
//
//   if (y < height)                                       for (int k = threadIdx.x;
//     for (int k = threadIdx.x; k < 144; k += 128)   ->        (y < height) && (k < 144); k += 128)
//       line[threadIdx.y][k] = ...;                         line[threadIdx.y][k] = ...;
=======
// The threads that stay then run as ranges (cu2cpp/block_staying.h). In kernels with barriers the
// loop's body gets the branch, and the loop runs around the threads:
//
//   if (live) {                                {
//     for (int j = 0; j < n; ++j)                for (int j = 0; j < n; ++j)
//       out[j * n + x] = a[j][x];      ->          if (live) out[j * n + x] = a[j][x];
//     sum[x] = s[x];                             if (live) sum[x] = s[x];
//   }                                          }
>>>>>>> 8fde2f3 (Threads that own rows of a shared matrix update them in vectors; guards at the end of kernels go into their loops)
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// Whether code stores to memory beside a thread's own variables.
bool stores(const clang::Stmt* s) {
  class Stores : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      found |= op->isAssignmentOp() &&
               llvm::isa<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens());
      return !found;
    }
  } visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  return visitor.found;
}

/// Whether a list has a loop of its own that all threads take alike and that stores in each step.
bool passesOverMemory(const PlainBody& body, const clang::CompoundStmt* list) {
  return std::any_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* s) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto counts = loop ? countingLoop(loop, true) : std::nullopt;
    return counts && body.variables.isUniform(counts->from) &&
           body.variables.isUniform(counts->to) && stores(loop->getBody());
  });
}

<<<<<<< HEAD
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

void returnFirst(const PlainBody& body) {
=======
/// The branch that ends a kernel and holds such a loop; null if there is none.
const clang::IfStmt* lastBranch(const PlainBody& body) {
>>>>>>> 8fde2f3 (Threads that own rows of a shared matrix update them in vectors; guards at the end of kernels go into their loops)
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body.function->getBody());
  const auto* branch =
      list && !list->body_empty() ? llvm::dyn_cast<clang::IfStmt>(list->body_back()) : nullptr;
  const auto* then = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
  return then && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
                 !branch->isConstexpr() && !branch->getBeginLoc().isMacroID() &&
                 !branch->getLParenLoc().isMacroID() && !branch->getRParenLoc().isMacroID() &&
                 !then->getLBracLoc().isMacroID() && !body.variables.isUniform(branch->getCond()) &&
                 passesOverMemory(body, then)
             ? branch
             : nullptr;
}

} // namespace

void returnFirst(const PlainBody& body) {
  const clang::IfStmt* branch = lastBranch(body);
  if (!branch)
    return;
  const auto open = body.text.positionOf(branch->getLParenLoc());
  const auto close = body.text.endOf(branch->getRParenLoc());
  if (!open || !close || open->file != close->file)
    return;
  auto& edits = body.changes[open->file];
  edits[open->offset] = {open->offset, "(!"};
  edits[close->offset] = {close->offset, ") return;"};
}

void guardWithin(const PlainBody& body) {
  const clang::IfStmt* branch = lastBranch(body);
  if (!branch || !body.isFixed(branch->getCond()))
    return;
  const auto* list = llvm::cast<clang::CompoundStmt>(branch->getThen());
  const auto begin = body.text.positionOf(branch->getBeginLoc());
  const auto end = body.text.endOf(branch->getRParenLoc());
  const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
  if (!begin || !end || !condition || begin->file != end->file)
    return;
  const std::string head = body.text.text({begin->file, begin->offset, end->offset});
  const std::string guard = "if (" + body.text.text(*condition) + ") ";
  if (head.find('\n') != std::string::npos || guard.find("//") != std::string::npos)
    return;
  std::vector<FilePosition> places;
  for (const clang::Stmt* s : list->body()) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto counts = loop ? countingLoop(loop, true) : std::nullopt;
    const bool passes = counts && body.variables.isUniform(counts->from) &&
                        body.variables.isUniform(counts->to) && stores(loop->getBody()) &&
                        !Uniformity::readsMemory(counts->from) &&
                        !Uniformity::readsMemory(counts->to);
    const clang::Stmt* guarded = passes ? loop->getBody() : s;
    const auto at = body.text.positionOf(guarded->getBeginLoc());
    if ((!loop && !llvm::isa<clang::Expr>(s)) || s->getBeginLoc().isMacroID() ||
        guarded->getBeginLoc().isMacroID() || !at || at->file != begin->file ||
        (passes && PlainBody::continues(loop->getBody())))
      return;
    places.push_back(*at);
  }
  auto& edits = body.changes[begin->file];
  edits[begin->offset] = {end->offset, ""};
  for (const FilePosition& at : places)
    edits[at.offset] = {at.offset, guard};
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch that is all that a kernel does, around a loop that passes over memory or adds up,
// becomes a return of the other threads:
//
//   if (x > 0 && x < nx - 1) {               if (!(x > 0 && x < nx - 1)) return; {
//     for (int z = 1; z < nz; ++z)             for (int z = 1; z < nz; ++z)
//       out[...] = ...;               ->         out[...] = ...;
//   }                                        }
//
// The threads that stay then run as ranges (cu2cpp/block_staying.h). So does one that is all that
// such a loop does, if it asks for the same in each step (for compilers only):
//
//   for (int z = 0; z < nz; ++z) {           if (!(x < nx)) return; for (int z = 0; z < nz; ++z) {
//     if (x < nx)                    ->
//       out[...] = ...;                          out[...] = ...;
//   }                                        }
//
// In kernels with barriers the loop's body gets the branch, and the loop runs around the threads:
//
//   if (live) {                                {
//     for (int j = 0; j < n; ++j)                for (int j = 0; j < n; ++j)
//       out[j * n + x] = a[j][x];      ->          if (live) out[j * n + x] = a[j][x];
//     sum[x] = s[x];                             if (live) sum[x] = s[x];
//   }                                          }
#include "analyse/plain_body.h"

#include <algorithm>
#include <set>
#include <string>

#include "clang/AST/DeclTemplate.h"

#include "analyse/clamp_functions.h"
#include "analyse/code_uses.h"
#include "analyse/region_parts.h"

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

/// Whether code is nothing but sums of numbers of the thread: `sum += a[row * n + k] * x[k];`
bool addsUp(const clang::Stmt* s) {
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !list->body_empty() && std::all_of(list->body_begin(), list->body_end(), addsUp);
  const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(s);
  const clang::VarDecl* variable = sum ? namedBy(sum->getLHS()) : nullptr;
  return variable && variable->hasLocalStorage() && variable->getType()->isArithmeticType();
}

/// Whether a list has a loop of its own that all threads take alike and that stores in each step,
/// or adds up if `sums`.
bool passesOverMemory(const PlainBody& body, const clang::CompoundStmt* list, bool sums) {
  return std::any_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* s) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto counts = loop ? countingLoop(loop, true) : std::nullopt;
    return counts && body.variables.isUniform(counts->from) &&
           body.variables.isUniform(counts->to) &&
           (stores(loop->getBody()) || (sums && addsUp(loop->getBody())));
  });
}

/// What expressions may do where nobody asked for them: `n / parts` may divide by 0, `m - 1`
/// without a sign be very far away, and nobody knows what a function does.
class Risks : public SyntaxVisitor {
public:
  explicit Risks(const clang::ASTContext& context) : context_(context) {}
  bool none = true;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto by = op->isMultiplicativeOp() ? constantOf(op->getRHS(), context_) : std::nullopt;
    if (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem)
      none &= op->getRHS()->isValueDependent() || (by && *by > 0);
    else if (op->getOpcode() == clang::BO_Sub)
      none &= !op->getType()->isUnsignedIntegerType();
    return none;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    return none = none && isMinOrMax(call->getDirectCallee());
  }

private:
  const clang::ASTContext& context_;
};

/// Whether a loop's bounds may be computed where its guard does not hold.
bool endsAnywhere(const CountingLoop& counts, const clang::ASTContext& context) {
  Risks risks(context);
  risks.TraverseStmt(const_cast<clang::Expr*>(counts.from));
  risks.TraverseStmt(const_cast<clang::Expr*>(counts.to));
  return risks.none && !(counts.includesEnd && counts.to->getType()->isUnsignedIntegerType());
}

/// The branch that ends a kernel and holds such a loop; null if there is none.
const clang::IfStmt* lastBranch(const PlainBody& body, bool sums = false) {
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body.function->getBody());
  const auto* branch =
      list && !list->body_empty() ? llvm::dyn_cast<clang::IfStmt>(list->body_back()) : nullptr;
  const auto* then = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
  return then && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
                 !branch->isConstexpr() && !branch->getBeginLoc().isMacroID() &&
                 !branch->getLParenLoc().isMacroID() && !branch->getRParenLoc().isMacroID() &&
                 !then->getLBracLoc().isMacroID() && !body.variables.isUniform(branch->getCond()) &&
                 passesOverMemory(body, then, sums)
             ? branch
             : nullptr;
}

/// The branch that is all that a kernel's last loop does; null if there is none, or it asks for
/// something else from step to step.
const clang::IfStmt* onlyBranchOf(const PlainBody& body, const clang::ForStmt* loop) {
  const auto counts = countingLoop(loop, true);
  if (!counts || !body.variables.isUniform(counts->from) || !body.variables.isUniform(counts->to) ||
      !stores(loop->getBody()))
    return nullptr;
  const clang::IfStmt* branch = llvm::dyn_cast<clang::IfStmt>(loop->getBody());
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
    for (const clang::Stmt* s : list->body()) {
      if (llvm::isa<clang::NullStmt>(s))
        continue;
      if (branch || !llvm::isa<clang::IfStmt>(s))
        return nullptr;
      branch = llvm::cast<clang::IfStmt>(s);
    }
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getBeginLoc().isMacroID() ||
      branch->getThen()->getBeginLoc().isMacroID() || loop->getBeginLoc().isMacroID() ||
      body.variables.isUniform(branch->getCond()) || !body.isFixed(branch->getCond()))
    return nullptr;
  Risks risks(body.unit.context());
  risks.TraverseStmt(const_cast<clang::Expr*>(branch->getCond()));
  CodeUses asked;
  asked.TraverseStmt(const_cast<clang::Expr*>(branch->getCond()));
  // All that it asks for is declared where the loop begins.
  const auto isThere = [&](const clang::VarDecl* variable) {
    if (llvm::isa<clang::ParmVarDecl>(variable) || builtinOf(variable) || isNamedConstant(variable))
      return true;
    return variable->hasLocalStorage() && variable != counts->counter &&
           std::any_of(body.contents.declarations.begin(), body.contents.declarations.end(),
                       [&](const clang::DeclStmt* s) {
                         return std::find(s->decl_begin(), s->decl_end(), variable) !=
                                    s->decl_end() &&
                                body.variables.parents().getParent(s) == body.function->getBody();
                       });
  };
  return risks.none && std::all_of(asked.variables.begin(), asked.variables.end(), isThere)
             ? branch
             : nullptr;
}

/// Whether what a branch's list declares has no name of what the function declares around it: its
/// statements may follow the function's own.
bool mayStandOutside(const PlainBody& body, const clang::CompoundStmt* list) {
  std::set<std::string> names;
  const auto declare = [&](const clang::CompoundStmt* of) {
    bool once = true;
    for (const clang::Stmt* s : of->body())
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declared->decls()) {
          const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
          once &= named && names.insert(named->getNameAsString()).second;
        }
    return once;
  };
  for (const clang::ParmVarDecl* parameter : body.function->parameters())
    names.insert(parameter->getNameAsString());
  if (const auto* pattern = body.function->getDescribedFunctionTemplate())
    for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
      names.insert(parameter->getNameAsString());
  declare(llvm::cast<clang::CompoundStmt>(body.function->getBody()));
  return !list->getRBracLoc().isMacroID() && declare(list);
}

} // namespace

void returnFirst(const PlainBody& body) {
  const clang::IfStmt* branch = lastBranch(body, true);
  if (!branch)
    return;
  const auto* then = llvm::cast<clang::CompoundStmt>(branch->getThen());
  const auto open = body.text.positionOf(branch->getLParenLoc());
  const auto close = body.text.endOf(branch->getRParenLoc());
  const auto begin = body.text.positionOf(then->getLBracLoc());
  const auto end = body.text.positionOf(then->getRBracLoc());
  if (!open || !close || !begin || !end || open->file != close->file || open->file != begin->file ||
      open->file != end->file)
    return;
  auto& edits = body.changes[open->file];
  edits[open->offset] = {open->offset, "(!"};
  // The parenthesis and the brace may be neighbours.
  edits[close->offset] = {close->offset, ") return;"};
  if (mayStandOutside(body, then)) {
    edits[close->offset] = {begin->offset + 1,
                            ") return;" +
                                body.text.text({open->file, close->offset, begin->offset})};
    edits[end->offset] = {end->offset + 1, ""};
  }
}

void returnBeforeSteps(const PlainBody& body) {
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body.function->getBody());
  const auto* loop =
      list && !list->body_empty() ? llvm::dyn_cast<clang::ForStmt>(list->body_back()) : nullptr;
  const clang::IfStmt* branch = loop ? onlyBranchOf(body, loop) : nullptr;
  if (!branch)
    return;
  const auto start = body.text.positionOf(loop->getBeginLoc());
  const auto begin = body.text.positionOf(branch->getBeginLoc());
  const auto then = body.text.positionOf(branch->getThen()->getBeginLoc());
  const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
  const auto asked = condition ? onOneLine(body.text.text(*condition)) : std::nullopt;
  if (!start || !begin || !then || !asked || start->file != begin->file ||
      begin->file != then->file)
    return;
  auto& edits = body.changes[start->file];
  edits[start->offset] = {start->offset, "if (!(" + *asked + ")) return; "};
  edits[begin->offset] = {
      then->offset, withLinesOf(body.text.text({begin->file, begin->offset, then->offset}), "")};
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
    const bool passes =
        counts && body.variables.isUniform(counts->from) && body.variables.isUniform(counts->to) &&
        stores(loop->getBody()) && !Uniformity::readsMemory(counts->from) &&
        !Uniformity::readsMemory(counts->to) && endsAnywhere(*counts, body.unit.context());
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

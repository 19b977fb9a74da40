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
// The threads that stay then run as ranges (cu2cpp/block_staying.h).
#include "analyse/plain_body.h"

#include <algorithm>

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

/// Whether a list has a loop of its own that all threads take alike and that stores in each step.
bool passesOverMemory(const PlainBody& body, const clang::CompoundStmt* list) {
  return std::any_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* s) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto counts = loop ? countingLoop(loop, true) : std::nullopt;
    return counts && body.variables.isUniform(counts->from) &&
           body.variables.isUniform(counts->to) && stores(loop->getBody());
  });
}

} // namespace

void returnFirst(const PlainBody& body) {
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body.function->getBody());
  const auto* branch =
      list && !list->body_empty() ? llvm::dyn_cast<clang::IfStmt>(list->body_back()) : nullptr;
  const auto* then = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
  if (!then || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getBeginLoc().isMacroID() ||
      branch->getLParenLoc().isMacroID() || branch->getRParenLoc().isMacroID() ||
      then->getLBracLoc().isMacroID() || body.variables.isUniform(branch->getCond()) ||
      !passesOverMemory(body, then))
    return;
  const auto open = body.text.positionOf(branch->getLParenLoc());
  const auto close = body.text.endOf(branch->getRParenLoc());
  if (!open || !close || open->file != close->file)
    return;
  auto& edits = body.changes[open->file];
  edits[open->offset] = {open->offset, "(!"};
  edits[close->offset] = {close->offset, ") return;"};
}

} // namespace cu2cpp

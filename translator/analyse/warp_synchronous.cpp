// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds code that relies on the lanes of a warp running in step without saying so, as programs for
// old GPUs did:
//
//   volatile float* s = shared;
//   if (tid < 32) { s[tid] += s[tid + 32]; s[tid] += s[tid + 16]; ... }
//
// One lane writes volatile shared memory and then, with no collective between, reads what another
// lane writes. No form runs lanes in step, so such code must be marked (CUDA C++ Programming Guide,
// 'Independent Thread Scheduling').
#include "analyse/analyses.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

#include "analyse/marks.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

/// Walks a body in source order and remembers the volatile shared element written last.
class StepVisitor : public clang::RecursiveASTVisitor<StepVisitor> {
  using Base = clang::RecursiveASTVisitor<StepVisitor>;

public:
  StepVisitor(const SourceText& text, const FunctionFacts& function)
      : text_(text), function_(function) {}

  clang::SourceLocation found;

  bool TraverseBinaryOperator(clang::BinaryOperator* op) { return traverseAssignment(op); }
  bool TraverseCompoundAssignOperator(clang::CompoundAssignOperator* op) {
    return traverseAssignment(op);
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
    if (isVolatileShared(element) && !written_.empty() && found.isInvalid() &&
        text_.text(element->getIdx()->getSourceRange()) != written_)
      found = element->getExprLoc();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    if (const clang::Decl* callee = call->getCalleeDecl())
      if (syncScope(callee) != Scope::None)
        written_.clear();
    if (!call->getCalleeDecl() || call->isTypeDependent())
      written_.clear(); // not known: it may be a collective
    return true;
  }

private:
  bool traverseAssignment(clang::BinaryOperator* op) {
    auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParenImpCasts());
    if (!op->isAssignmentOp() || !element || !isVolatileShared(element))
      return TraverseStmt(op->getLHS()) && TraverseStmt(op->getRHS());
    const bool more = TraverseStmt(op->getRHS()) && TraverseStmt(element->getIdx());
    written_ = text_.text(element->getIdx()->getSourceRange());
    return more;
  }

  bool isVolatileShared(const clang::ArraySubscriptExpr* element) const {
    if (!element->getType().isVolatileQualified())
      return false;
    const auto* base =
        llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
    const auto* variable = base ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
    if (!variable)
      return false;
    if (isShared(variable))
      return true;
    // A parameter of a device function may point anywhere; a kernel's points to global memory.
    if (llvm::isa<clang::ParmVarDecl>(variable))
      return !function_.kernel;
    const clang::Expr* init = variable->getInit();
    const auto* from =
        init ? llvm::dyn_cast<clang::DeclRefExpr>(init->IgnoreParenCasts()) : nullptr;
    return from && isShared(from->getDecl());
  }

  const SourceText& text_;
  const FunctionFacts& function_;
  std::string written_; ///< index of the element written since the last collective
};

} // namespace

void findWarpSynchronousCode(const SourceUnit& unit, Facts& facts) {
  const SourceText text(unit);
  for (auto& [place, f] : facts.functions) {
    if (!f.device || !f.decl->getBody())
      continue;
    StepVisitor visitor(text, f);
    visitor.TraverseStmt(f.decl->getBody());
    f.warpSynchronousAt = visitor.found;
  }
}

} // namespace cu2cpp

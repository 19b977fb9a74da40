// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that relies on the lanes of a warp running in step without saying so, as programs for old
// GPUs did:
//
//   volatile float* s = shared;
//   if (tid < 32) { s[tid] += s[tid + 32]; s[tid] += s[tid + 16]; ... }
//
// One lane writes volatile shared memory (volatile memory of any kind, if it's the first warp's
// code) and then, with no collective between, reads what another lane writes. No form runs lanes in
// step, so each such assignment is given the two waits that NVIDIA's guide asks for, between what
// lanes read and write, and behind it (CUDA C++ Programming Guide, 'Independent Thread
// Scheduling'):
//
//   { auto cuStep1 = s[tid + 32]; cu2cpp::syncConverged();
//     s[tid] += cuStep1; cu2cpp::syncConverged(); }
//
// Where text cannot be changed so, the place is marked.
//
// Likewise a kernel in which each lane stores to global memory and one lane then goes on to launch
// what reads it all:
//
//   out[place] = value;
//   cu2cpp::syncConverged();
//   if (lane == 0 && atomicAdd(done, count) + count == n) sort<<<...>>>(out, n);
#include "analyse/analyses.h"

#include "clang/AST/ParentMap.h"
#include "clang/Lex/Lexer.h"

#include "analyse/marks.h"
#include "parse/source_text.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Walks a body in source order and remembers the element written last that other lanes may read.
class StepVisitor : public SyntaxVisitor {
public:
  StepVisitor(const SourceText& text, const FunctionFacts& function)
      : text_(text), function_(function) {}

  clang::SourceLocation found;
  /// All that write volatile shared elements, or elements of shared or volatile memory that the
  /// lanes of one warp work on.
  std::vector<clang::BinaryOperator*> assignments;

  bool TraverseBinaryOperator(clang::BinaryOperator* op) override { return traverseAssignment(op); }
  bool TraverseCompoundAssignOperator(clang::CompoundAssignOperator* op) override {
    return traverseAssignment(op);
  }
  bool TraverseIfStmt(clang::IfStmt* branch) override {
    const bool before = inFirstWarp_;
    if (!TraverseStmt(branch->getCond()))
      return false;
    inFirstWarp_ |= comparesWithWarp(branch->getCond());
    const bool more = TraverseStmt(branch->getThen());
    inFirstWarp_ = before;
    return more && TraverseStmt(branch->getElse());
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (mayMeetLanes(element) && !written_.empty() && found.isInvalid() &&
        text_.text(element->getIdx()->getSourceRange()) != written_)
      found = element->getExprLoc();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const clang::Decl* callee = call->getCalleeDecl())
      if (syncScope(callee) != Scope::None)
        written_.clear();
    if (mayBeCollective(call))
      written_.clear();
    return true;
  }

private:
  bool traverseAssignment(clang::BinaryOperator* op) {
    auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParenImpCasts());
    if (!op->isAssignmentOp() || !element || !mayMeetLanes(element))
      return TraverseStmt(op->getLHS()) && TraverseStmt(op->getRHS());
    const bool more = TraverseStmt(op->getRHS()) && TraverseStmt(element->getIdx());
    assignments.push_back(op);
    written_ = text_.text(element->getIdx()->getSourceRange());
    return more;
  }

  /// Whether a call that only a template's instances know may be one of a collective: `min(s[t],
  /// s[t + 32])` is none, whichever it is.
  static bool mayBeCollective(const clang::CallExpr* call) {
    const auto* several = llvm::dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee());
    if (!several || several->decls().empty())
      return !call->getCalleeDecl() || call->isTypeDependent();
    return llvm::any_of(several->decls(), [](const clang::NamedDecl* candidate) {
      return syncScope(candidate->getUnderlyingDecl()->getAsFunction()
                           ? candidate->getUnderlyingDecl()->getAsFunction()
                           : candidate) != Scope::None;
    });
  }

  /// `tid < 32`, `tid < warpSize`, `tid < 32 && n > 64`.
  bool comparesWithWarp(const clang::Expr* condition) const {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (test && test->getOpcode() == clang::BO_LAnd)
      return comparesWithWarp(test->getLHS()) || comparesWithWarp(test->getRHS());
    if (!test || test->getOpcode() != clang::BO_LT)
      return false;
    const clang::Expr* bound = test->getRHS()->IgnoreParenImpCasts();
    if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(bound))
      return number->getValue() == 32;
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(bound);
    return use && use->getDecl()->getName() == "warpSize";
  }

  bool mayMeetLanes(const clang::ArraySubscriptExpr* element) const {
    const clang::Expr* array = element->getBase()->IgnoreParenImpCasts();
    while (const auto* outer = llvm::dyn_cast<clang::ArraySubscriptExpr>(array))
      array = outer->getBase()->IgnoreParenImpCasts();
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(array);
    if (inFirstWarp_ && base && function_.kernel && isShared(base->getDecl()))
      return true;
    const auto* variable = base ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
    // An element of an array that a template sizes has no type yet, the array's declaration has.
    const clang::ArrayType* sized =
        variable ? variable->getType()->getAsArrayTypeUnsafe() : nullptr;
    if (!element->getType().isVolatileQualified() &&
        !(sized && element->isTypeDependent() && sized->getElementType().isVolatileQualified()))
      return false;
    if (inFirstWarp_ && base)
      return true;
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
  bool inFirstWarp_ = false;
};

/// Finds branches of a kernel's own list that launch kernels, with stores to global memory before
/// them since the last collective.
class LauncherVisitor : public SyntaxVisitor {
public:
  std::vector<const clang::IfStmt*> found;

  void look(const clang::Stmt* body) {
    for (const clang::Stmt* statement : body->children()) {
      const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(statement);
      const bool storedBefore = stored_;
      launches_ = false;
      TraverseStmt(const_cast<clang::Stmt*>(statement));
      if (branch && launches_ && storedBefore && meetsInWarp_)
        found.push_back(branch);
    }
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (llvm::isa<clang::CUDAKernelCallExpr>(call))
      return launches_ = true;
    const clang::Decl* callee = call->getCalleeDecl();
    if (callee && syncScope(callee) != Scope::None) {
      meetsInWarp_ |= syncScope(callee) == Scope::Warp;
      stored_ = false;
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto* element =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParenImpCasts());
    const auto* base =
        element ? llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts())
                : nullptr;
    if (op->isAssignmentOp() && base && base->getType()->isPointerType())
      stored_ = true;
    return true;
  }

private:
  bool launches_ = false, stored_ = false, meetsInWarp_ = false;
};

/// An assignment that is a statement of its own, with its semicolon.
std::optional<FileRange> statementRange(const SourceText& text, clang::ParentMap& parents,
                                        const clang::BinaryOperator* assignment) {
  const clang::Stmt* parent = parents.getParent(assignment);
  if (llvm::isa_and_nonnull<clang::ExprWithCleanups>(parent))
    parent = parents.getParent(parent);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
  if (!llvm::isa_and_nonnull<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt>(
          parent) ||
      (loop && loop->getBody() != assignment) || assignment->getBeginLoc().isMacroID() ||
      assignment->getEndLoc().isMacroID() ||
      llvm::isa<clang::InitListExpr>(assignment->getRHS()->IgnoreImplicit()))
    return std::nullopt;
  auto range = text.rangeOf(assignment->getSourceRange());
  if (!range)
    return std::nullopt;
  const llvm::StringRef rest = text.buffer(range->file).substr(range->end);
  const std::size_t semicolon = rest.find_first_not_of(" \t");
  if (semicolon == llvm::StringRef::npos || rest[semicolon] != ';')
    return std::nullopt;
  range->end += semicolon + 1;
  return range;
}

} // namespace

ExplicitSteps makeStepsExplicit(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  ExplicitSteps out;
  std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>> changes;
  for (const auto& [place, f] : facts.functions) {
    if (!f.device || !f.decl->getBody() || !unit.isUser(f.decl->getLocation()))
      continue;
    LauncherVisitor launchers;
    if (f.kernel)
      launchers.look(f.decl->getBody());
    for (const clang::IfStmt* branch : launchers.found)
      if (const auto at = text.positionOf(branch->getBeginLoc())) {
        changes[at->file][at->offset] = {at->offset, "cu2cpp::syncConverged(); "};
        out.functions.push_back({f.decl->getNameAsString(), unit.placeOf(branch->getBeginLoc())});
      }
    StepVisitor visitor(text, f);
    visitor.TraverseStmt(f.decl->getBody());
    if (visitor.found.isInvalid())
      continue;
    out.functions.push_back({f.decl->getNameAsString(), unit.placeOf(visitor.found)});
    clang::ParentMap parents(f.decl->getBody());
    unsigned number = 0;
    for (const clang::BinaryOperator* assignment : visitor.assignments) {
      const auto whole = statementRange(text, parents, assignment);
      const auto target = text.rangeOf(assignment->getLHS()->getSourceRange());
      const auto value = text.rangeOf(assignment->getRHS()->getSourceRange());
      if (!whole || !target || !value)
        continue;
      const llvm::StringRef all = text.buffer(whole->file);
      const std::string step = "cuStep" + std::to_string(++number);
      changes[whole->file][whole->begin] = {
          whole->end, "{ auto " + step + " = " + text.text(*value) + "; cu2cpp::syncConverged(); " +
                          text.text(*target) + all.slice(target->end, value->begin).str() + step +
                          "; cu2cpp::syncConverged(); }"};
    }
  }
  for (const auto& [file, edits] : changes) {
    std::string changed = unit.userText(file).str();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      changed.replace(edit->first, edit->second.first - edit->first, edit->second.second);
    out.texts[file] = std::move(changed);
  }
  return out;
}

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

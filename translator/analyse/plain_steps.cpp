// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the head of a loop does for each thread at the end of a step becomes the body's last
// statement, so that the head is the same for all threads:
//
//   for (int z = 0; z < nz; ++z, at += plane) {      for (int z = 0; z < nz; ++z) {
//     ... __syncthreads(); ...                  ->     ... __syncthreads(); ...
//   }                                                ; at += plane; }
//
// (For compilers only also in kernels whose threads do not meet.)
//
// So does what a block in braces does to a variable at its end, if all threads do it alike: the
// group then does it once, behind what threads do.
//
//   { int p = 2 * t - (t & (s - 1));               { int p = 2 * t - (t & (s - 1));
//     exchange(a[p], a[p + s]);              ->      exchange(a[p], a[p + s]);
//     s >>= 1;                                     } s >>= 1;
//   }
#include "analyse/plain_steps.h"

#include <algorithm>
#include <set>
#include <string>

namespace cu2cpp {
namespace {

/// `x = ...`, `x += ...`, `++x`: the local variable that a part of a loop's head changes, if it
/// changes nothing else and calls nothing.
const clang::VarDecl* changedBy(const clang::Expr* part) {
  part = part->IgnoreParens();
  const clang::Expr* target = nullptr;
  const clang::Expr* value = nullptr;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part); op && op->isAssignmentOp()) {
    target = op->getLHS();
    value = op->getRHS();
  } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(part);
             op && op->isIncrementDecrementOp()) {
    target = op->getSubExpr();
  }
  const auto* use = target ? llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()) : nullptr;
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  class Effects : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return !(found |= op->isIncrementDecrementOp());
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return !(found |= op->isAssignmentOp());
    }
  } effects;
  effects.TraverseStmt(const_cast<clang::Expr*>(value));
  return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                 !effects.found
             ? variable
             : nullptr;
}

bool names(const clang::Stmt* s, const clang::VarDecl* variable) {
  PlainVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  return visitor.usesOf(variable) != 0;
}

/// Whether a block declares anew what an expression names: there it would name that.
bool isHidden(const clang::Expr* e, const clang::CompoundStmt* list) {
  class Names : public SyntaxVisitor {
  public:
    std::set<std::string> names;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      names.insert(use->getNameInfo().getAsString());
      return true;
    }
  } used;
  used.TraverseStmt(const_cast<clang::Expr*>(e));
  return std::any_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* s) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    return declaration && std::any_of(declaration->decl_begin(), declaration->decl_end(),
                                      [&](const clang::Decl* decl) {
                                        const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
                                        return !named || used.names.count(named->getNameAsString());
                                      });
  });
}

void addParts(const clang::Expr* e, std::vector<const clang::Expr*>& parts) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens());
  if (!op || !op->isCommaOp())
    return parts.push_back(e);
  addParts(op->getLHS(), parts);
  addParts(op->getRHS(), parts);
}

/// Whether a statement ends with a brace, and not with a semicolon.
bool endsInBlock(const clang::Stmt* s) {
  if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
    return endsInBlock(hinted->getSubStmt());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    return endsInBlock(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return endsInBlock(loop->getBody());
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    return endsInBlock(branch->getElse() ? branch->getElse() : branch->getThen());
  return llvm::isa<clang::CompoundStmt>(s);
}

void moveSteps(const PlainBody& body, const clang::ForStmt* loop) {
  const clang::Stmt* const inner = loop->getBody();
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(inner);
  if (!loop->getInc() || !loop->getCond() || llvm::isa<clang::NullStmt>(inner) ||
      PlainBody::continues(inner) || loop->getBeginLoc().isMacroID() ||
      loop->getRParenLoc().isMacroID() || inner->getBeginLoc().isMacroID() ||
      inner->getEndLoc().isMacroID())
    return;
  std::vector<const clang::Expr*> parts;
  addParts(loop->getInc(), parts);
  const clang::Expr* kept = nullptr;
  for (const clang::Expr* part : parts) {
    const clang::VarDecl* changed = changedBy(part);
    const LocalVariable* local = changed ? body.variables.find(changed) : nullptr;
    if (!local || local->escapes || !body.isSpelled(part))
      return;
    if (names(loop->getCond(), changed)) {
      if (kept)
        return;
      kept = part;
    }
  }
  // Each may do without what the one that stays does.
  if (!kept || parts.size() < 2)
    return;
  for (const clang::Expr* part : parts)
    if (part != kept && (names(part, changedBy(kept)) || names(kept, changedBy(part)) ||
                         (list && isHidden(part, list))))
      return;
  const auto head = body.text.rangeOf(loop->getInc()->getSourceRange());
  const auto all = body.text.rangeOf(inner->getSourceRange());
  const auto stays = body.text.rangeOf(kept->getSourceRange());
  if (!head || !all || !stays || head->file != all->file)
    return;
  unsigned end = all->end - 1;
  if (!list) {
    const auto behind = behindSemicolon(body.text, *all);
    if (!behind && !endsInBlock(inner))
      return;
    end = behind.value_or(all->end);
  }
  std::string moved = list ? "; " : " ";
  for (const clang::Expr* part : parts)
    if (part != kept)
      moved += body.text.text(*body.text.rangeOf(part->getSourceRange())) + "; ";
  // Loops in each other may begin and end at one place: a later round takes the next one.
  auto& edits = body.changes[head->file];
  if (edits.count(head->begin) || edits.count(end) || (!list && edits.count(all->begin)))
    return;
  edits[head->begin] = {head->end, body.text.text(*stays)};
  edits[end] = {end, list ? moved : moved + "}"};
  if (!list)
    edits[all->begin] = {all->begin, "{ "};
}

/// Whether the end of a block does nothing but what its text says: no object ends there.
bool endsNothing(const PlainBody& body, const clang::CompoundStmt* list) {
  return std::all_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* s) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    return !declaration ||
           std::all_of(declaration->decl_begin(), declaration->decl_end(), [&](const auto* decl) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
             return variable && !variable->getType()->isDependentType() &&
                    !variable->needsDestruction(body.unit.context());
           });
  });
}

void moveEnd(const PlainBody& body, const clang::CompoundStmt* list) {
  const auto* last = list->size() > 1 ? llvm::dyn_cast<clang::Expr>(list->body_back()) : nullptr;
  const clang::VarDecl* changed = last ? changedBy(last) : nullptr;
  const LocalVariable* local = changed ? body.variables.find(changed) : nullptr;
  if (!local || local->escapes || !local->uniform || !body.isSpelled(last) ||
      list->getLBracLoc().isMacroID() || list->getRBracLoc().isMacroID() || isHidden(last, list) ||
      !endsNothing(body, list))
    return;
  const auto all = body.text.rangeOf(list->getSourceRange());
  const auto end = body.text.rangeOf(last->getSourceRange());
  // (Code that #if hides may stand before the brace or name what the block declares.)
  if (!all || !end || all->file != end->file ||
      body.text.text(*all).find('#') != llvm::StringRef::npos)
    return;
  auto& edits = body.changes[all->file];
  edits[end->begin] = {end->begin, "} "};
  edits[all->end - 1] = {all->end, ""};
}

/// The blocks that are statements of other blocks.
class Blocks : public SyntaxVisitor {
public:
  std::vector<const clang::CompoundStmt*> found;
  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    for (const clang::Stmt* s : list->body())
      if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s))
        found.push_back(block);
    return true;
  }
};

} // namespace

void partSteps(const PlainBody& body) {
  Blocks blocks;
  blocks.TraverseStmt(body.function->getBody());
  for (const clang::CompoundStmt* block : blocks.found)
    moveEnd(body, block);
  moveHeads(body);
}

void moveHeads(const PlainBody& body) {
  for (const clang::Stmt* loop : body.contents.loops)
    if (const auto* f = llvm::dyn_cast<clang::ForStmt>(loop))
      moveSteps(body, f);
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the structure of code in the order in which it runs.
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

static bool jumps(const clang::Stmt* s) {
  const Contents contents(s);
  return !contents.jumps.empty();
}

} // namespace

bool AssignedFirst::run(const clang::Stmt* s, bool assigned) {
  if (!s || assigned)
    return assigned;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    readsFirst |= use->getDecl() == variable_;
    return false;
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s)) {
    if (op->getOpcode() == clang::BO_Assign && isVariable(op->getLHS()) &&
        !op->getLHS()->isTypeDependent()) {
      run(op->getRHS(), false);
      return true;
    }
    const bool left = run(op->getLHS(), false);
    const bool right = run(op->getRHS(), left);
    return op->isLogicalOp() ? left : right;
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(s)) {
    const bool test = run(choice->getCond(), false);
    const bool yes = run(choice->getTrueExpr(), test), no = run(choice->getFalseExpr(), test);
    return yes && no;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    bool test = run(branch->getInit(), false);
    test = run(branch->getCond(), test);
    const bool yes = run(branch->getThen(), test), no = run(branch->getElse(), test);
    return yes && no && branch->getElse();
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    const bool init = run(loop->getInit(), false);
    const bool test = run(loop->getCond(), init);
    run(loop->getInc(), run(loop->getBody(), test) && !jumps(loop->getBody()));
    return test;
  }
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
    const bool test = run(loop->getCond(), false);
    run(loop->getBody(), test);
    return test;
  }
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) {
    const bool body = run(loop->getBody(), false) && !jumps(loop->getBody());
    return run(loop->getCond(), body);
  }
  if (llvm::isa<clang::SwitchStmt, clang::LambdaExpr, clang::CXXForRangeStmt, clang::CXXTryStmt>(
          s)) {
    readsFirst |= Contents(s).uses.count(variable_) != 0;
    return false;
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* other = llvm::dyn_cast<clang::VarDecl>(decl)) {
        assigned = run(other->getInit(), assigned);
        assigned |= other == variable_ && other->hasInit();
      }
    return assigned;
  }
  // Behind a jump nothing of the list runs; what does run behind it has not seen the rest.
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    const bool leaves = jumps(s);
    for (const clang::Stmt* child : block->body())
      assigned = run(child, assigned);
    return assigned && !leaves;
  }
  for (const clang::Stmt* child : s->children())
    assigned = run(child, assigned);
  return assigned;
}
bool AssignedFirst::isVariable(const clang::Expr* e) const {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
  return use && use->getDecl() == variable_;
}

bool isLoop(const clang::Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

const clang::Stmt* bodyOf(const clang::Stmt* loop) {
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(loop))
    return s->getBody();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(loop))
    return s->getBody();
  return llvm::cast<clang::DoStmt>(loop)->getBody();
}
const clang::Expr* conditionOf(const clang::Stmt* loop) {
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(loop))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(loop))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(loop))
    return s->getCond();
  return llvm::cast<clang::DoStmt>(loop)->getCond();
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the structure of code in the order in which it runs.
#include "analyse/region_parts.h"

#include "llvm/ADT/FoldingSet.h"

namespace cu2cpp {
namespace {

static bool jumps(const clang::Stmt* s) {
  const Contents contents(s);
  return !contents.jumps.empty();
}

/// How often code names a variable.
unsigned mentions(const clang::Stmt* s, const clang::VarDecl* variable) {
  if (!s)
    return 0;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
  unsigned count = use && use->getDecl() == variable;
  for (const clang::Stmt* child : s->children())
    count += mentions(child, variable);
  return count;
}

/// Whether an expression is the number of an array's elements.
bool isSizeOf(const clang::Expr* e, const clang::VarDecl* array) {
  const clang::ASTContext& context = array->getASTContext();
  if (const auto* known = context.getAsConstantArrayType(array->getType())) {
    clang::Expr::EvalResult value;
    return !e->isValueDependent() && e->EvaluateAsInt(value, context) &&
           value.Val.getInt() == known->getSize().getZExtValue();
  }
  const auto* dependent = context.getAsDependentSizedArrayType(array->getType());
  if (!dependent || !dependent->getSizeExpr())
    return false;
  llvm::FoldingSetNodeID here, there;
  e->IgnoreParenImpCasts()->Profile(here, context, true);
  dependent->getSizeExpr()->IgnoreParenImpCasts()->Profile(there, context, true);
  return here == there;
}

} // namespace

const clang::VarDecl* namedBy(const clang::Expr* e) {
  const auto* use = e ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
  return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
}

std::optional<CountingLoop> countingLoop(const clang::ForStmt* loop, bool mayIncludeEnd) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  const bool includes = mayIncludeEnd && test && test->getOpcode() == clang::BO_LE;
  if (!counter || !counter->hasInit() || !test ||
      (test->getOpcode() != clang::BO_LT && !includes) || namedBy(test->getLHS()) != counter ||
      !step || !step->isIncrementOp() || namedBy(step->getSubExpr()) != counter)
    return std::nullopt;
  return CountingLoop{counter, counter->getInit(), test->getRHS(), includes};
}

std::optional<std::int64_t> constantOf(const clang::Expr* e, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (!e || e->isValueDependent() || !e->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().tryExtValue();
}

const clang::VarDecl* ownArray(const clang::Expr* e) {
  const clang::VarDecl* variable = namedBy(e);
  return variable && variable->getType()->isArrayType() && variable->hasLocalStorage() &&
                 !isShared(variable)
             ? variable
             : nullptr;
}

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
    if (fills(loop))
      return true;
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

bool AssignedFirst::fills(const clang::ForStmt* loop) const {
  const auto head = countingLoop(loop);
  if (!variable_->getType()->isArrayType() || !head ||
      constantOf(head->from, variable_->getASTContext()) != 0 || !isSizeOf(head->to, variable_) ||
      jumps(loop->getBody()) || mentions(loop->getBody(), variable_) != 1)
    return false;
  // The only place that changes the counter is the head: what the body does with it, it reads.
  bool fills = false;
  const auto look = [&](const clang::Stmt* s) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    const auto* element =
        op && op->getOpcode() == clang::BO_Assign
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens())
            : nullptr;
    if (element && namedBy(element->getBase()) == variable_ &&
        namedBy(element->getIdx()) == head->counter)
      fills = true;
  };
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
    for (const clang::Stmt* child : list->body())
      look(child);
  else
    look(loop->getBody());
  class Changes : public clang::RecursiveASTVisitor<Changes> {
  public:
    const clang::VarDecl* counter = nullptr;
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) {
      found |= op->isAssignmentOp() && namedBy(op->getLHS()) == counter;
      return true;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) {
      found |= (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) &&
               namedBy(op->getSubExpr()) == counter;
      return true;
    }
  } changes;
  changes.counter = head->counter;
  changes.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
  return fills && !changes.found;
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

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

/// `target = value`, of numbers or structures.
struct Assignment {
  const clang::Expr* target = nullptr;
  const clang::Expr* value = nullptr;
};
Assignment assignmentOf(const clang::Stmt* s) {
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      op && op->getOpcode() == clang::BO_Assign)
    return {op->getLHS(), op->getRHS()};
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
  const auto* method = call && call->getOperator() == clang::OO_Equal
                           ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee())
                           : nullptr;
  return method && method->isTrivial() ? Assignment{call->getArg(0), call->getArg(1)}
                                       : Assignment();
}

/// The elements that an expression names: one, or a vector of them.
std::optional<ElementVector> elementsOf(const clang::Expr* e) {
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParens());
  const auto* array =
      element ? llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts())
              : nullptr;
  return array ? ElementVector{array, element->getIdx(), 1} : elementVector(e);
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
  return areAlike(e, dependent->getSizeExpr(), context);
}

} // namespace

bool areAlike(const clang::Expr* a, const clang::Expr* b, const clang::ASTContext& context) {
  llvm::FoldingSetNodeID one, other;
  a->IgnoreParenImpCasts()->Profile(one, context, true);
  b->IgnoreParenImpCasts()->Profile(other, context, true);
  return one == other;
}

unsigned countUses(const clang::Stmt* code, const clang::VarDecl* variable) {
  class Names : public SyntaxVisitor {
  public:
    const clang::VarDecl* variable = nullptr;
    unsigned count = 0;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      count += use->getDecl() == variable;
      return true;
    }
  } names;
  names.variable = variable;
  names.TraverseStmt(const_cast<clang::Stmt*>(code));
  return names.count;
}

const clang::Expr* arrayOf(const clang::ArraySubscriptExpr* element) {
  const clang::Expr* const left = element->getLHS();
  const bool unknown = element->getRHS()->isTypeDependent() && !left->getType()->isIntegerType();
  return unknown ? left : element->getBase();
}

const clang::Expr* indexOf(const clang::ArraySubscriptExpr* element) {
  return arrayOf(element) == element->getLHS() ? element->getRHS() : element->getLHS();
}

std::vector<const clang::ForStmt*> forLoopsIn(const clang::Stmt* code) {
  class Loops : public SyntaxVisitor {
  public:
    std::vector<const clang::ForStmt*> all;
    bool VisitForStmt(clang::ForStmt* loop) override {
      all.push_back(loop);
      return true;
    }
  } loops;
  loops.TraverseStmt(const_cast<clang::Stmt*>(code));
  return std::move(loops.all);
}

ArrayElement elementOf(const clang::Expr* e) {
  ArrayElement out;
  e = e->IgnoreParenImpCasts();
  while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    out.indices.insert(out.indices.begin(), indexOf(at));
    e = arrayOf(at)->IgnoreParenImpCasts();
  }
  out.array = namedBy(e);
  return out;
}

const clang::VarDecl* namedBy(const clang::Expr* e) {
  const auto* use = e ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
  return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
}

std::optional<ElementVector> elementVector(const clang::Expr* e) {
  e = e->IgnoreParens();
  const clang::Expr* pointer = nullptr;
  if (const auto* first = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const auto* zero =
        llvm::dyn_cast<clang::IntegerLiteral>(first->getIdx()->IgnoreParenImpCasts());
    pointer = zero && zero->getValue() == 0 ? first->getBase() : nullptr;
  } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
             op && op->getOpcode() == clang::UO_Deref) {
    pointer = op->getSubExpr();
  }
  const auto* cast =
      pointer ? llvm::dyn_cast<clang::ExplicitCastExpr>(pointer->IgnoreParenImpCasts()) : nullptr;
  if (!cast || cast->isTypeDependent() || !cast->getType()->isPointerType())
    return std::nullopt;
  const clang::Expr* place = cast->getSubExpr()->IgnoreParenImpCasts();
  ElementVector out;
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place);
      address && address->getOpcode() == clang::UO_AddrOf) {
    const auto* element =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
    if (!element)
      return std::nullopt;
    out.from = element->getIdx();
    place = element->getBase()->IgnoreParenImpCasts();
  }
  out.array = llvm::dyn_cast<clang::DeclRefExpr>(place);
  const clang::ArrayType* array =
      out.array ? out.array->getDecl()->getType()->getAsArrayTypeUnsafe() : nullptr;
  const clang::QualType vector = cast->getType()->getPointeeType();
  if (!array || !array->getElementType()->isArithmeticType() || vector.isVolatileQualified() ||
      vector->isIncompleteType() || !vector->isObjectType() ||
      !vector.isTriviallyCopyableType(out.array->getDecl()->getASTContext()))
    return std::nullopt;
  const clang::ASTContext& context = out.array->getDecl()->getASTContext();
  const std::uint64_t size = context.getTypeSize(vector),
                      step = context.getTypeSize(array->getElementType());
  out.count = size % step == 0 ? size / step : 0;
  return out.count != 0 ? std::optional(out) : std::nullopt;
}

const clang::Expr* copiedVectorAround(const clang::DeclRefExpr* array,
                                      const clang::ParentMap& parents) {
  const clang::Expr* whole = nullptr;
  const clang::Stmt* at = array;
  // Parentheses, subscript, address, cast, parentheses, subscript: no more than a few steps.
  for (unsigned step = 0; step < 12 && at && !whole; ++step, at = parents.getParent(at))
    if (const auto* e = llvm::dyn_cast<clang::Expr>(at))
      if (const auto vector = elementVector(e); vector && vector->array == array)
        whole = e;
  const clang::Stmt* around = whole ? parents.getParent(whole) : nullptr;
  while (llvm::isa_and_nonnull<clang::ParenExpr>(around) ||
         (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(around) &&
          llvm::cast<clang::ImplicitCastExpr>(around)->getCastKind() == clang::CK_NoOp)) {
    whole = llvm::cast<clang::Expr>(around);
    around = parents.getParent(around);
  }
  const auto* load = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(around);
  const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(around);
  const Assignment assignment = around ? assignmentOf(around) : Assignment();
  const bool copied = (load && load->getCastKind() == clang::CK_LValueToRValue) ||
                      (copy && copy->getConstructor()->isCopyOrMoveConstructor() &&
                       copy->getConstructor()->isTrivial()) ||
                      assignment.target == whole || assignment.value == whole;
  return whole && copied ? whole : nullptr;
}

std::optional<CountingLoop> countingLoop(const clang::ForStmt* loop, bool mayIncludeEnd,
                                         std::int64_t steps) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  const auto* next = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  const auto* sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  const bool includes = mayIncludeEnd && test && test->getOpcode() == clang::BO_LE;
  if (!counter || !counter->hasInit() || !test ||
      (test->getOpcode() != clang::BO_LT && !includes) || namedBy(test->getLHS()) != counter ||
      !(steps == 1
            ? next && next->isIncrementOp() && namedBy(next->getSubExpr()) == counter
            : sum && sum->getOpcode() == clang::BO_AddAssign && namedBy(sum->getLHS()) == counter &&
                  constantOf(sum->getRHS(), counter->getASTContext()) == steps))
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
  if (const Assignment assignment = assignmentOf(s);
      assignment.target && variable_->getType()->isArrayType()) {
    const llvm::SmallBitVector more = elementsIn(assignment.target);
    if (more.any()) {
      run(assignment.value, false);
      elements_.resize(more.size());
      elements_ |= more;
      return elements_.all();
    }
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s)) {
    if (op->getOpcode() == clang::BO_Assign && isVariable(op->getLHS()) &&
        !op->getLHS()->isTypeDependent()) {
      run(op->getRHS(), false);
      return true;
    }
    const bool left = run(op->getLHS(), false);
    const bool right = aside([&] { return run(op->getRHS(), left); });
    return op->isLogicalOp() ? left : right;
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(s)) {
    const bool test = run(choice->getCond(), false);
    const bool yes = aside([&] { return run(choice->getTrueExpr(), test); });
    const bool no = aside([&] { return run(choice->getFalseExpr(), test); });
    return yes && no;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    bool test = run(branch->getInit(), false);
    test = run(branch->getCond(), test);
    const bool yes = aside([&] { return run(branch->getThen(), test); });
    const bool no = aside([&] { return run(branch->getElse(), test); });
    return yes && no && branch->getElse();
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    if (fills(loop))
      return true;
    const bool init = run(loop->getInit(), false);
    const bool test = run(loop->getCond(), init);
    aside(
        [&] { return run(loop->getInc(), run(loop->getBody(), test) && !jumps(loop->getBody())); });
    return test;
  }
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
    const bool test = run(loop->getCond(), false);
    aside([&] { return run(loop->getBody(), test); });
    return test;
  }
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s)) {
    return aside([&] {
      const bool body = run(loop->getBody(), false) && !jumps(loop->getBody());
      return run(loop->getCond(), body);
    });
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
    const llvm::SmallBitVector before = elements_;
    for (const clang::Stmt* child : block->body())
      assigned = run(child, assigned);
    if (leaves)
      elements_ = before;
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

llvm::SmallBitVector AssignedFirst::elementsIn(const clang::Expr* target) const {
  constexpr std::uint64_t mostElements = 256;
  const clang::ASTContext& context = variable_->getASTContext();
  const auto part = elementsOf(target);
  const auto* type = context.getAsConstantArrayType(variable_->getType());
  const std::uint64_t size = type ? type->getSize().getZExtValue() : 0;
  if (!part || part->array->getDecl() != variable_ || size == 0 || size > mostElements)
    return {};
  const auto from = part->from ? constantOf(part->from, context) : 0;
  if (!from || *from < 0 || std::uint64_t(*from) + part->count > size)
    return {};
  llvm::SmallBitVector out(size);
  out.set(*from, *from + part->count);
  return out;
}

bool AssignedFirst::fills(const clang::ForStmt* loop) const {
  auto head = countingLoop(loop);
  unsigned width = 1;
  for (; !head && width < 16; width *= 2)
    head = countingLoop(loop, false, std::int64_t(2) * width);
  if (!variable_->getType()->isArrayType() || !head ||
      constantOf(head->from, variable_->getASTContext()) != 0 || !isSizeOf(head->to, variable_) ||
      jumps(loop->getBody()) || mentions(loop->getBody(), variable_) != 1)
    return false;
  // The only place that changes the counter is the head: what the body does with it, it reads.
  bool fills = false;
  const auto look = [&](const clang::Stmt* s) {
    const Assignment assignment = assignmentOf(s);
    const auto part = assignment.target ? elementsOf(assignment.target) : std::nullopt;
    if (part && part->array->getDecl() == variable_ && part->count == width && part->from &&
        namedBy(part->from) == head->counter)
      fills = true;
  };
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
    for (const clang::Stmt* child : list->body())
      look(child);
  else
    look(loop->getBody());
  class Changes : public SyntaxVisitor {
  public:
    const clang::VarDecl* counter = nullptr;
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      found |= op->isAssignmentOp() && namedBy(op->getLHS()) == counter;
      return true;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
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

bool holdsLoop(const clang::Stmt* s) {
  class Loops : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitStmt(clang::Stmt* at) override { return !(found |= isLoop(at)); }
  } loops;
  loops.TraverseStmt(const_cast<clang::Stmt*>(s));
  return loops.found;
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

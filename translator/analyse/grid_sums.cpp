// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/grid_sums.h"

#include <algorithm>
#include <set>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "parse/source_unit.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// The variable of which something is an element, or an element of a member.
const clang::VarDecl* arrayOf(const clang::Expr* e) {
  for (e = e->IgnoreParenImpCasts();;) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      e = element->getBase()->IgnoreParenImpCasts();
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      e = member->getBase()->IgnoreParenImpCasts();
    else
      return namedBy(e);
  }
}

/// The variables that a body changes after their declarations.
class Changed : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> variables;
  std::set<const clang::VarDecl*> sums; ///< those to which an element of a shared table is added
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (!op->isAssignmentOp())
      return true;
    variables.insert(namedBy(op->getLHS()));
    if (const clang::VarDecl* table = arrayOf(op->getRHS()); table && isShared(table))
      sums.insert(namedBy(op->getLHS()));
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      variables.insert(namedBy(op->getSubExpr()));
    return true;
  }
};

/// Blocks: all that each block does between the first barrier and the last.
enum class Part { Before, Loop, Blocks, Behind };

/// Whether an expression computes a value and does no more; what it may name is said by the part of
/// the kernel.
class Computes : public SyntaxVisitor {
public:
  /// own: what the loop's step has declared; names: what nothing else may name; ofRows: the grid's
  /// rows share the work, too.
  Computes(Part part, const std::set<const clang::VarDecl*>& own,
           const std::set<const clang::VarDecl*>& names, bool ofRows, const Facts& facts)
      : part_(part), own_(own), names_(names), ofRows_(ofRows), facts_(facts) {}
  bool isIn(const clang::Expr* e) {
    TraverseStmt(const_cast<clang::Expr*>(e));
    return holds && blocks_ == 0;
  }
  bool holds = true;

  bool VisitStmt(clang::Stmt* s) override {
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (!e || e->getType().isVolatileQualified() || e->getType()->isDependentType())
      return holds = false;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return holds &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return holds &= op->isArithmeticOp();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e))
      return holds &= made->getConstructor()->isTrivial();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return holds &= isPureCall(call);
    return holds &=
           llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr,
                     clang::CastExpr, clang::ParenExpr, clang::IntegerLiteral,
                     clang::FloatingLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                     clang::ConditionalOperator, clang::UnaryExprOrTypeTraitExpr,
                     clang::ConstantExpr, clang::MaterializeTemporaryExpr>(e);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const unsigned builtin = builtinOf(use->getDecl())) {
      blocks_ += builtin == BlockIdx && part_ != Part::Blocks;
      return holds &= builtin == BlockDim || builtin == GridDim ||
                      (builtin == ThreadIdx && part_ != Part::Loop) || builtin == BlockIdx;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable)
      return holds &= llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(use->getDecl());
    const bool own = (part_ == Part::Loop && own_.count(variable)) || part_ == Part::Blocks;
    if (isShared(variable) || (names_.count(variable) && !own) ||
        variable->getType().isVolatileQualified() || variable->getType()->isReferenceType())
      return holds = false;
    return holds &= part_ != Part::Loop || !variable->hasLocalStorage() ||
                    llvm::isa<clang::ParmVarDecl>(variable) || own;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    // Those of its members that are one value for all blocks that work together.
    if (part_ != Part::Blocks)
      blocks_ -= isPart(member, BlockIdx, "z") || (!ofRows_ && isPart(member, BlockIdx, "y"));
    return holds &= llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl());
  }

private:
  bool isPureCall(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if ((part_ != Part::Loop && part_ != Part::Blocks) || !callee)
      return false;
    if (const FunctionFacts* known = facts_.find(callee))
      return !known->builtins && !known->readsThread && known->shared.empty() &&
             known->callees.empty() && isPureFunction(callee, facts_);
    return isPureHeaderFunction(callee);
  }
  const Part part_;
  const std::set<const clang::VarDecl*>&own_, &names_;
  const bool ofRows_;
  int blocks_ = 0; ///< uses of blockIdx but for those
  const Facts& facts_;
};

class GridSum {
public:
  GridSum(const SourceUnit& unit, const FunctionFacts& kernel, const clang::ForStmt* loop,
          const Facts& facts)
      : unit_(unit), loop_(loop), facts_(facts), context_(kernel.decl->getASTContext()) {
    changed_.TraverseStmt(kernel.decl->getBody());
  }

  bool holds(const clang::CompoundStmt* body) {
    unsigned size = 0;
    return isOverGrid(loop_, "x", size) && isSum(body, loop_);
  }
  /// The same of the rows of columns for which `guard` holds.
  std::optional<PlacesOfGrid> places(const clang::CompoundStmt* body, const clang::IfStmt* guard) {
    PlacesOfGrid out;
    ofRows_ = true;
    if (!isColumn(guard, out) || !isOverGrid(loop_, "y", out.sizeY) || !isSum(body, guard))
      return std::nullopt;
    out.loop = loop_;
    out.row = counter_;
    return out;
  }
  /// The same of rows and columns by which the whole grid steps, in either order.
  std::optional<PlacesOfGrid> placesInSteps(const clang::CompoundStmt* body) {
    PlacesOfGrid out;
    ofRows_ = true;
    out.inner = innerLoop();
    if (!out.inner)
      return std::nullopt;
    const bool rowsFirst = isOverGrid(loop_, "y", out.sizeY);
    if (!rowsFirst && !isOverGrid(loop_, "x", out.sizeX))
      return std::nullopt;
    const clang::VarDecl* const outer = counter_;
    if (!isOverGrid(out.inner, rowsFirst ? "x" : "y", rowsFirst ? out.sizeX : out.sizeY))
      return std::nullopt;
    out.loop = loop_;
    out.row = rowsFirst ? outer : counter_;
    out.column = rowsFirst ? counter_ : outer;
    out.width = limitOf(rowsFirst ? out.inner : loop_);
    column_ = out.column;
    counter_ = out.row;
    names_.insert({out.row, out.column}); // of which the loops may hear
    return isSum(body, loop_) ? std::optional(out) : std::nullopt;
  }
  /// What blocks do one after the other, each with the same tables.
  std::optional<BlocksTogether> blocks(const clang::CompoundStmt* body) {
    BlocksTogether out;
    Part part = Part::Before;
    for (const clang::Stmt* s : body->body()) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (!call || !isBarrier(call)) {
        if (!does(s, part))
          return std::nullopt;
      } else if (part == Part::Before) {
        out.begin = s;
        part = Part::Blocks;
        own_.clear();
        tables_.clear();
      } else if (part == Part::Blocks) {
        out.end = s;
        part = Part::Behind;
        // What these have declared is each block's.
        names_.insert(own_.begin(), own_.end());
      } else {
        return std::nullopt;
      }
    }
    out.places.assign(places_.begin(), places_.end());
    return part == Part::Behind && counts_ ? std::optional(out) : std::nullopt;
  }

private:
  /// Whether the kernel's body is what a sum's is, with the loop in that statement of it.
  bool isSum(const clang::CompoundStmt* body, const clang::Stmt* counts) {
    Part part = Part::Before;
    for (const clang::Stmt* s : body->body()) {
      if (s == counts) {
        part = Part::Loop;
        own_ = {counter_};
        if (column_)
          own_.insert(column_);
        if (!(column_ && counts == loop_ ? doesInSteps() : does(loop_->getBody(), Part::Loop)))
          return false;
        part = Part::Behind;
      } else if (!does(s, part)) {
        return false;
      }
    }
    return part == Part::Behind;
  }

  /// The loop that the body of `loop_` is, maybe behind declarations.
  const clang::ForStmt* innerLoop() const {
    const clang::Stmt* s = loop_->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s); list && !list->body_empty())
      s = list->body_back();
    return llvm::dyn_cast<clang::ForStmt>(s);
  }
  static const clang::Expr* limitOf(const clang::ForStmt* loop) {
    return llvm::cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())->getRHS();
  }
  /// Whether nothing is kept from one step of the inner loop to the next, and it only counts.
  bool doesInSteps() {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop_->getBody()))
      for (const clang::Stmt* s : list->body()) {
        const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
        if (s != innerLoop() &&
            !(declared && std::all_of(declared->decl_begin(), declared->decl_end(),
                                      [&](const clang::Decl* decl) { return isFixed(decl); })))
          return false;
      }
    return does(innerLoop()->getBody(), Part::Loop);
  }
  /// Whether a declaration between the loops is a value of the row's that nobody changes.
  bool isFixed(const clang::Decl* decl) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    return variable && variable->getType()->isScalarType() && variable->hasInit() &&
           variable->hasLocalStorage() && !changed_.variables.count(variable) &&
           declares(variable, Part::Loop);
  }

  /// What a local variable stands for that nobody changes.
  const clang::Expr* behindName(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    const clang::VarDecl* variable = namedBy(e);
    return variable && variable->isLocalVarDecl() && variable->hasInit() && isNumber(variable) &&
                   !changed_.variables.count(variable)
               ? variable->getInit()->IgnoreParenImpCasts()
               : e;
  }
  bool isNumber(const clang::VarDecl* variable) const {
    return variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified() &&
           context_.getTypeSize(variable->getType()) >= 32;
  }
  /// blockIdx.x or gridDim.x times the size of a block: a constant, or 0 for blockDim.x.
  bool isOfBlocks(const clang::Expr* e, Builtin of, llvm::StringRef axis, unsigned& size) const {
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (!product || product->getOpcode() != clang::BO_Mul)
      return false;
    const clang::Expr *left = product->getLHS(), *right = product->getRHS();
    if (isPart(behindName(right), of, axis))
      std::swap(left, right);
    if (!isPart(behindName(left), of, axis))
      return false;
    size = 0;
    if (isPart(behindName(right), BlockDim, axis))
      return true;
    const auto constant = right->getIntegerConstantExpr(context_);
    if (!constant || !constant->isStrictlyPositive() || constant->ugt(~0u))
      return false;
    size = static_cast<unsigned>(constant->getZExtValue());
    return true;
  }
  /// blockIdx.x * blockDim.x + threadIdx.x
  bool isStart(const clang::Expr* first, llvm::StringRef axis, unsigned& size) const {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(first->IgnoreParenImpCasts());
    if (!sum || sum->getOpcode() != clang::BO_Add)
      return false;
    const clang::Expr *left = sum->getLHS(), *right = sum->getRHS();
    if (isPart(behindName(left), ThreadIdx, axis))
      std::swap(left, right);
    return isPart(behindName(right), ThreadIdx, axis) && isOfBlocks(left, BlockIdx, axis, size);
  }
  /// if (x < width) { the loop }, where x is the thread's column of the grid
  bool isColumn(const clang::IfStmt* guard, PlacesOfGrid& out) {
    const auto* test =
        llvm::dyn_cast<clang::BinaryOperator>(guard->getCond()->IgnoreParenImpCasts());
    if (!test || test->getOpcode() != clang::BO_LT)
      return false;
    column_ = namedBy(test->getLHS());
    if (!column_ || !column_->isLocalVarDecl() || !column_->hasLocalStorage() ||
        !column_->hasInit() || !isNumber(column_) ||
        context_.getTypeSize(column_->getType()) != 32 || changed_.variables.count(column_) ||
        !isStart(column_->getInit(), "x", out.sizeX) ||
        !test->getRHS()->getType()->isIntegerType() || !computes(test->getRHS(), Part::Loop))
      return false;
    names_.insert(column_); // of which the loop may hear
    out.column = column_;
    out.width = test->getRHS();
    return true;
  }
  /// for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
  bool isOverGrid(const clang::ForStmt* loop, llvm::StringRef axis, unsigned& size) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    counter_ = declared && declared->isSingleDecl()
                   ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                   : nullptr;
    const auto* test =
        loop->getCond()
            ? llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())
            : nullptr;
    const auto* step = loop->getInc()
                           ? llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())
                           : nullptr;
    if (!counter_ || !counter_->hasInit() || !isNumber(counter_) ||
        context_.getTypeSize(counter_->getType()) != 32 || !test ||
        test->getOpcode() != clang::BO_LT || namedBy(test->getLHS()) != counter_ || !step ||
        step->getOpcode() != clang::BO_AddAssign || namedBy(step->getLHS()) != counter_ ||
        !test->getRHS()->getType()->isIntegerType() || !computes(test->getRHS(), Part::Loop))
      return false;
    const clang::Expr* first = counter_->getInit()->IgnoreParenImpCasts();
    if (const clang::Expr* const named = behindName(first); named != first) {
      names_.insert(namedBy(first)); // of which nobody else may hear
      first = named;
    }
    unsigned steps = 0;
    return isStart(first, axis, size) &&
           isOfBlocks(behindName(step->getRHS()), GridDim, axis, steps) && size == steps;
  }

  bool computes(const clang::Expr* e, Part part) const {
    return Computes(part, own_, names_, ofRows_, facts_).isIn(e);
  }

  bool does(const clang::Stmt* s, Part part) {
    if (!s || llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* one) { return does(one, part); });
    if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s)) // #pragma unroll
      return does(hinted->getSubStmt(), part);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declared->decl_begin(), declared->decl_end(),
                         [&](const clang::Decl* decl) { return declares(decl, part); });
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (branch->getInit() || branch->getConditionVariable())
        return false;
      if (part == Part::Behind && isAdditionWhereAny(branch))
        return true;
      return computes(branch->getCond(), part) && does(branch->getThen(), part) &&
             does(branch->getElse(), part);
    }
    if (const auto* inner = llvm::dyn_cast<clang::ForStmt>(s))
      return does(inner->getInit(), part) && !inner->getConditionVariable() && inner->getCond() &&
             computes(inner->getCond(), part) && does(inner->getInc(), part) &&
             does(inner->getBody(), part);
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (!e)
      return false;
    e = e->IgnoreParens();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return part == Part::Loop || part == Part::Blocks
                 ? isCount(call, part) || (part == Part::Blocks && isCountingMethod(call))
                 : isBarrier(call) || (part == Part::Behind && isAddition(call, nullptr));
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->isIncrementDecrementOp() && isOwn(op->getSubExpr(), part);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !op->isAssignmentOp())
      return false;
    if (const clang::VarDecl* sum = namedBy(op->getLHS()); changed_.sums.count(sum))
      return part == Part::Behind && op->getOpcode() == clang::BO_AddAssign &&
             elements_.count(sum) && isTermOf(sum, op->getRHS());
    if (isOwn(op->getLHS(), part))
      return computes(op->getRHS(), part);
    const auto* zero = llvm::dyn_cast<clang::IntegerLiteral>(op->getRHS()->IgnoreParenImpCasts());
    return part == Part::Before && op->getOpcode() == clang::BO_Assign && zero &&
           zero->getValue() == 0 && elementOf(op->getLHS(), part);
  }
  bool declares(const clang::Decl* decl, Part part) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable)
      return llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl>(decl);
    if (isShared(variable))
      return part == Part::Before && !variable->hasExternalStorage() &&
             (isTable(variable->getType()) ? !variable->hasInit() : isOfTables(variable) && !loop_);
    if (!variable->hasLocalStorage())
      return variable->isConstexpr();
    if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
      return false;
    if (changed_.sums.count(variable)) {
      const auto* zero =
          variable->hasInit()
              ? llvm::dyn_cast<clang::IntegerLiteral>(variable->getInit()->IgnoreParenImpCasts())
              : nullptr;
      if (part != Part::Behind || !isNumber(variable) || !variable->hasInit() ||
          !(zero ? zero->getValue() == 0 : isTermOf(variable, variable->getInit())))
        return false;
      names_.insert(variable);
      elements_.insert(variable);
      return true;
    }
    // Another name for a table, from one of its elements on.
    if (const auto* address = variable->hasInit() ? llvm::dyn_cast<clang::UnaryOperator>(
                                                        variable->getInit()->IgnoreParenImpCasts())
                                                  : nullptr;
        address && address->getOpcode() == clang::UO_AddrOf && part == Part::Before && !loop_ &&
        variable->getType()->isPointerType() && !changed_.variables.count(variable) &&
        elementOf(address->getSubExpr(), part)) {
      names_.insert(variable);
      return tables_.insert(variable).second;
    }
    own_.insert(variable);
    if (names_.count(variable) || !variable->hasInit() || computes(variable->getInit(), part))
      return true;
    // A place of the block's, of which only what the blocks do in turn may hear.
    if (part == Part::Before && !loop_ && !changed_.variables.count(variable) &&
        variable->getType()->isScalarType() && computes(variable->getInit(), Part::Blocks)) {
      names_.insert(variable);
      places_.push_back(variable);
      return true;
    }
    // A name for an element of a table.
    if (part != Part::Behind || changed_.variables.count(variable) || !isNumber(variable) ||
        !elementOf(variable->getInit(), part))
      return false;
    names_.insert(variable);
    return elements_.insert(variable).second;
  }
  /// Whether something is a number of the thread's that this part of the kernel may change.
  bool isOwn(const clang::Expr* e, Part part) const {
    const clang::VarDecl* variable = namedBy(e);
    return variable && variable->isLocalVarDecl() && variable->hasLocalStorage() &&
           variable->getType()->isScalarType() && !isShared(variable) && !names_.count(variable) &&
           !((part == Part::Loop || part == Part::Blocks) &&
             (variable == counter_ || !own_.count(variable)));
  }
  bool isTable(clang::QualType type) const {
    return type->isConstantArrayType() && context_.getBaseElementType(type)->isIntegerType() &&
           !type.isVolatileQualified();
  }
  /// Whether a shared variable is a structure of nothing but tables, which nobody fills.
  bool isOfTables(const clang::VarDecl* variable) const {
    const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
    const auto* made =
        variable->hasInit()
            ? llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit())
            : nullptr;
    return record && record->hasDefinition() && !record->isUnion() && record->isTrivial() &&
           record->getNumBases() == 0 && !record->field_empty() &&
           (!variable->hasInit() ||
            (made && made->getNumArgs() == 0 && made->getConstructor()->isTrivial() &&
             !made->requiresZeroInitialization())) &&
           std::all_of(record->field_begin(), record->field_end(),
                       [&](const clang::FieldDecl* field) { return isTable(field->getType()); });
  }
  /// The shared variable that a table is, or of which it is a member.
  const clang::VarDecl* tableNamed(const clang::Expr* e) const {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
    if (!member) {
      const clang::VarDecl* table = namedBy(e);
      return table && ((isShared(table) && table->getType()->isArrayType()) || tables_.count(table))
                 ? table
                 : nullptr;
    }
    if (!isTable(member->getType()))
      return nullptr;
    const clang::Expr* object = member->getBase()->IgnoreParenImpCasts();
    if (llvm::isa<clang::CXXThisExpr>(object))
      return object_;
    const clang::VarDecl* variable = member->isArrow() ? nullptr : namedBy(object);
    return variable && isShared(variable) ? variable : nullptr;
  }
  /// Whether an element of a table is added to a sum as it is.
  bool isTermOf(const clang::VarDecl* sum, const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    return elementOf(e, Part::Behind) &&
           context_.getTypeSize(e->getType()) >= context_.getTypeSize(sum->getType());
  }
  /// A method of a structure of tables that does nothing but count in them: table.add(x, y).
  bool isCountingMethod(const clang::CallExpr* e) {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
    const auto* name =
        call ? llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts())
             : nullptr;
    const clang::CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    const clang::FunctionDecl* definition = nullptr;
    const FunctionFacts* known = method ? facts_.find(method) : nullptr;
    if (!name || name->isArrow() || !method || method->isVirtual() || object_ || !known ||
        known->builtins || known->readsThread || !known->shared.empty() ||
        !known->collectives.empty() || !known->assembly.empty() || known->indirectCalls ||
        !method->hasBody(definition) || definition->isDependentContext() ||
        !definition->getReturnType()->isVoidType() ||
        definition->getNumParams() != call->getNumArgs())
      return false;
    const clang::VarDecl* object = namedBy(name->getBase());
    if (!object || !isShared(object) || !isOfTables(object) ||
        object->getType()->getAsCXXRecordDecl()->getCanonicalDecl() !=
            method->getParent()->getCanonicalDecl())
      return false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const clang::QualType type = definition->getParamDecl(i)->getType();
      if (!type->isArithmeticType() || type.isVolatileQualified() ||
          !computes(call->getArg(i), Part::Blocks))
        return false;
      own_.insert(definition->getParamDecl(i));
    }
    object_ = object;
    const bool counts = does(definition->getBody(), Part::Blocks);
    object_ = nullptr;
    return counts;
  }
  /// The shared table of which an expression is one element; null if it is none.
  const clang::VarDecl* elementOf(const clang::Expr* e, Part part) const {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
    if (!element || !element->getType()->isIntegerType() || !computes(element->getIdx(), part))
      return nullptr;
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    // A row of a table, also as the address of one of its elements: (&table[0][0])[i].
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(base);
        address && address->getOpcode() == clang::UO_AddrOf)
      base = address->getSubExpr()->IgnoreParenImpCasts();
    while (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      if (!computes(row->getIdx(), part))
        return nullptr;
      base = row->getBase()->IgnoreParenImpCasts();
    }
    return tableNamed(base);
  }
  bool isCalled(const clang::CallExpr* call, llvm::StringRef name, unsigned arguments) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee && callee->getIdentifier() && callee->getName() == name &&
           call->getNumArgs() == arguments && !unit_.isUser(callee->getLocation());
  }
  bool isBarrier(const clang::CallExpr* call) const { return isCalled(call, "__syncthreads", 0); }
  /// atomicAdd(&bins[place], value) in the loop.
  bool isCount(const clang::CallExpr* call, Part part) {
    counts_ = true;
    if (!isCalled(call, "atomicAdd", 2))
      return false;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
    return address && address->getOpcode() == clang::UO_AddrOf &&
           elementOf(address->getSubExpr(), part) && computes(call->getArg(1), part);
  }
  /// Whether something is an element of a table, or the name of one.
  bool isElement(const clang::Expr* e) const {
    const clang::VarDecl* variable = namedBy(e);
    return variable ? elements_.count(variable) != 0 : elementOf(e, Part::Behind) != nullptr;
  }
  /// atomicAdd(&all[i], bins[i]) or atomicAdd(all + i, bins[i]) behind the loop; of `value` only,
  /// if it is not null.
  bool isAddition(const clang::CallExpr* call, const clang::Expr* value) const {
    if (!isCalled(call, "atomicAdd", 2))
      return false;
    const clang::Expr* element = call->getArg(1)->IgnoreParenImpCasts();
    const clang::Expr* place = call->getArg(0)->IgnoreParenImpCasts();
    const clang::QualType to =
        place->getType()->isPointerType() ? place->getType()->getPointeeType() : clang::QualType();
    // A sum of several blocks' would wrap around in a narrower table.
    if (!isElement(element) || (value && !areAlike(element, value, context_)) || to.isNull() ||
        !to->isIntegerType() || to.isVolatileQualified() ||
        context_.getTypeSize(to) > context_.getTypeSize(element->getType()))
      return false;
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place);
        address && address->getOpcode() == clang::UO_AddrOf)
      place = address->getSubExpr()->IgnoreParens();
    return computes(place, Part::Behind);
  }
  /// if (bins[i] > 0) atomicAdd(&all[i], bins[i]): without a sign that leaves out what adds
  /// nothing.
  bool isAdditionWhereAny(const clang::IfStmt* branch) const {
    const clang::Stmt* then = branch->getThen();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then); list && list->size() == 1)
      then = list->body_front();
    const auto* call = llvm::dyn_cast<clang::CallExpr>(then);
    return call && !branch->getElse() && asksWhetherAny(branch->getCond(), call);
  }
  bool asksWhetherAny(const clang::Expr* value, const clang::CallExpr* call) const {
    value = value->IgnoreParenImpCasts();
    if (const auto* test = llvm::dyn_cast<clang::BinaryOperator>(value)) {
      // Of a thread's place, too: if (i < 64 && bins[i]) ...
      if (test->getOpcode() == clang::BO_LAnd)
        return (computes(test->getLHS(), Part::Behind) && asksWhetherAny(test->getRHS(), call)) ||
               (computes(test->getRHS(), Part::Behind) && asksWhetherAny(test->getLHS(), call));
      const auto* zero =
          llvm::dyn_cast<clang::IntegerLiteral>(test->getRHS()->IgnoreParenImpCasts());
      value = test->getLHS()->IgnoreParenImpCasts();
      if (!zero || zero->getValue() != 0 ||
          (test->getOpcode() != clang::BO_NE &&
           (test->getOpcode() != clang::BO_GT || !value->getType()->isUnsignedIntegerType())))
        return false;
    }
    return isElement(value) && isAddition(call, value);
  }

  const SourceUnit& unit_;
  const clang::ForStmt* const loop_;
  const Facts& facts_;
  const clang::ASTContext& context_;
  Changed changed_;
  std::set<const clang::VarDecl*> own_;      ///< declared by a step of the loop
  std::set<const clang::VarDecl*> elements_; ///< names of elements of tables
  std::set<const clang::VarDecl*> names_;    ///< those, and of where a thread starts
  const clang::VarDecl *counter_ = nullptr, *column_ = nullptr;
  bool ofRows_ = false;                       ///< the grid's rows share the work, too
  std::vector<const clang::VarDecl*> places_; ///< of the block, declared before its first barrier
  std::set<const clang::VarDecl*> tables_;    ///< other names for tables, before the first barrier
  const clang::VarDecl* object_ = nullptr;    ///< whose method is looked at
  bool counts_ = false;
};

} // namespace

bool addsUpGrid(const SourceUnit& unit, const FunctionFacts& kernel, const clang::ForStmt* loop,
                const Facts& facts) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.decl->getBody());
  return kernel.kernel && body && !kernel.indirectCalls && !kernel.publishesThread &&
         GridSum(unit, kernel, loop, facts).holds(body);
}

std::optional<BlocksTogether> blocksTogether(const SourceUnit& unit, const FunctionFacts& kernel,
                                             const Facts& facts) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.decl->getBody());
  if (!kernel.kernel || !body || kernel.indirectCalls || kernel.publishesThread)
    return std::nullopt;
  // Loops by the whole grid are better shared among its blocks, where they can be.
  for (const clang::Stmt* s : body->body())
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      if ((kernel.builtins & GridDim) &&
          (addsUpGrid(unit, kernel, loop, facts) || placesOfGrid(unit, kernel, loop, facts)))
        return std::nullopt;
    } else if (const auto* guard = llvm::dyn_cast<clang::IfStmt>(s)) {
      if ((kernel.builtins & GridDim) && placesOfGrid(unit, kernel, guard, facts))
        return std::nullopt;
    }
  return GridSum(unit, kernel, nullptr, facts).blocks(body);
}

std::optional<PlacesOfGrid> placesOfGrid(const SourceUnit& unit, const FunctionFacts& kernel,
                                         const clang::IfStmt* guard, const Facts& facts) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.decl->getBody());
  const clang::Stmt* then = guard->getThen();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then); list && list->size() == 1)
    then = list->body_front();
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(then);
  if (!kernel.kernel || !body || !loop || kernel.indirectCalls || kernel.publishesThread ||
      guard->getElse() || guard->getInit() || guard->getConditionVariable())
    return std::nullopt;
  return GridSum(unit, kernel, loop, facts).places(body, guard);
}

std::optional<PlacesOfGrid> placesOfGrid(const SourceUnit& unit, const FunctionFacts& kernel,
                                         const clang::ForStmt* loop, const Facts& facts) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.decl->getBody());
  return kernel.kernel && body && !kernel.indirectCalls && !kernel.publishesThread
             ? GridSum(unit, kernel, loop, facts).placesInSteps(body)
             : std::nullopt;
}

} // namespace cu2cpp

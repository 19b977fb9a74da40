// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an update of a shared matrix reads and writes (matrix_update.h).
#include "plan/matrix_update.h"

#include <algorithm>

#include "llvm/ADT/FoldingSet.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

bool MatrixUpdate::namesInside(const clang::Expr* e) const {
  class Names : public SyntaxVisitor {
  public:
    clang::SourceRange range;
    const clang::SourceManager* sources = nullptr;
    bool inside = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const clang::SourceLocation at = use->getDecl()->getLocation();
      inside |= !sources->isBeforeInTranslationUnit(at, range.getBegin()) &&
                !sources->isBeforeInTranslationUnit(range.getEnd(), at);
      return !inside;
    }
  } names;
  names.range = whole_->getSourceRange();
  names.sources = &context_.getSourceManager();
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.inside;
}

const clang::Expr* MatrixUpdate::plain(const clang::Expr* e) const {
  for (e = e->IgnoreParenImpCasts();; e = e->IgnoreParenImpCasts()) {
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
    if (!cast || cast->isTypeDependent() || cast->getSubExpr()->isTypeDependent() ||
        !cast->getType()->isIntegerType() || !cast->getSubExpr()->getType()->isIntegerType() ||
        context_.getTypeSize(cast->getType()) < 32)
      return e;
    e = cast->getSubExpr();
  }
}

std::optional<unsigned> MatrixUpdate::riseOf(const clang::Expr* e, bool ofThreads, unsigned depth) {
  e = plain(e);
  if (depth > 8)
    return std::nullopt;
  if (isRow(e))
    return 1;
  if (ofThreads ? !namesInside(e) : isOfBlock(e))
    return 0;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub))
    return std::nullopt;
  const auto left = riseOf(op->getLHS(), ofThreads, depth + 1),
             right = riseOf(op->getRHS(), ofThreads, depth + 1);
  if (!left || !right || (op->getOpcode() == clang::BO_Sub && *right != 0) || *left + *right > 1)
    return std::nullopt;
  return *left + *right;
}

bool MatrixUpdate::isOnlyRead(const clang::VarDecl* variable) const {
  class Uses : public SyntaxVisitor {
  public:
    const clang::VarDecl* variable = nullptr;
    const clang::ParentMap* parents = nullptr;
    bool fits = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (use->getDecl() != variable)
        return true;
      const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents->getParent(use));
      return fits &= cast && cast->getCastKind() == clang::CK_LValueToRValue;
    }
  } uses;
  uses.variable = variable;
  uses.parents = splitter_.parents_.get();
  uses.TraverseStmt(const_cast<clang::Stmt*>(whole_));
  return uses.fits;
}

bool MatrixUpdate::takeBefore(const clang::VarDecl* variable) {
  if (!variable || !variable->hasInit() || !isFixed(variable))
    return false;
  before.push_back(variable);
  return true;
}

bool MatrixUpdate::takeBegin(const clang::VarDecl* variable) {
  if (!variable || !variable->hasInit() || !isFixed(variable) || !hasText(variable->getInit()) ||
      variable->getInit()->HasSideEffects(context_))
    return false;
  if (const clang::QualType type = variable->getType();
      !type->isArithmeticType() &&
      (!type->isDependentType() || type->isPointerType() || type->isArrayType()))
    return false;
  begins_.push_back(variable);
  return true;
}

bool MatrixUpdate::takeStore(const clang::BinaryOperator* op) {
  if (!isUpdate(op->getOpcode()) || !isWhole(op) || op->getRHS()->HasSideEffects(context_))
    return false;
  stores_.push_back(op);
  return true;
}

bool MatrixUpdate::fitStores() {
  return std::all_of(stores_.begin(), stores_.end(), [&](const clang::BinaryOperator* op) {
    const auto* to = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens());
    const std::optional<Place> place = to ? placeOf(to) : std::nullopt;
    return place && areAlike(place->table, table) && isRow(place->row) &&
           isOfBlock(place->column) && !to->getType().isVolatileQualified();
  });
}

bool MatrixUpdate::takeUpdate(const clang::BinaryOperator* op) {
  const auto* to = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens());
  const clang::BinaryOperatorKind code = op->getOpcode();
  if (!to || !isWhole(op) || !isUpdate(code))
    return false;
  const std::optional<Place> place = placeOf(to);
  if (!place || !isRow(place->row) || !isColumn(place->column) ||
      to->getType().isVolatileQualified())
    return false;
  table = place->table;
  own.push_back(to);
  if (!fitStores())
    return false;
  for (const clang::VarDecl* variable : before) {
    isVector_ = false;
    if (!isOfElement(variable->getType()) || !hasText(variable->getInit()) ||
        !takeValue(variable->getInit()))
      return false;
    if (isVector_)
      vectors_.insert(variable);
  }
  isVector_ = false;
  if (!takeValue(op->getRHS()) || (code == clang::BO_Assign && !isVector_))
    return false;
  update = op;
  return true;
}

clang::QualType MatrixUpdate::elementType() const {
  clang::QualType type = table->getType();
  for (;;) {
    if (const clang::ArrayType* array = context_.getAsArrayType(type))
      type = array->getElementType();
    else if (const auto* pointer = type->getAs<clang::PointerType>())
      type = pointer->getPointeeType();
    else
      return type.getCanonicalType().getUnqualifiedType();
  }
}

bool MatrixUpdate::takeValue(const clang::Expr* e) {
  e = e->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
      cast &&
      (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp))
    return takeValue(cast->getSubExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul ||
            op->getOpcode() == clang::BO_Div) &&
           takeValue(op->getLHS()) && takeValue(op->getRHS());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e))
    return unary->getOpcode() == clang::UO_Minus && takeValue(unary->getSubExpr());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return takeRead(element);
  if (llvm::isa<clang::FloatingLiteral>(e))
    return isOfElement(e->getType());
  if (const clang::Expr* number = convertedTo(e))
    return llvm::isa<clang::FloatingLiteral, clang::IntegerLiteral>(number);
  const clang::VarDecl* variable = namedBy(e);
  if (!variable || !isOfElement(variable->getType()) || variable->getType().isVolatileQualified())
    return false;
  if (isBefore(variable)) {
    isVector_ |= vectors_.count(variable) != 0;
    return true;
  }
  if (isBegin(variable)) {
    if (std::find(values.begin(), values.end(), variable) == values.end())
      values.push_back(variable);
    return true;
  }
  if (namesInside(e) || !splitter_.isGroupValue(e, true))
    return false;
  scalars.push_back(e);
  return true;
}

const clang::Expr* MatrixUpdate::convertedTo(const clang::Expr* e) const {
  if (const auto* made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e))
    return made->getNumArgs() == 1 && isOfElement(made->getTypeAsWritten())
               ? made->getArg(0)->IgnoreParenImpCasts()
               : nullptr;
  const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
  return cast && isOfElement(cast->getTypeAsWritten()) ? cast->getSubExpr()->IgnoreParenImpCasts()
                                                       : nullptr;
}

bool MatrixUpdate::takeRead(const clang::ArraySubscriptExpr* element) {
  const std::optional<Place> place = placeOf(element);
  if (!place || !areAlike(place->table, table) || !isWhole(element))
    return false;
  const bool atRow = isRow(place->row);
  if (atRow && isColumn(place->column)) {
    own.push_back(element);
    return isVector_ = true;
  }
  const bool rowOfBlock = isOfBlock(place->row), columnOfBlock = isOfBlock(place->column);
  if (rowOfBlock && columnOfBlock)
    return note("cu2cpp::onePlace", {place->row, place->column}, element);
  if (atRow && columnOfBlock)
    return note("cu2cpp::ofColumn", {place->column}, element);
  // Those of other threads they store at the same time.
  if (!stores_.empty() && !rowOfBlock)
    return false;
  if (rowOfBlock && isRow(place->column))
    return note("cu2cpp::ofRow", {place->row}, element);
  isVector_ = true;
  if (rowOfBlock && isColumn(place->column))
    return note("cu2cpp::alongRow", {place->row}, element);
  return isColumn(place->row) && columnOfBlock &&
         note("cu2cpp::alongColumn", {place->column}, element);
}

bool MatrixUpdate::note(const std::string& place, std::vector<const clang::Expr*> numbers,
                        const clang::ArraySubscriptExpr* element) {
  for (Read& read : reads)
    if (read.place == place &&
        std::equal(numbers.begin(), numbers.end(), read.numbers.begin(),
                   [&](const clang::Expr* a, const clang::Expr* b) { return areAlike(a, b); })) {
      read.reads.push_back(element);
      return true;
    }
  reads.push_back(
      {place, "cuRead" + std::to_string(reads.size() + 1), std::move(numbers), {element}});
  return true;
}

std::optional<MatrixUpdate::Place> MatrixUpdate::placeOf(const clang::ArraySubscriptExpr* element) {
  const clang::Expr* base = arrayOf(element)->IgnoreParenImpCasts();
  if (const auto* rowAt = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
    if (const clang::Expr* matrix = arrayOf(rowAt)->IgnoreParenImpCasts(); isMatrix(matrix, 2))
      return Place{matrix, plain(indexOf(rowAt)), plain(indexOf(element))};
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(plain(indexOf(element)));
  if (!sum || sum->getOpcode() != clang::BO_Add || !isMatrix(base, 1))
    return std::nullopt;
  for (const bool swapped : {false, true}) {
    const auto* product =
        llvm::dyn_cast<clang::BinaryOperator>(plain(swapped ? sum->getRHS() : sum->getLHS()));
    const clang::Expr* rest = plain(swapped ? sum->getLHS() : sum->getRHS());
    if (!product || product->getOpcode() != clang::BO_Mul)
      continue;
    const clang::Expr *left = plain(product->getLHS()), *right = plain(product->getRHS());
    // The first place is the element's own.
    if (!columns && isRow(left) && isOfBlock(right))
      columns = right;
    else if (!columns && isRow(right) && isOfBlock(left))
      columns = left;
    if (columns && areAlike(right, columns))
      return Place{base, left, rest};
    if (columns && areAlike(left, columns))
      return Place{base, right, rest};
  }
  return std::nullopt;
}

bool MatrixUpdate::isTable(const clang::VarDecl* array, unsigned dimensions) const {
  const auto& all = splitter_.kernel_.shared;
  clang::QualType type = array->getType();
  unsigned count = 0;
  for (; const clang::ArrayType* at = context_.getAsArrayType(type); type = at->getElementType())
    ++count;
  return count == dimensions && !type.isVolatileQualified() &&
         std::any_of(all.begin(), all.end(), [&](const SharedVariable& shared) {
           return shared.decl == array && !shared.turned &&
                  shared.skewed == SharedVariable::Skew::None &&
                  (!shared.dynamic || dimensions == 1);
         });
}

bool MatrixUpdate::isArrayOfNumbers(const clang::MemberExpr* member, unsigned dimensions) const {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (!field || member->getType().isVolatileQualified())
    return false;
  clang::QualType type = field->getType();
  unsigned count = 0;
  for (; const clang::ConstantArrayType* at = context_.getAsConstantArrayType(type);
       type = at->getElementType())
    ++count;
  return count == dimensions && !type.isVolatileQualified() && type->isRealFloatingType();
}

} // namespace cu2cpp

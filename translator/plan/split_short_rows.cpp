// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that own a row of a shared matrix and update a part of it, short as it is, take vectors
// of its columns (cu2cpp/short_rows.h). Columns that they read are copied first, one for all of
// them:
//
//   if (row > k)                            const auto cuColumn1 = cu2cpp::columnOf(a, k);
//     for (int j = k + 1; j <= row; ++j)    if (row > k)
//       a[row][j] -= a[row][k]         ->     cu2cpp::eachOfShortRow<int, true>(k + 1, row,
//           * a[j][k];                            [&](const int j) CU2CPP_INLINE {
//                                               a[row][j] -= a[row][k] * cuColumn1[j]; });
//
// What the update reads of the matrix is the same column, of this row or another, or lies in a
// column that the loop does not come to: `k` in front of `k + 1`.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// A place of a shared matrix: `tile[row][column]`, `tiles[matrix][row][column]`, or
/// `a[row][column]` with `float(*a)[n] = tiles[matrix];`.
struct Place {
  const clang::VarDecl *table = nullptr, *pointer = nullptr;
  const clang::Expr *matrix = nullptr, *row = nullptr, *column = nullptr;
};

/// The variable at the end of subscripts, and these from left to right.
const clang::VarDecl* baseOf(const clang::Expr* e, std::vector<const clang::Expr*>& indices) {
  e = e->IgnoreParenImpCasts();
  while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    indices.insert(indices.begin(), indexOf(element));
    e = arrayOf(element)->IgnoreParenImpCasts();
  }
  return namedBy(e);
}

/// How many dimensions an array of numbers has; 0 if it is none.
unsigned dimensionsOf(clang::QualType type) {
  unsigned count = 0;
  for (; const auto* array = type->getAsArrayTypeUnsafe(); type = array->getElementType())
    ++count;
  return type->isArithmeticType() && !type.isVolatileQualified() ? count : 0;
}
bool isNumber(const clang::Expr* e) {
  return e->isTypeDependent() || e->getType()->isArithmeticType();
}

Place placeOf(const clang::Expr* e, const Regions& regions) {
  Place place;
  std::vector<const clang::Expr*> indices;
  const clang::VarDecl* base = baseOf(e, indices);
  if (!base || indices.size() < 2)
    return {};
  if (!isShared(base)) {
    // A pointer that stays what it is.
    const auto storage = regions.storage.find(base);
    if (storage == regions.storage.end() || storage->second != Storage::Recomputed ||
        !base->getType()->isPointerType() ||
        base->getType()->getPointeeType().isVolatileQualified() || !base->hasInit() ||
        indices.size() != 2)
      return {};
    place.pointer = base;
    std::vector<const clang::Expr*> first;
    base = baseOf(base->getInit(), first);
    if (!base || !isShared(base) || first.size() > 1)
      return {};
    indices.insert(indices.begin(), first.begin(), first.end());
  }
  const unsigned dimensions = dimensionsOf(base->getType());
  if (dimensions != indices.size() || dimensions > 3)
    return {};
  place.table = base;
  place.column = indices.back();
  place.row = indices[indices.size() - 2];
  place.matrix = indices.size() == 3 ? indices[0] : nullptr;
  return place;
}

class RowUpdate {
public:
  RowUpdate(const Regions& regions, const clang::ASTContext& context)
      : regions_(regions), context_(context) {}
  CountingLoop counts;
  Place target;
  const clang::Expr* store = nullptr;
  /// What it reads of columns: `a[j][k]`, all of one column.
  std::vector<const clang::Expr*> ofColumn;
  const clang::Expr *column = nullptr, *matrix = nullptr;

  bool find(const clang::ForStmt* loop) {
    const auto found = countingLoop(loop, true);
    if (!found || loop->getConditionVariable())
      return false;
    counts = *found;
    const clang::QualType type = counts.counter->getType();
    const auto* test = llvm::cast<clang::BinaryOperator>(loop->getCond());
    if (!type->isIntegerType() || type->isBooleanType() || type->isDependentType() ||
        context_.getTypeSize(type) != 32 ||
        !context_.hasSameUnqualifiedType(test->getLHS()->getType(), type) ||
        (constantOf(counts.from, context_) && constantOf(counts.to, context_)) ||
        !isPlain(counts.from) || !isPlain(counts.to) || names(counts.to))
      return false;
    const clang::Stmt* body = loop->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body)) {
      if (list->size() != 1)
        return false;
      body = list->body_front();
    }
    const auto* update = llvm::dyn_cast<clang::BinaryOperator>(body);
    if (!update || !update->isAssignmentOp() || update->isShiftAssignOp() ||
        update->isBitwiseOp() || update->getOpcode() == clang::BO_RemAssign ||
        (update->getOpcode() == clang::BO_DivAssign && !update->getType()->isFloatingType()))
      return false;
    store = update->getLHS();
    target = placeOf(store, regions_);
    return target.table && isCounter(target.column) && isPlain(target.row) && !names(target.row) &&
           (!target.matrix || (isPlain(target.matrix) && !names(target.matrix))) &&
           takes(update->getRHS());
  }

private:
  bool names(const clang::Expr* e) const { return countUses(e, counts.counter) != 0; }
  bool isCounter(const clang::Expr* e) const {
    return namedBy(e->IgnoreParenImpCasts()) == counts.counter;
  }
  /// Made of numbers that the loop does not change.
  bool isPlain(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(e))
      return true;
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return (op->getOpcode() == clang::UO_Minus || op->getOpcode() == clang::UO_Plus) &&
             isPlain(op->getSubExpr());
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return (op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul ||
              (op->getOpcode() == clang::BO_Div && op->getType()->isFloatingType())) &&
             isNumber(op) && isPlain(op->getLHS()) && isPlain(op->getRHS());
    if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* whole =
          llvm::dyn_cast<clang::DeclRefExpr>(part->getBase()->IgnoreParenImpCasts());
      return whole && !part->isArrow() && builtinOf(whole->getDecl()) != 0;
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    if (!use)
      return false;
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(use->getDecl()))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && !isShared(variable) && variable->getType()->isArithmeticType() &&
           !variable->getType().isVolatileQualified() &&
           (variable->hasLocalStorage() || variable->isUsableInConstantExpressions(context_));
  }
  /// A column that the loop does not come to.
  bool isOutside(const clang::Expr* place) const {
    if (!isPlain(place) || names(place))
      return false;
    if (!counts.includesEnd && areAlike(counts.to, place, context_))
      return true;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(counts.from->IgnoreParenImpCasts());
    if (!sum || sum->getOpcode() != clang::BO_Add)
      return false;
    const auto isMore = [&](const clang::Expr* base, const clang::Expr* more) {
      const auto value = constantOf(more, context_);
      return value && *value > 0 && *value < 1 << 16 && areAlike(base, place, context_);
    };
    return isMore(sum->getLHS(), sum->getRHS()) || isMore(sum->getRHS(), sum->getLHS());
  }
  bool isSameMatrix(const Place& place) const {
    return place.matrix == target.matrix ||
           (place.matrix && target.matrix && areAlike(place.matrix, target.matrix, context_));
  }
  bool takes(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return (op->getOpcode() == clang::UO_Minus || op->getOpcode() == clang::UO_Plus) &&
             takes(op->getSubExpr());
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return (op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul ||
              (op->getOpcode() == clang::BO_Div && op->getType()->isFloatingType())) &&
             isNumber(op) && takes(op->getLHS()) && takes(op->getRHS());
    if (!llvm::isa<clang::ArraySubscriptExpr>(e))
      return isPlain(e);
    const Place place = placeOf(e, regions_);
    if (!place.table) {
      // An element of another shared array.
      std::vector<const clang::Expr*> indices;
      const clang::VarDecl* base = baseOf(e, indices);
      return base && base != target.table && isShared(base) && !indices.empty() &&
             dimensionsOf(base->getType()) == indices.size() &&
             std::all_of(indices.begin(), indices.end(),
                         [&](const clang::Expr* index) { return isPlain(index); });
    }
    if (place.matrix && (!isPlain(place.matrix) || names(place.matrix)))
      return false;
    if (place.table != target.table)
      return isPlain(place.row) && isPlain(place.column);
    if (!isSameMatrix(place))
      return false;
    if (isCounter(place.column))
      return isPlain(place.row) && !names(place.row);
    if (!isOutside(place.column))
      return false;
    if (!isCounter(place.row))
      return isPlain(place.row) && !names(place.row);
    if (column && !areAlike(column, place.column, context_))
      return false;
    column = place.column;
    matrix = place.matrix;
    ofColumn.push_back(e);
    return true;
  }

  const Regions& regions_;
  const clang::ASTContext& context_;
};

/// Whether a region changes nothing of a table but by one expression.
class OtherStores : public SyntaxVisitor {
public:
  OtherStores(const RowUpdate& update, const Regions& regions)
      : update_(update), regions_(regions) {}
  bool none = true;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      take(op->getLHS());
    return none;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      take(op->getSubExpr());
    else
      none &= op->getOpcode() != clang::UO_AddrOf;
    return none;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    none &= callee && callee->getReturnType()->isArithmeticType() && !hasMark(callee, "thread") &&
            !llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call) &&
            std::all_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
              return !argument->isLValue() && argument->getType()->isArithmeticType();
            });
    return none;
  }
  bool VisitStmt(clang::Stmt* s) override {
    none &= !llvm::isa<clang::LambdaExpr, clang::CXXConstructExpr, clang::AsmStmt,
                       clang::CXXNewExpr, clang::UnresolvedLookupExpr>(s);
    return none;
  }

private:
  void take(const clang::Expr* to) {
    if (to == update_.store)
      return;
    std::vector<const clang::Expr*> indices;
    const clang::VarDecl* base = baseOf(to, indices);
    const bool own = base && indices.empty() && base->hasLocalStorage() && !isShared(base) &&
                     base->getType()->isArithmeticType();
    const bool other =
        base && !indices.empty() && base != update_.target.table &&
        (isShared(base) ? base->getType()->isArrayType() : llvm::isa<clang::ParmVarDecl>(base));
    none &= own || other;
  }

  const RowUpdate& update_;
  const Regions& regions_;
};

class ForStatements : public SyntaxVisitor {
public:
  std::vector<const clang::ForStmt*> all;
  bool VisitForStmt(clang::ForStmt* loop) override {
    all.push_back(loop);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
};

} // namespace

std::string Splitter::updatesOfShortRows(const RegionNode& region, bool inBraces,
                                         const std::string& newline) {
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || region.oneByOne || elements_)
    return "";
  ForStatements loops;
  for (const clang::Stmt* s : region.statements)
    if (!regions_.printed.count(s))
      loops.TraverseStmt(const_cast<clang::Stmt*>(s));
  std::string out;
  for (const clang::ForStmt* loop : loops.all) {
    RowUpdate update(regions_, plan_.unit.context());
    if (loop->getForLoc().isMacroID() || loop->getRParenLoc().isMacroID() ||
        llvm::isa_and_nonnull<clang::AttributedStmt>(parents_->getParent(loop)) ||
        regions_.unrolled.count(loop) || regions_.behind.count(loop) || !callsIn(loop).empty() ||
        !update.find(loop))
      continue;
    if (update.column) {
      // Of a table that lies otherwise in memory its own accesses are near each other already.
      if (std::any_of(kernel_.shared.begin(), kernel_.shared.end(), [&](const SharedVariable& one) {
            return one.decl == update.target.table &&
                   (one.turned || one.skewed != SharedVariable::Skew::None);
          }))
        continue;
      OtherStores others(update, regions_);
      for (const clang::Stmt* s : region.statements)
        others.TraverseStmt(const_cast<clang::Stmt*>(s));
      const bool fits = others.none && inBraces && rising_.empty() && isGroupValue(update.column) &&
                        std::all_of(update.ofColumn.begin(), update.ofColumn.end(),
                                    [&](const clang::Expr* e) { return plan_.text.isWhole(e); }) &&
                        (!update.matrix || plan_.text.isWhole(update.matrix));
      if (!fits)
        continue;
      const std::string name = "cuColumn" + std::to_string(++columnCopies_);
      out += "const auto " + name + " = cu2cpp::columnOf(" +
             update.target.table->getNameAsString() + ", " + expressionText(update.column) + ");" +
             newline;
      const std::string matrix =
          update.matrix ? "[" + expressionText(update.matrix) + "]" : std::string();
      for (const clang::Expr* read : update.ofColumn)
        edits_.replace(expressionRange(read),
                       name + matrix + "[" + update.counts.counter->getNameAsString() + "]");
    }
    const std::string type =
        update.counts.counter->getType().getCanonicalType().getUnqualifiedType().getAsString();
    const FilePosition begin = beginOf(loop->getBeginLoc());
    edits_.replace({begin.file, begin.offset, endOf(loop->getRParenLoc()).offset},
                   "cu2cpp::eachOfShortRow<" + type +
                       (update.counts.includesEnd ? ", true>(" : ", false>(") +
                       expressionText(update.counts.from) + ", " +
                       expressionText(update.counts.to) + ", [&](const " + type + " " +
                       update.counts.counter->getNameAsString() + ") CU2CPP_INLINE {");
    const FileRange whole = rangeOf(loop);
    insert({whole.file, behindComment(whole)},
           behindComment(whole) == whole.end ? " });" : newline + "});");
  }
  return out;
}

} // namespace cu2cpp

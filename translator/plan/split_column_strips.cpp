// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the rows of a shared matrix, in which each thread updates the element of its own
// column by rows and columns that the loop leaves alone, run strip by strip
// (cu2cpp/element_strips.h), where the program finds that they are such:
//
//   for (int r = ty; r < n; r += 8)              if (!cu2cpp::updateColumnsInStrips<...>(cuBlock,
//     if (r > k && tx > k)                 ->        ..., [&](..., auto& cuElement, ...) {
//       a[r][tx] -= a[r][k] * a[k][tx];                cuElement -= cuRead1 * cuRead2; }, ...)) {
//                                                  <the loop as it would be without> }
//
// So do blocks in which each thread has one element of the matrix, `if (ty > k && tx > k) a[ty][tx]
// -= a[ty][k] * a[k][tx];`: `if (!cu2cpp::updateElementsInStrips<...>(cuBlock, ...)) { ... }`.
#include "plan/matrix_update.h"

#include "analyse/region_parts.h"

namespace cu2cpp {

namespace {

/// What threads do that have a column each.
class UpdateOfColumns : public MatrixUpdate {
public:
  UpdateOfColumns(const Splitter& splitter, const clang::Stmt* whole)
      : MatrixUpdate(splitter, whole) {}

  const clang::Expr* columnOfThread = nullptr;
  Edge low, high;       ///< of the columns
  Edge lowRow, highRow; ///< of the rows, by conditions

protected:
  bool isColumn(const clang::Expr* e) override {
    if (columnOfThread)
      return areAlike(e, columnOfThread);
    if (namesInside(e) || !isPlaceOfThread(e) || !hasText(e))
      return false;
    columnOfThread = e;
    return true;
  }
  bool isMatrix(const clang::Expr* base, unsigned dimensions) const override {
    const clang::VarDecl* array = namedBy(base->IgnoreParenImpCasts());
    return array ? isTable(array, dimensions)
                 : isTableOfStructure(base, dimensions,
                                      [&](const clang::Expr* index) { return isOfBlock(index); });
  }
  bool take(const clang::Stmt* s) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      for (const clang::Stmt* one : list->body())
        if (update || !take(one))
          return false;
      return true;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           return takeBefore(llvm::dyn_cast<clang::VarDecl>(decl));
                         });
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
             !branch->isConstexpr() && !branch->isConsteval() && takeCondition(branch->getCond()) &&
             take(branch->getThen());
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    return op && takeUpdate(op);
  }
  /// `r > k`, `tx > k`, `tx <= r`, and several of them.
  bool takeCondition(const clang::Expr* condition) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_LAnd)
      return takeCondition(op->getLHS()) && takeCondition(op->getRHS());
    if (!op->isRelationalOp())
      return false;
    const clang::Expr *place = op->getLHS(), *at = op->getRHS();
    clang::BinaryOperatorKind code = op->getOpcode();
    const bool ofColumn = isColumn(place) || isColumn(at);
    if (ofColumn ? !isColumn(place) : !isRow(place)) {
      std::swap(place, at);
      code = clang::BinaryOperator::reverseComparisonOp(code);
    }
    if (!hasText(at) || (ofColumn ? !isColumn(place) : !isRow(place)))
      return false;
    const auto rise = riseOf(at, false);
    const bool ends = code == clang::BO_LT || code == clang::BO_LE;
    Edge& edge = ofColumn ? ends ? high : low : ends ? highRow : lowRow;
    if (edge.at || !rise || at->HasSideEffects(context_) || (!ofColumn && *rise != 0))
      return false;
    edge = {at, *rise == 1, code == clang::BO_LE || code == clang::BO_GT};
    return true;
  }
};

/// What a loop over the rows does.
class LoopOverRows : public UpdateOfColumns {
public:
  LoopOverRows(const Splitter& splitter, const clang::ForStmt* loop)
      : UpdateOfColumns(splitter, loop), loop_(loop) {}

  const clang::VarDecl* row = nullptr;
  const clang::Expr *from = nullptr, *step = nullptr, *to = nullptr; ///< of the rows
  bool includesEnd = false;

  bool find() {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop_->getInit());
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop_->getCond());
    const auto* inc = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop_->getInc());
    row = init && init->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                       : nullptr;
    if (!row || !row->hasInit() || loop_->getConditionVariable() ||
        row->getBeginLoc().isMacroID() || row->getType().isVolatileQualified() ||
        !row->getType()->isIntegerType() || !test ||
        (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) || !inc ||
        inc->getOpcode() != clang::BO_AddAssign || namedBy(test->getLHS()) != row ||
        namedBy(inc->getLHS()) != row)
      return false;
    from = row->getInit();
    step = inc->getRHS();
    to = test->getRHS();
    includesEnd = test->getOpcode() == clang::BO_LE;
    return hasText(from) && hasText(step) && hasText(to) && isOfBlock(step) && isOfBlock(to) &&
           isOfRowOfThreads(from) && !from->HasSideEffects(context_) &&
           !step->HasSideEffects(context_) && !to->HasSideEffects(context_) &&
           take(loop_->getBody()) && update && isOfFloatingPoint();
  }

protected:
  bool isRow(const clang::Expr* e) override { return namedBy(plain(e)) == row; }

private:
  const clang::ForStmt* const loop_;
};

/// What threads do that have a row, too.
class UpdateOfElements : public UpdateOfColumns {
public:
  UpdateOfElements(const Splitter& splitter, const clang::Stmt* whole)
      : UpdateOfColumns(splitter, whole), whole_(whole) {}

  const clang::Expr* row = nullptr;

  bool find() { return take(whole_) && update && isOfFloatingPoint(); }

protected:
  bool isRow(const clang::Expr* e) override {
    if (row)
      return areAlike(e, row);
    e = plain(e);
    const clang::VarDecl* variable = namedBy(e);
    // What rises with it names it.
    if (namesInside(e) || !isPlaceOfRow(e) || !hasText(e) ||
        (variable ? !variable->getType()->isIntegerType() : !isPart(e, ThreadIdx, "y")))
      return false;
    row = e;
    return true;
  }

private:
  const clang::Stmt* const whole_;
};

} // namespace

std::string Splitter::updateOfColumns(const clang::ForStmt* loop) {
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || level_ != Scope::Block ||
      ofSeveralBlocks() || regions_.returns || active() != "cu2cpp::noneExited" ||
      regions_.printed.count(loop) || !callsIn(loop).empty())
    return "";
  LoopOverRows update(*this, loop);
  if (!update.find())
    return "";
  RegionText ofTable;
  const std::string rowType = typeOf(update.row), ofRow = "[&]([[maybe_unused]] const " + rowType +
                                                          " " + update.row->getNameAsString();
  const auto edge = [&](const MatrixUpdate::Edge& at, const char* off) {
    return edgeText(at.at, at.rises, at.off ? off : "", ofRow) + ", ";
  };
  const std::string last = blockValue(update.to);
  return "{ if (!cu2cpp::updateColumnsInStrips<" + rowType + ">(cuBlock, " +
         tableText(update.table, update.columns, ofTable) + ", " +
         valueLambda(update.from, "", " -> " + rowType) + ", " + blockValue(update.step) + ", " +
         (update.includesEnd ? "cu2cpp::upTo(" + last + ")" : last) + ", " +
         edge(update.lowRow, "cu2cpp::behind") + edge(update.highRow, "cu2cpp::upTo") +
         valueLambda(update.columnOfThread) + ", " + edge(update.low, "cu2cpp::behind") +
         edge(update.high, "cu2cpp::upTo") + updateText(update, ofRow) + ")) { ";
}

std::string Splitter::updateOfElements(const RegionNode& region) {
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || level_ != Scope::Block ||
      ofSeveralBlocks() || region.oneByOne || elements_ || tile_ || !rising_.empty() ||
      region.returns || region.exitsOnly || active() != "cu2cpp::noneExited")
    return "";
  const clang::Stmt* whole = region.statements.back();
  for (const clang::Stmt* s : region.statements)
    if (regions_.printed.count(s) || !callsIn(s).empty() || (s != whole && !declaresRecomputed(s)))
      return "";
  RegionText text;
  text.add(whole);
  bindings({}, text);
  if (needsThread(text))
    return "";
  UpdateOfElements update(*this, whole);
  if (!update.find())
    return "";
  RegionText ofTable;
  const clang::VarDecl* variable = namedBy(update.row);
  const std::string rowType = variable ? typeOf(variable) : "unsigned";
  const std::string ofRow = "[&]([[maybe_unused]] const " + rowType + " " +
                            (variable ? variable->getNameAsString() : "cuRow");
  const auto edge = [&](const MatrixUpdate::Edge& at, const char* off) {
    return edgeText(at.at, at.rises, at.off ? off : "", ofRow) + ", ";
  };
  return "if (!cu2cpp::updateElementsInStrips<" + rowType + ">(cuBlock, " +
         tableText(update.table, update.columns, ofTable) + ", " +
         valueLambda(update.row, "", " -> " + rowType) + ", " +
         edge(update.lowRow, "cu2cpp::behind") + edge(update.highRow, "cu2cpp::upTo") +
         valueLambda(update.columnOfThread) + ", " + edge(update.low, "cu2cpp::behind") +
         edge(update.high, "cu2cpp::upTo") + updateText(update, ofRow) + ")) { ";
}

} // namespace cu2cpp

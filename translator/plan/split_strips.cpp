// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements that update a part of a shared matrix by rows and columns which they leave
// alone run strip by strip (cu2cpp/element_strips.h), where the program finds that they are such:
//
//   for (int i = k + 1 + ty; i < n; i += 16)       if (!cu2cpp::updateInStrips<...>(cuBlock, ...,
//     for (int j = k + 1 + tx; j <= i; j += 16)        [&](..., auto& cuElement, const auto&
//     cuRead1,
//       a[i][j] -= a[i][k] * a[j][k];          ->          const auto& cuRead2) {
//                                                        cuElement -= cuRead1 * cuRead2; }, ...)) {
//                                                    <the loop as it would be without> }
//
// The same goes for matrices that the program lays out itself, `a[i * columns + j]`, for quotients
// and remainders as rows and columns, and with conditions on the column, `if (j <= i)`.
#include "plan/matrix_update.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

namespace {

/// What such a loop does.
class ElementUpdate : public MatrixUpdate {
public:
  ElementUpdate(const Splitter& splitter, const ElementLoop& loop)
      : MatrixUpdate(splitter, loop.rows), loop_(loop) {}

  const clang::VarDecl* row = nullptr;
  Edge low, high; ///< by conditions

  bool find() {
    if (!loop_.inTurn || loop_.row->getBeginLoc().isMacroID())
      return false;
    const clang::Stmt* body = loop_.rows->getBody();
    if (loop_.columns) {
      if (loop_.inner.size() != 1)
        return false;
      row = loop_.row;
      column = loop_.inner.front().variable;
      return takeList(body, loop_.columns) && takeList(loop_.columns->getBody(), nullptr) &&
             takeEdges() && update;
    }
    return loop_.width && takeDivisions(body) && takeList(body, nullptr) && update;
  }

protected:
  bool isRow(const clang::Expr* e) override { return row && namedBy(plain(e)) == row; }
  bool isMatrix(const clang::Expr* base, unsigned dimensions) const override {
    base = base->IgnoreParenImpCasts();
    // One of several matrices, which the block agrees on.
    if (const auto* of = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      const clang::VarDecl* all = namedBy(arrayOf(of));
      return dimensions == 2 && all && isTable(all, 3) && isOfBlock(indexOf(of));
    }
    const clang::VarDecl* array = namedBy(base);
    return array && (isTable(array, dimensions) || (dimensions == 1 && isPointer(array)));
  }

private:
  /// `const int i = k + 1 + t / width, j = k + 1 + t % width;`
  bool takeDivisions(const clang::Stmt* body) {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
    if (!list)
      return false;
    for (const clang::Stmt* s : list->body()) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declaration)
        break;
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !variable->hasInit() || !isFixed(variable))
          continue;
        const auto isSum = [&](const std::set<const clang::BinaryOperator*>& parts) {
          return hasText(variable->getInit()) && isSumWithOne(variable->getInit(), parts);
        };
        if (!row && isSum(loop_.quotients))
          row = variable;
        else if (!column && isSum(loop_.remainders))
          column = variable;
      }
    }
    return row && column;
  }
  bool isSumWithOne(const clang::Expr* e, const std::set<const clang::BinaryOperator*>& parts,
                    unsigned depth = 0) const {
    e = plain(e);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || depth > 8)
      return false;
    if (parts.count(op))
      return true;
    const auto isRest = [&](const clang::Expr* one, const clang::Expr* other) {
      return isOfBlock(other) && isGroupValue(other) && isSumWithOne(one, parts, depth + 1);
    };
    return (op->getOpcode() == clang::BO_Add &&
            (isRest(op->getLHS(), op->getRHS()) || isRest(op->getRHS(), op->getLHS()))) ||
           (op->getOpcode() == clang::BO_Sub && isRest(op->getLHS(), op->getRHS()));
  }
  /// Statements up to the update, or to the loop over columns.
  bool takeList(const clang::Stmt* s, const clang::ForStmt* upTo) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      for (const clang::Stmt* one : list->body())
        if (update || !takeList(one, upTo))
          return false;
      return true;
    }
    if (s == upTo || llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                           if (variable && (variable == row || variable == column))
                             return true;
                           return takeBefore(variable);
                         });
    if (upTo)
      return false;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
          branch->isConstexpr() || branch->isConsteval())
        return false;
      const clang::Stmt* then = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then); list && list->size() == 1)
        then = list->body_front();
      if (llvm::isa<clang::ContinueStmt>(then))
        return takeCondition(branch->getCond(), true);
      return takeCondition(branch->getCond(), false) && takeList(then, upTo);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    return op && takeUpdate(op);
  }
  /// `j <= i`
  bool takeCondition(const clang::Expr* condition, bool fails) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition))
      return unary->getOpcode() == clang::UO_LNot && takeCondition(unary->getSubExpr(), !fails);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op)
      return false;
    if (op->getOpcode() == (fails ? clang::BO_LOr : clang::BO_LAnd))
      return takeCondition(op->getLHS(), fails) && takeCondition(op->getRHS(), fails);
    if (!op->isRelationalOp())
      return false;
    auto code =
        fails ? clang::BinaryOperator::negateComparisonOp(op->getOpcode()) : op->getOpcode();
    const clang::Expr* at = op->getRHS();
    if (namedBy(op->getRHS()) == column) {
      at = op->getLHS();
      code = clang::BinaryOperator::reverseComparisonOp(code);
    } else if (namedBy(op->getLHS()) != column) {
      return false;
    }
    const bool ends = code == clang::BO_LT || code == clang::BO_LE;
    Edge& edge = ends ? high : low;
    const auto rise = riseOf(at, false);
    if (edge.at || !rise || !hasText(at))
      return false;
    edge = {at, *rise == 1, code == clang::BO_LE || code == clang::BO_GT};
    return true;
  }
  /// Of the loop over columns.
  bool takeEdges() {
    const auto* test =
        llvm::cast<clang::BinaryOperator>(loop_.columns->getCond()->IgnoreParenImpCasts());
    const auto startRise = riseOf(column->getInit(), true),
               limitRise = riseOf(test->getRHS(), false);
    if (!startRise || !limitRise || !hasText(column->getInit()) || !hasText(test->getRHS()))
      return false;
    start = {column->getInit(), *startRise == 1, false};
    limit = {test->getRHS(), *limitRise == 1, test->getOpcode() == clang::BO_LE};
    return true;
  }

  /// A pointer that the block has one value of.
  bool isPointer(const clang::VarDecl* pointer) const {
    const auto* type = pointer->getType()->getAs<clang::PointerType>();
    return type && !type->getPointeeType().isVolatileQualified() && !isShared(pointer) &&
           pointer->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(pointer) &&
           isStored(pointer, Storage::Block);
  }

  const ElementLoop& loop_;
};

} // namespace

std::string Splitter::updateInStrips(const ElementLoop& loop) {
  if (!plan_.options.lineDirectives)
    return "";
  ElementUpdate update(*this, loop);
  if (!update.find())
    return "";
  const bool isPointer =
      update.columns &&
      std::none_of(kernel_.shared.begin(), kernel_.shared.end(), [&](const SharedVariable& shared) {
        return shared.decl == namedBy(update.table) && !shared.dynamic;
      });
  std::string name;
  if (const auto* of =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(update.table->IgnoreParenImpCasts()))
    name = namedBy(arrayOf(of))->getNameAsString() + "[" + blockValue(indexOf(of)) + "]";
  else
    name = namedBy(update.table)->getNameAsString();
  const std::string table = !update.columns
                                ? "cu2cpp::tableOf(" + name + ")"
                                : (isPointer ? "cu2cpp::dynamicTableOf(" : "cu2cpp::flatTableOf(") +
                                      name + ", " + blockValue(update.columns) + ")";
  const std::string rowType = typeOf(update.row), columnType = typeOf(update.column);
  const std::string ofRow =
      "[&]([[maybe_unused]] const " + rowType + " " + update.row->getNameAsString();
  const auto edge = [&](const MatrixUpdate::Edge& at, const char* off) {
    return edgeText(at.at, at.rises, at.off ? off : "", ofRow);
  };
  const auto increment = [&](const clang::ForStmt* of) {
    return blockValue(llvm::cast<clang::BinaryOperator>(of->getInc()->IgnoreParens())->getRHS());
  };
  const auto* test = llvm::cast<clang::BinaryOperator>(loop.rows->getCond()->IgnoreParenImpCasts());
  const std::string last = blockValue(test->getRHS());
  std::string out = "{ if (!cu2cpp::updateInStrips" + std::string(loop.columns ? "<" : "ByRows<") +
                    rowType + ", " + columnType +
                    (loop.columns ? loop.ofWarps ? ", true" : ", false" : "") + ">(cuBlock, " +
                    table + ", " + valueLambda(loop.row->getInit(), "", " -> " + typeOf(loop.row)) +
                    ", " + increment(loop.rows) + ", " +
                    (test->getOpcode() == clang::BO_LE ? "cu2cpp::upTo(" + last + ")" : last) +
                    ", ";
  if (loop.columns) {
    elements_ = &loop; // its row has a value here
    out += std::string("cu2cpp::columnEdge<") + (update.start.rises ? "true" : "false") + ">(" +
           "[&]([[maybe_unused]] const " + rowType + " cuRow, const uint3 cuAt) { return " +
           valueLambda(update.start.at, "", " -> " + columnType) + "(cuAt); }), " +
           increment(loop.columns) + ", " + edge(update.limit, "cu2cpp::upTo") + ", ";
    elements_ = nullptr;
  } else {
    const auto part = [&](const clang::VarDecl* variable, const std::string& type,
                          const char* name) {
      return "[&](const " + typeOf(loop.row) + " " + name + ") -> " + type + " { return " +
             expressionText(variable->getInit()) + "; }, ";
    };
    out += blockValue(loop.width) + ", " + part(update.row, rowType, "cuRow") +
           part(update.column, columnType, "cuColumn");
  }
  return out + edge(update.low, "cu2cpp::behind") + ", " + edge(update.high, "cu2cpp::upTo") +
         ", " + updateText(update, ofRow) + ")) { ";
}

std::string Splitter::edgeText(const clang::Expr* at, bool rises, const char* off,
                               const std::string& ofRow) const {
  if (!at)
    return "cu2cpp::NoEdge()";
  const std::string value = expressionText(at);
  return std::string("cu2cpp::columnEdge<") + (rises ? "true" : "false") + ">(" + ofRow +
         ") { return " + (*off ? off + ("(" + value + ")") : value) + "; })";
}

std::string Splitter::updateText(const MatrixUpdate& update, const std::string& ofRow) {
  std::string out = ofRow + ", auto& cuElement", places;
  RegionText named;
  for (const clang::VarDecl* value : update.values)
    out += ", const auto& " + value->getNameAsString();
  for (const MatrixUpdate::Read& read : update.reads) {
    out += ", const auto& " + read.name;
    places += ", " + read.place + "(";
    for (const clang::Expr* number : read.numbers)
      places += (number == read.numbers.front() ? "" : ", ") + blockValue(number);
    places += ")";
    for (const clang::ArraySubscriptExpr* one : read.reads)
      replaced_[one] = read.name;
  }
  for (const clang::ArraySubscriptExpr* one : update.own)
    replaced_[one] = "cuElement";
  for (const clang::Expr* scalar : update.scalars)
    named.add(scalar);
  out += ") CU2CPP_INLINE { ";
  for (const std::string& line : bindings({}, named))
    out += line + " ";
  for (const clang::VarDecl* variable : update.before)
    out += "const auto " + variable->getNameAsString() + " = " +
           expressionText(variable->getInit()) + "; ";
  out += expressionText(update.update) + "; }" + places;
  for (const MatrixUpdate::Read& read : update.reads)
    for (const clang::ArraySubscriptExpr* one : read.reads)
      replaced_.erase(one);
  for (const clang::ArraySubscriptExpr* one : update.own)
    replaced_.erase(one);
  return out;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block, or lanes of a warp, that own a row of a shared matrix each and update a part
// of it by rows and columns which they leave alone: all of their rows run strip by strip
// (cu2cpp/row_strips.h), where the program finds that this is such an update:
//
//   if (row > k) {                                  cu2cpp::eachThreadInStrips(cuBlock,
//     const float f = a[row][k];                        <which threads>, [&](...) {
//     for (int j = k + 1; j <= row; ++j)        ->        return cu2cpp::updateRows<...>(...,
//       a[row][j] -= f * a[j][k];                             [&](..., auto& cuElement,
//   }                                                             const auto& cuRead1, ...) { ...
//   },
//                                                             ...); },
//                                                       <the region as it would be without>);
//
// Threads may begin with something of their own, which all of them do first: values that the update
// then finds for each row, and elements of the row that they store.
//
// Each row of threads, or warp, may have a matrix of its own: `tiles[threadIdx.y][row][j]`, or
// `a[row * n + j]` with `float* a = shared + threadIdx.y * n * n;`.
#include "plan/matrix_update.h"

#include <algorithm>

#include "llvm/Support/SaveAndRestore.h"

#include "analyse/region_parts.h"
#include "plan/split_inside_conditions.h"

namespace cu2cpp {

namespace {

/// What a region of such threads does.
class UpdateOfRows : public MatrixUpdate {
public:
  /// With `begins` threads may begin with anything that concerns none but themselves.
  UpdateOfRows(const Splitter& splitter, const clang::Stmt* whole, bool begins)
      : MatrixUpdate(splitter, whole), begins_(begins) {}

  const clang::Expr* row = nullptr;
  std::vector<const clang::Stmt*> begin; ///< the statements that they begin with

  /// `statement` is what threads do that are in the update.
  bool find(const clang::Stmt* statement) {
    const clang::ForStmt* loop = nullptr;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      for (const clang::Stmt* one : list->body())
        if (loop || !takeStatement(one, loop))
          return false;
    } else if (!takeStatement(statement, loop)) {
      return false;
    }
    return loop && takeLoop(loop);
  }

protected:
  bool isRow(const clang::Expr* e) override {
    if (row)
      return areAlike(e, row);
    if (namesInside(e) || !isPlaceOfThread(e))
      return false;
    row = e;
    return true;
  }
  bool isMatrix(const clang::Expr* base, unsigned dimensions) const override {
    base = base->IgnoreParenImpCasts();
    // One of several matrices.
    if (const auto* of = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      const clang::VarDecl* all = namedBy(arrayOf(of));
      return all && isTable(all, dimensions + 1) && isOfRowOfThreads(indexOf(of));
    }
    if (isTableOfStructure(base, dimensions,
                           [&](const clang::Expr* index) { return isOfRowOfThreads(index); }))
      return true;
    const clang::VarDecl* variable = namedBy(base);
    if (!variable)
      return false;
    if (isTable(variable, dimensions))
      return true;
    const auto* type = variable->getType()->getAs<clang::PointerType>();
    if (!type || type->getPointeeType().isVolatileQualified() || isShared(variable) ||
        llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasLocalStorage() ||
        !variable->hasInit())
      return false;
    if (dimensions == 1 && !sharedBehind(variable))
      return false;
    if (dimensions == 1)
      return isStored(variable, Storage::Block) ||
             (isStored(variable, Storage::Recomputed) && isOfRowOfThreads(variable->getInit()));
    // A pointer to the rows of a matrix.
    return type->getPointeeType()->isArrayType() && isStored(variable, Storage::Recomputed) &&
           isMatrix(variable->getInit(), dimensions);
  }

private:
  bool takeStatement(const clang::Stmt* s, const clang::ForStmt*& loop) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      if (begins_)
        begin.push_back(s);
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                           return begins_ ? takeBegin(variable) : takeBefore(variable);
                         });
    }
    if (const auto* store = llvm::dyn_cast<clang::BinaryOperator>(s); store && begins_) {
      begin.push_back(s);
      return takeStore(store);
    }
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s)) // `#pragma unroll`
      s = attributed->getSubStmt();
    loop = llvm::dyn_cast<clang::ForStmt>(s);
    return loop;
  }
  bool takeLoop(const clang::ForStmt* loop) {
    const auto counts = countingLoop(loop, true);
    if (!counts || loop->getConditionVariable())
      return false;
    column = counts->counter;
    const clang::Stmt* body = loop->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body); list && list->size() == 1)
      body = list->body_front();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(body);
    if (!op || column->getType().isVolatileQualified() || op->getRHS()->HasSideEffects(context_) ||
        !takeUpdate(op) || (begins_ && !isOfFloatingPoint()))
      return false;
    const auto startRise = riseOf(counts->from, false), limitRise = riseOf(counts->to, false);
    if (!row || !startRise || !limitRise)
      return false;
    start = {counts->from, *startRise == 1, false};
    limit = {counts->to, *limitRise == 1, counts->includesEnd};
    return true;
  }

  const bool begins_;
};

} // namespace

std::string Splitter::updateOfRows(const RegionNode& region, const std::string& newline) {
  const bool block = level_ == Scope::Block;
  const llvm::SaveAndRestore<bool> rise(lanesRise_, !block);
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || region.oneByOne || elements_ ||
      tile_ || !rising_.empty() || region.returns || region.exitsOnly || ofSeveralBlocks() ||
      (block && active() != "cu2cpp::noneExited"))
    return "";
  for (const clang::Stmt* s : region.statements) {
    if (regions_.printed.count(s) || !callsIn(s).empty() ||
        (s != region.statements.back() && !declaresRecomputed(s)))
      return "";
  }
  const clang::Stmt* whole = region.statements.back();
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(whole);
  if (branch && (branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
                 branch->isConstexpr() || branch->isConsteval()))
    return "";
  RegionText text;
  text.add(whole);
  bindings({}, text);
  if (needsThread(text))
    return "";
  UpdateOfRows plain(*this, whole, false), withBegin(*this, whole, true);
  const clang::Stmt* inside = branch ? branch->getThen() : whole;
  const bool isPlain = plain.find(inside);
  if (!isPlain && !withBegin.find(inside))
    return "";
  UpdateOfRows& update = isPlain ? plain : withBegin;
  std::string bounds = "cu2cpp::Inside()";
  RegionText named;
  if (branch) {
    // All that the condition asks is where in the row the thread is.
    InsideConditions guard(*this);
    guard.addGuard(branch->getCond());
    if (guard.leaves.size() != partsOf(branch->getCond()))
      return "";
    bounds = guard.bounds(named);
  }
  const auto ofThread = [&](const std::string& value, RegionText& names) {
    std::string out = "[&](const uint3 threadIdx) { ";
    for (const std::string& line : bindings({}, names))
      out += line + " ";
    return out + "return " + value + "; }";
  };
  const auto edge = [&](const MatrixUpdate::Edge& at) {
    RegionText names;
    names.add(at.at);
    const std::string value = expressionText(at.at);
    return ofThread(at.off ? "cu2cpp::upTo(" + value + ")" : value, names);
  };
  std::string from = ">(cuFirst, cuCount, ";
  if (!isPlain) {
    RegionText begun;
    std::string statements;
    for (const clang::Stmt* s : update.begin) {
      begun.add(s);
      if (const auto* store = llvm::dyn_cast<clang::BinaryOperator>(s))
        statements += expressionText(store) + "; ";
      else
        for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(s)->decls()) {
          const auto* variable = llvm::cast<clang::VarDecl>(decl);
          statements += "[[maybe_unused]] const " + typeOf(variable) + " " +
                        variable->getNameAsString() + " = " + expressionText(variable->getInit()) +
                        "; ";
        }
    }
    for (std::size_t i = 0; i < update.values.size(); ++i)
      statements +=
          "cuValues[" + std::to_string(i) + "] = " + update.values[i]->getNameAsString() + "; ";
    from = ">(std::make_index_sequence<" + std::to_string(update.values.size()) +
           ">(), cuFirst, cuCount, [&](const uint3 threadIdx, [[maybe_unused]] auto* cuValues) "
           "CU2CPP_INLINE { ";
    for (const std::string& line : bindings({}, begun))
      from += line + " ";
    from += statements + "}, ";
  }
  RegionText ofTable;
  const std::string table = tableText(update.table, update.columns, ofTable);
  return ofThread(bounds, named) + "," + newline +
         "[&](const uint3 cuFirst, const unsigned cuCount) CU2CPP_INLINE { return "
         "cu2cpp::updateRows" +
         (isPlain ? "<" : "From<") + typeOf(update.column) +
         (update.start.rises ? ", true" : ", false") + (update.limit.rises ? ", true" : ", false") +
         from + ofThread(table, ofTable) + ", " + valueLambda(update.row) + ", " +
         edge(update.start) + ", " + edge(update.limit) + ", " + updateText(update, "[&](int") +
         "); }," + newline;
}

unsigned Splitter::partsOf(const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
  return op && op->getOpcode() == clang::BO_LAnd ? partsOf(op->getLHS()) + partsOf(op->getRHS())
                                                 : 1;
}

std::string Splitter::tableText(const clang::Expr* table, const clang::Expr* columns,
                                RegionText& named) const {
  const clang::VarDecl* variable = namedBy(table);
  if (!columns) {
    // Of a pointer to rows nobody knows how many there are.
    if (variable && !isShared(variable))
      return tableText(variable->getInit()->IgnoreParenImpCasts(), nullptr, named);
    named.add(table);
    return "cu2cpp::tableOf(" + expressionText(table) + ")";
  }
  named.add(table);
  named.add(columns);
  const std::string rest = expressionText(table) + ", " + expressionText(columns) + ")";
  if (!variable || isStaticArray(variable))
    return "cu2cpp::flatTableOf(" + rest;
  const clang::VarDecl* array = isShared(variable) ? variable : sharedBehind(variable);
  if (array && isStaticArray(array))
    return "cu2cpp::tableWithin(" + array->getNameAsString() + ", " + rest;
  return "cu2cpp::dynamicTableOf(" + rest;
}

bool Splitter::isStaticArray(const clang::VarDecl* variable) const {
  return std::any_of(
      kernel_.shared.begin(), kernel_.shared.end(), [&](const SharedVariable& shared) {
        return shared.decl == variable && !shared.dynamic && !shared.turned &&
               shared.skewed == SharedVariable::Skew::None && variable->getType()->isArrayType();
      });
}

const clang::VarDecl* Splitter::sharedBehind(const clang::VarDecl* pointer, unsigned depth) const {
  constexpr unsigned deepest = 8;
  const clang::Expr* e = pointer->getInit();
  while (e) {
    e = e->IgnoreParenCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (!op->isAdditiveOp())
        return nullptr;
      const auto isNumber = [](const clang::Expr* one) {
        return !one->isTypeDependent() && one->getType()->isIntegerType();
      };
      if (isNumber(op->getLHS()) == isNumber(op->getRHS()))
        return nullptr;
      e = isNumber(op->getRHS()) ? op->getLHS() : op->getRHS();
    } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(e);
               address && address->getOpcode() == clang::UO_AddrOf) {
      const auto* element =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
      e = element ? arrayOf(element) : nullptr;
    } else {
      const clang::VarDecl* variable = namedBy(e);
      if (!variable || isShared(variable))
        return variable;
      return variable->hasLocalStorage() && variable->hasInit() && depth < deepest
                 ? sharedBehind(variable, depth + 1)
                 : nullptr;
    }
  }
  return nullptr;
}

} // namespace cu2cpp

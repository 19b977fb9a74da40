// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of a shared matrix that loops over elements read along a row of threads: they are copied
// before the loop, so that neighbours are neighbours in memory.
//
//   for (int i = k + 1 + ty; i < n; i += 16)       { const cu2cpp::PackedColumn cuPacked1(a, k);
//     for (int j = k + 1 + tx; j <= i; j += 16)  ->  ...
//       a[i][j] -= a[i][k] * a[j][k];                  a[i][j] -= a[i][k] * cuPacked1[j];
//
// The loop must not store to the column: it stores to columns behind it.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {

class PackedColumns : public SyntaxVisitor {
public:
  PackedColumns(const Splitter& splitter, const ElementLoop& loop)
      : splitter_(splitter), context_(splitter.plan_.unit.context()), loop_(loop) {}
  bool good = true;
  std::vector<const clang::ArraySubscriptExpr*> reads; ///< a[j][k]

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      noteStore(op->getLHS());
    return good;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      noteStore(op->getSubExpr());
    return good &= op->getOpcode() != clang::UO_AddrOf && op->getOpcode() != clang::UO_Deref;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const clang::ArraySubscriptExpr* row = rowOf(element);
    if (row && isTable(row) && columnsOf(row->getIdx()) && !element->getBeginLoc().isMacroID() &&
        !element->getEndLoc().isMacroID() && splitter_.isGroupValue(element->getIdx(), true) &&
        !Uniformity::readsMemory(element->getIdx()))
      reads.push_back(element);
    return true;
  }
  /// Whether no store reaches the column of a read.
  bool isKept(const clang::ArraySubscriptExpr* read) const {
    return std::all_of(stores_.begin(), stores_.end(), [&](const auto* store) {
      const clang::ArraySubscriptExpr* row = rowOf(store);
      if (namedBy(rootOf(store)) != namedBy(rowOf(read)->getBase()))
        return true; // another variable: shared arrays are none of each other
      const ElementLoop::Columns* columns = row ? columnsOf(store->getIdx()) : nullptr;
      return columns && startsBehind(columns->variable->getInit(), read->getIdx());
    });
  }
  bool areOfOneColumn(const clang::ArraySubscriptExpr* a,
                      const clang::ArraySubscriptExpr* b) const {
    return namedBy(rowOf(a)->getBase()) == namedBy(rowOf(b)->getBase()) &&
           areAlike(a->getIdx(), b->getIdx());
  }
  static const clang::ArraySubscriptExpr* rowOf(const clang::ArraySubscriptExpr* element) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
  }

private:
  void noteStore(const clang::Expr* to) {
    to = to->IgnoreParens();
    if (namedBy(to))
      return;
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(to);
    const clang::VarDecl* root = element ? namedBy(rootOf(element)) : nullptr;
    good &= root && isShared(root) && !root->hasExternalStorage() && root->getType()->isArrayType();
    if (good)
      stores_.push_back(element);
  }
  static const clang::Expr* rootOf(const clang::Expr* e) {
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      e = at->getBase()->IgnoreParenImpCasts();
    return e;
  }
  /// An array of two dimensions, as it is written.
  bool isTable(const clang::ArraySubscriptExpr* row) const {
    const clang::VarDecl* array = namedBy(row->getBase());
    const auto& all = splitter_.kernel_.shared;
    return std::any_of(all.begin(), all.end(), [&](const SharedVariable& shared) {
      const clang::ArrayType* rows = array ? array->getType()->getAsArrayTypeUnsafe() : nullptr;
      return shared.decl == array && rows && !shared.dynamic && !shared.turned &&
             shared.skewed == SharedVariable::Skew::None && rows->getElementType()->isArrayType() &&
             !rows->getElementType()->getAsArrayTypeUnsafe()->getElementType()->isArrayType() &&
             !rows->getElementType().isVolatileQualified();
    });
  }
  const ElementLoop::Columns* columnsOf(const clang::Expr* e) const {
    const clang::VarDecl* variable = namedBy(e);
    const auto found =
        std::find_if(loop_.inner.begin(), loop_.inner.end(), [&](const auto& columns) {
          return columns.variable == variable && columns.neighbours;
        });
    return variable && found != loop_.inner.end() ? &*found : nullptr;
  }
  bool areAlike(const clang::Expr* a, const clang::Expr* b) const {
    return cu2cpp::areAlike(a, b, context_);
  }
  /// A sum of the column, of a number from 1 on, and of places of threads.
  bool startsBehind(const clang::Expr* start, const clang::Expr* column) const {
    std::vector<const clang::Expr*> rest{start};
    std::int64_t number = 0;
    unsigned columns = 0;
    while (!rest.empty()) {
      const clang::Expr* e = rest.back()->IgnoreParenImpCasts();
      rest.pop_back();
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
      if (areAlike(e, column)) {
        ++columns;
      } else if (op && op->getOpcode() == clang::BO_Add) {
        rest.push_back(op->getLHS());
        rest.push_back(op->getRHS());
      } else if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(e)) {
        number +=
            std::int64_t(std::min<std::uint64_t>(literal->getValue().getLimitedValue(), 9999));
      } else if (!isPlace(e)) {
        return false;
      }
    }
    return columns == 1 && number > 0;
  }
  /// A part of threadIdx, or a variable that keeps one.
  bool isPlace(const clang::Expr* e, unsigned depth = 0) const {
    e = behindWideCasts(e);
    if (isPart(e, ThreadIdx, "x") || isPart(e, ThreadIdx, "y") || isPart(e, ThreadIdx, "z"))
      return true;
    const clang::VarDecl* variable = namedBy(e);
    if (variable && depth < 8)
      return variable->hasInit() && splitter_.isStored(variable, Storage::Recomputed) &&
             isPlace(variable->getInit(), depth + 1);
    // `threadIdx.x % 32`
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    return op && (op->getOpcode() == clang::BO_Rem || op->getOpcode() == clang::BO_And) &&
           llvm::isa<clang::IntegerLiteral>(op->getRHS()->IgnoreParenImpCasts()) &&
           isPlace(op->getLHS(), depth + 1);
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;
  const ElementLoop& loop_;
  std::vector<const clang::ArraySubscriptExpr*> stores_;
};

void Splitter::findPackedColumns(const ElementLoop& loop) {
  packed_.clear();
  if (!plan_.options.lineDirectives || !loop.inTurn || !loop.columns)
    return;
  PackedColumns columns(*this, loop);
  columns.TraverseStmt(const_cast<clang::Stmt*>(loop.rows->getBody()));
  if (!columns.good)
    return;
  for (const clang::ArraySubscriptExpr* read : columns.reads) {
    if (!columns.isKept(read) || !plan_.text.isWhole(read))
      continue;
    const auto known = std::find_if(packed_.begin(), packed_.end(), [&](const auto& one) {
      return columns.areOfOneColumn(one.reads.front(), read);
    });
    if (known != packed_.end())
      known->reads.push_back(read);
    else
      packed_.push_back({"cuPacked" + std::to_string(++packedColumns_), {read}});
  }
}

std::string Splitter::packedDeclarations() {
  std::string out;
  for (const PackedColumn& column : packed_) {
    const clang::ArraySubscriptExpr* read = column.reads.front();
    out += "const cu2cpp::PackedColumn " + column.name + "(" +
           namedBy(PackedColumns::rowOf(read)->getBase())->getNameAsString() + ", " +
           blockValue(read->getIdx()) + "); ";
  }
  return out;
}

void Splitter::emitPackedColumns() {
  for (const PackedColumn& column : packed_)
    for (const clang::ArraySubscriptExpr* read : column.reads)
      edits_.replace(expressionRange(read),
                     column.name + "[cu2cpp::inRow(" +
                         expressionText(PackedColumns::rowOf(read)->getIdx()) + ", cuLane)]");
}

std::string Splitter::bytesInColumns(const ElementLoop::Columns& columns) const {
  class Stores : public SyntaxVisitor {
  public:
    const clang::VarDecl* array = nullptr;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const clang::Expr* e = op->getLHS()->IgnoreParens();
      const bool isElement = op->isAssignmentOp() && llvm::isa<clang::ArraySubscriptExpr>(e);
      while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
        e = at->getBase()->IgnoreParenImpCasts();
      const clang::VarDecl* root = isElement ? namedBy(e) : nullptr;
      if (root && isShared(root) && root->getType()->isArrayType() && !root->hasExternalStorage())
        array = root;
      return true;
    }
  } stores;
  stores.TraverseStmt(const_cast<clang::Stmt*>(columns.loop->getBody()));
  if (!stores.array || !plan_.options.lineDirectives || !columns.neighbours)
    return "";
  for (const SharedVariable& shared : kernel_.shared)
    if (shared.decl == stores.array && !shared.dynamic && !shared.turned &&
        shared.skewed == SharedVariable::Skew::None)
      return ", sizeof(std::remove_all_extents_t<decltype(" + stores.array->getNameAsString() +
             ")>)";
  return "";
}

} // namespace cu2cpp

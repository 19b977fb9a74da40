// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/column_reads.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/trivial_copies.h"

namespace cu2cpp {
namespace {

/// A table: rows of elements that are no arrays, of the kernel's own.
bool isTable(const clang::VarDecl* variable) {
  const clang::ArrayType* rows = variable->getType()->getAsArrayTypeUnsafe();
  const clang::ArrayType* row = rows ? rows->getElementType()->getAsArrayTypeUnsafe() : nullptr;
  return row && isShared(variable) && !variable->hasExternalStorage() &&
         !row->getElementType()->isArrayType() && !row->getElementType().isVolatileQualified();
}

/// The element that a name leads to, which has two places.
const clang::ArraySubscriptExpr* elementOf(const clang::DeclRefExpr* name,
                                           const clang::ParentMap& parents) {
  const clang::Expr* at = name;
  for (int dimension = 0; dimension < 2; ++dimension) {
    const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(
        parents.getParentIgnoreParenImpCasts(const_cast<clang::Expr*>(at)));
    if (!element || arrayOf(element)->IgnoreParenImpCasts() != at)
      return nullptr;
    at = element;
  }
  return llvm::cast<clang::ArraySubscriptExpr>(at);
}

enum class Access { Read, Write, Unknown };

/// What is done with an element, where it stands.
Access accessOf(const clang::Expr* element, const clang::ParentMap& parents) {
  const clang::Stmt* at = element;
  const clang::Stmt* parent = parents.getParent(at);
  const auto isPassedOn = [](const clang::Stmt* s) {
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(s);
    return llvm::isa_and_nonnull<clang::ParenExpr>(s) ||
           (cast && cast->getCastKind() == clang::CK_NoOp);
  };
  for (; isPassedOn(parent); parent = parents.getParent(at))
    at = parent;
  // Structures are copied by functions that they have by themselves.
  if (const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(parent))
    return made->getConstructor()->isCopyOrMoveConstructor() && made->getConstructor()->isTrivial()
               ? Access::Read
               : Access::Unknown;
  if (const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent)) {
    if (!isTrivialAssignment(call->getDirectCallee()))
      return Access::Unknown;
    return call->getArg(0) == at ? Access::Write : Access::Read;
  }
  if (const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parent))
    return cast->getCastKind() == clang::CK_LValueToRValue ? Access::Read : Access::Unknown;
  // What reads an element in a template has no cast yet.
  if (const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent)) {
    if (op->isAssignmentOp() && op->getLHS() == at)
      return Access::Write;
    return op->isAssignmentOp() || op->isAdditiveOp() || op->isMultiplicativeOp() ||
                   op->isComparisonOp()
               ? Access::Read
               : Access::Unknown;
  }
  if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent))
    return op->isIncrementDecrementOp() ? Access::Write : Access::Unknown;
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(parent))
    return std::none_of(declared->decl_begin(), declared->decl_end(),
                        [](const clang::Decl* decl) {
                          const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                          return !variable || variable->getType()->isReferenceType() ||
                                 variable->getType()->isUndeducedAutoType();
                        })
               ? Access::Read
               : Access::Unknown;
  return Access::Unknown;
}

/// `sum += a[threadIdx.y][k] * table[threadIdx.x][k]` in a loop over k alone: each row of threads
/// reads all columns.
bool isOfSum(const clang::ArraySubscriptExpr* element, const clang::ParentMap& parents,
             Slopes& alongRow, Slopes& alongColumn) {
  const clang::Stmt* at = element;
  const clang::BinaryOperator* added = nullptr;
  while ((at = parents.getParent(at)) && llvm::isa<clang::Expr>(at) && !added) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(at);
    if (op && op->isAssignmentOp()) {
      if (op->getOpcode() != clang::BO_AddAssign || !namedBy(op->getLHS()))
        return false;
      added = op;
    }
  }
  if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(at); list && list->size() == 1)
    at = parents.getParent(at);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(at);
  const auto* init = loop ? llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()) : nullptr;
  if (!added || !init || !init->isSingleDecl() ||
      namedBy(indexOf(element)) != init->getSingleDecl())
    return false;
  class Rows : public SyntaxVisitor {
  public:
    Rows(Slopes& alongRow, Slopes& alongColumn) : alongRow_(alongRow), alongColumn_(alongColumn) {}
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      const auto* row =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(arrayOf(e)->IgnoreParenImpCasts());
      found |= row && alongRow_.slope(indexOf(row)) == 0 && alongColumn_.slope(indexOf(row)) == 1 &&
               alongRow_.slope(indexOf(e)) == 0 && alongColumn_.slope(indexOf(e)) == 0;
      return true;
    }

  private:
    Slopes &alongRow_, &alongColumn_;
  } rows(alongRow, alongColumn);
  rows.TraverseStmt(const_cast<clang::Expr*>(added->getRHS()));
  return rows.found;
}

/// Whether a statement does nothing with a variable but read it.
bool onlyReads(const clang::Stmt* s, const clang::VarDecl* variable,
               const clang::ParentMap& parents) {
  class Names : public SyntaxVisitor {
  public:
    Names(const clang::VarDecl* variable, const clang::ParentMap& parents)
        : variable_(variable), parents_(parents) {}
    bool allRead = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      const auto* cast =
          llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents_.getParentIgnoreParens(name));
      return allRead &= name->getDecl() != variable_ ||
                        (cast && cast->getCastKind() == clang::CK_LValueToRValue);
    }

  private:
    const clang::VarDecl* variable_;
    const clang::ParentMap& parents_;
  } names(variable, parents);
  names.TraverseStmt(const_cast<clang::Stmt*>(s));
  return names.allRead;
}

/// How far a loop between constants counts in the variable, which stands in its body.
std::optional<std::int64_t> endOfCounter(const clang::Stmt* at, const clang::ValueDecl* variable,
                                         const clang::ParentMap& parents,
                                         const clang::ASTContext& context) {
  while (at) {
    const clang::Stmt* inner = at;
    at = parents.getParent(at);
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(at);
    const auto head =
        loop && loop->getBody() == inner ? countingLoop(loop) : std::optional<CountingLoop>();
    if (!head || head->counter != variable)
      continue;
    const auto from = constantOf(head->from, context), to = constantOf(head->to, context);
    return variable->getType()->isIntegerType() && from && *from >= 0 && to && *to > *from &&
                   onlyReads(loop->getBody(), head->counter, parents)
               ? to
               : std::nullopt;
  }
  return std::nullopt;
}

} // namespace

ColumnReads::ColumnReads(const clang::Stmt* body, const clang::ParentMap& parents)
    : parents_(parents), alongRow_(body, "x"), alongColumn_(body, "y") {
  TraverseStmt(const_cast<clang::Stmt*>(body));
}

bool ColumnReads::VisitDeclRefExpr(clang::DeclRefExpr* name) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (!variable || !isTable(variable))
    return true;
  Table& table = tables_[variable];
  const clang::ArraySubscriptExpr* element = elementOf(name, parents_);
  const Access access = element ? accessOf(element, parents_) : Access::Unknown;
  table.onlyElements &= access != Access::Unknown && lambdas_ == 0;
  if (!table.onlyElements)
    return true;
  const auto* row = llvm::cast<clang::ArraySubscriptExpr>(arrayOf(element)->IgnoreParenImpCasts());
  const clang::Expr *first = indexOf(row), *last = indexOf(element);
  table.uses.push_back({name, access == Access::Read,
                        alongRow_.slope(first) == 1 && alongColumn_.slope(first) == 0 &&
                            alongRow_.slope(last) == 0 &&
                            (alongColumn_.slope(last) == 1 ||
                             (alongColumn_.slope(last) == 0 &&
                              isOfSum(element, parents_, alongRow_, alongColumn_)))});
  return true;
}

bool ColumnReads::TraverseLambdaExpr(clang::LambdaExpr* lambda) {
  ++lambdas_;
  const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
  --lambdas_;
  return more;
}

ColumnReads::Uses ColumnReads::find(const std::vector<const clang::Stmt*>& statements) const {
  const auto isInside = [&](const clang::Stmt* inner) {
    while (inner && std::find(statements.begin(), statements.end(), inner) == statements.end())
      inner = parents_.getParent(inner);
    return inner != nullptr;
  };
  Uses out;
  for (const auto& [variable, table] : tables_) {
    std::set<const clang::DeclRefExpr*> columns;
    bool reads = table.onlyElements;
    for (const Use& use : table.uses)
      if (reads && isInside(use.name)) {
        reads = use.reads;
        if (use.isInColumn)
          columns.insert(use.name);
      }
    if (reads && !columns.empty())
      out[variable] = columns;
  }
  return out;
}

std::optional<std::uint64_t>
ColumnReads::columnsRead(const std::set<const clang::DeclRefExpr*>& uses,
                         const clang::ASTContext& context) const {
  std::int64_t columns = 0;
  for (const clang::DeclRefExpr* use : uses) {
    const clang::ArraySubscriptExpr* element = elementOf(use, parents_);
    const clang::VarDecl* counter = element ? namedBy(indexOf(element)) : nullptr;
    const auto end = counter ? endOfCounter(element, counter, parents_, context) : std::nullopt;
    if (!end)
      return std::nullopt;
    columns = std::max(columns, *end);
  }
  return columns > 0 ? std::optional<std::uint64_t>(columns) : std::nullopt;
}

bool ColumnReads::isRead(const clang::ArraySubscriptExpr* element, const clang::Stmt* s) const {
  const clang::Expr* name = element;
  while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(name))
    name = arrayOf(at)->IgnoreParenImpCasts();
  const Uses all = find({s});
  const auto found = all.find(namedBy(name));
  return found != all.end() && found->second.count(llvm::dyn_cast<clang::DeclRefExpr>(name)) != 0;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of tiles are regions of their own, apart from the fill of the next tile:
//
//   if (t + 1 < tiles) {                         region
//     a[next][ty][tx] = A[...];
//     b[next][ty][tx] = B[...];
//   }
//   for (int k = 0; k < 16; ++k)                 region
//     sum += a[now][ty][k] * b[now][k][tx];
//   __syncthreads();                             barrier
//
// Nothing that threads do between two barriers has an order among them. The loop over threads then
// has vectors along a row for the product, whatever guards the fill.
#include "analyse/region_builder.h"

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The variable at the end of subscripts.
const clang::VarDecl* arrayAt(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    e = element->getBase()->IgnoreParenImpCasts();
  return namedBy(e);
}

/// What a statement does with shared arrays.
class SharedElements : public SyntaxVisitor {
public:
  explicit SharedElements(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  unsigned places = 0;
  bool stores = false;
  bool calls = false;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const clang::VarDecl* array = namedBy(element->getBase()->IgnoreParenImpCasts());
    places += array && isShared(array);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const clang::Expr* target = op->isAssignmentOp() ? op->getLHS()->IgnoreParens() : nullptr;
    if (llvm::isa_and_nonnull<clang::ArraySubscriptExpr>(target)) {
      const clang::VarDecl* array = arrayAt(target);
      stores |= array && isShared(array);
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr*) override { return calls = true; }
};

/// `sum += a[ty][k] * b[k][tx];`: the sum.
const clang::VarDecl* sumOf(const clang::Stmt* body) {
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body))
    body = list->size() == 1 ? list->body_front() : nullptr;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(body);
  if (!op || op->getOpcode() != clang::BO_AddAssign)
    return nullptr;
  const clang::VarDecl* sum = namedBy(op->getLHS()->IgnoreParens());
  const SharedElements elements(op->getRHS());
  return sum && sum->hasLocalStorage() && elements.places >= 2 && !elements.calls ? sum : nullptr;
}

} // namespace

void RegionBuilder::partProducts() {
  if (!kernel_.kernel || kernel_.reached.scope != Scope::Block)
    return;
  class Lists : public SyntaxVisitor {
  public:
    std::vector<const clang::CompoundStmt*> all;
    bool VisitCompoundStmt(clang::CompoundStmt* list) override {
      all.push_back(list);
      return true;
    }
    bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  } lists;
  lists.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  for (const clang::CompoundStmt* list : lists.all) {
    bool fills = false;
    bool keeps = false; // what a region of its own could not compute again
    for (const clang::Stmt* s : list->body()) {
      if (holds(s) != Scope::None) {
        fills = false;
        keeps = false;
        continue;
      }
      const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s); // `#pragma unroll`
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(marked ? marked->getSubStmt() : s);
          loop && fills && loop->getForLoc().isFileID() && isCountedAlike(loop)) {
        const clang::VarDecl* sum = sumOf(loop->getBody());
        if (sum && !keeps && !Contents(list).declares.count(sum))
          alone_.insert(s);
      }
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            keeps |= !variable->hasInit() || Uniformity::readsMemory(variable->getInit());
        continue;
      }
      fills |= SharedElements(s).stores;
    }
  }
}

} // namespace cu2cpp

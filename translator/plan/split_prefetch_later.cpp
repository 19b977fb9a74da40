// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that a loop behind a loop with barriers stores are fetched in the steps of that one, a row
// in each:
//
//   for (int m = 0; m < 32; ++m) {                     for (int m = 0; m < 32; ++m) {
//     if (tx <= m) tile[m - tx][tx] = ...;       ->      cu2cpp::prefetchNextStep(cuBlock, out, m,
//     __syncthreads();                                       ... return (row0 + r) * n + tx; ...);
//   }                                                    ...
//   for (int r = 0; r < 32; ++r)
//     out[(row0 + r) * n + tx] = tile[r][tx];
//
// A wavefront's steps wait for each other, and leave memory idle; the rows that follow wait for it.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {
namespace {

/// Elements that are stored in a loop's steps.
class StoredElements : public SyntaxVisitor {
public:
  explicit StoredElements(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<const clang::ArraySubscriptExpr*> all;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto* element =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParenImpCasts());
    if (op->isAssignmentOp() && element)
      all.push_back(element);
    return true;
  }
};

} // namespace

std::string Splitter::prefetchesOfLaterRows(const clang::ForStmt* loop) const {
  const clang::ASTContext& context = plan_.unit.context();
  const auto steps = countingLoop(loop);
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(parents_->getParent(loop));
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || level_ != Scope::Block ||
      !steps || !isStored(steps->counter, Storage::Block) || !list)
    return "";
  const auto from = constantOf(steps->from, context), to = constantOf(steps->to, context);
  // Beside much work between barriers there is time to wait for memory.
  const Accesses accesses(loop->getBody());
  if (!from || !to || accesses.hasLoop ||
      std::any_of(accesses.all.begin(), accesses.all.end(),
                  [&](const auto* element) { return !givenArray(element->getBase()).empty(); }))
    return "";
  const auto isBefore = [&](const clang::VarDecl* variable) {
    return plan_.text.sources().isBeforeInTranslationUnit(variable->getLocation(),
                                                          loop->getBeginLoc());
  };
  bool isBehind = false;
  for (const clang::Stmt* s : list->body()) {
    const auto* rows = llvm::dyn_cast<clang::ForStmt>(s);
    const auto counts = isBehind && rows ? countingLoop(rows) : std::nullopt;
    isBehind |= s == loop;
    const auto first = counts ? constantOf(counts->from, context) : std::nullopt;
    const auto end = counts ? constantOf(counts->to, context) : std::nullopt;
    // (Of a few rows each comes soon enough.)
    constexpr std::int64_t fewest = 8;
    if (!first || !end || *first != *from || *end > *to || *end - *first < fewest ||
        Accesses(rows->getBody()).hasLoop)
      continue;
    for (const clang::ArraySubscriptExpr* element : StoredElements(rows->getBody()).all) {
      const std::string array = givenArray(element->getBase());
      const clang::Expr* index = element->getIdx();
      RegionText named;
      named.add(index);
      if (array.empty() || !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
          !isIndexInRow(index) || !isHarmless(index) || !named.uses.count(counts->counter) ||
          !std::all_of(named.uses.begin(), named.uses.end(), [&](const clang::VarDecl* variable) {
            return variable == counts->counter ||
                   (isBefore(variable) &&
                    (llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasLocalStorage() ||
                     isStored(variable, Storage::Block) ||
                     isStored(variable, Storage::Recomputed)));
          }))
        continue;
      std::string lines;
      for (const std::string& line : bindings({}, named))
        lines += line + " ";
      return "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
             "  cu2cpp::prefetchNextStep(cuBlock, " + array + ", " +
             steps->counter->getNameAsString() + ", [&](const uint3 threadIdx, const " +
             typeOf(counts->counter) + " " + counts->counter->getNameAsString() + ") { " + lines +
             "return " + expressionText(index) + "; });";
    }
  }
  return "";
}

} // namespace cu2cpp

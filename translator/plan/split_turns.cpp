// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks take turns, one step of the kernel's loop each:
//
//   for (int row = first; row < rows; row += warps) {
//     ->
//   for (int row = cuTurn.begin<decltype(row)>(first, warps); (row < rows) && cuTurn.runs();
//        row += warps) {
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// Whether a function or what it calls keeps something in shared memory, or calls nobody knows
/// whom.
bool mayKeep(const FunctionFacts& function, const Facts& facts,
             std::set<const FunctionFacts*>& seen) {
  if (!seen.insert(&function).second)
    return false;
  if (!function.shared.empty() || !function.namespaceShared.empty() || function.indirectCalls)
    return true;
  return std::any_of(function.callees.begin(), function.callees.end(),
                     [&](const clang::FunctionDecl* callee) {
                       const FunctionFacts* called = facts.find(callee);
                       return !called || mayKeep(*called, facts, seen);
                     });
}

} // namespace

const clang::ForStmt* Splitter::loopOfTurns() const {
  const clang::ForStmt* loop = regions_.turns;
  if (!loop || !plan_.options.lineDirectives || !inRunBlock() || !onlyWarps_ || publish_ ||
      regions_.returns || regions_.joined || !regions_.modifiedParameters.empty() ||
      !kernel_.modifiedParameters.empty() || kernel_.awaitsOthers || kernel_.awaitsTime ||
      !waitingMark(kernel_).empty() || !clusterGuard(plan_, kernel_).empty())
    return nullptr;
  std::set<const FunctionFacts*> seen;
  if (mayKeep(kernel_, plan_.facts, seen))
    return nullptr;
  const auto warps = std::find_if(regions_.nodes.begin(), regions_.nodes.end(),
                                  [](const RegionNode& n) { return n.kind == Kind::Warps; });
  const RegionNode* node = warps->children.empty() ? nullptr : &warps->children.back();
  if (!node || node->kind != Kind::Loop || node->statement != loop || node->masked ||
      node->strided || node->unevenJumps || !node->calls.empty() || regions_.tileLoops.count(loop))
    return nullptr;
  const clang::Expr* start = variableOfHead(loop)->getInit();
  const clang::Expr* step =
      llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())->getRHS();
  const auto isHead = [&](const clang::Expr* e) {
    return e->IgnoreParenImpCasts() == start->IgnoreParenImpCasts();
  };
  for (const clang::Expr* value : regions_.compared)
    if ((isInside(value, loop->getInit()) && !isHead(value)) || isInside(value, loop->getInc()) ||
        isInside(value, loop->getCond()))
      return nullptr;
  return plan_.text.isWhole(start) && plan_.text.isWhole(step) &&
                 plan_.text.isWhole(loop->getCond())
             ? loop
             : nullptr;
}

void Splitter::emitTurn(const clang::ForStmt* loop) {
  const clang::VarDecl* row = variableOfHead(loop);
  const clang::Expr* start = row->getInit();
  std::string first = expressionText(start);
  for (const clang::Expr* value : regions_.compared)
    if (isInside(value, loop->getInit()))
      first = compared(value);
  const clang::Expr* step =
      llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())->getRHS();
  edits_.replace(expressionRange(start), "cuTurn.begin<decltype(" + row->getNameAsString() + ")>(" +
                                             first + ", " + expressionText(step) + ")");
  edits_.replace(expressionRange(loop->getCond()),
                 "(" + expressionText(loop->getCond()) + ") && cuTurn.runs()");
}

} // namespace cu2cpp

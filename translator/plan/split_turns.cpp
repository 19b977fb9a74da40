// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks take turns, one step of the kernel's loop each:
//
//   for (int row = first; row < rows; row += warps) {
//     ->
//   for (int row = cuTurn.begin<decltype(row)>(first, warps); (row < rows) && cuTurn.runs();
//        row += warps) {
//
// Small arrays in shared memory are kept from turn to turn, each block's apart:
//
//   const auto cuKept = cuTurn.keep(bounds);
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

/// Whether a shared variable is small enough to be put aside in each turn of each block.
bool isSmall(const SharedVariable& shared, clang::ASTContext& context) {
  constexpr std::uint64_t mostElements = 32;
  const clang::QualType type = shared.decl->getType();
  const auto* array =
      llvm::dyn_cast_or_null<clang::ConstantArrayType>(type->getAsArrayTypeUnsafe());
  const clang::QualType element = context.getBaseElementType(type);
  return shared.movable && !shared.dynamic && !shared.turned &&
         shared.skewed == SharedVariable::Skew::None && !shared.decl->getLocation().isMacroID() &&
         !element->isArrayType() &&
         (element->isBuiltinType() || element->isTemplateTypeParmType()) &&
         (array ? context.getConstantArrayElementCount(array) <= mostElements
                : !type->isArrayType());
}

/// Whether a function or what it calls keeps something in shared memory that is not small, or calls
/// nobody knows whom.
bool mayKeep(const FunctionFacts& function, const Plan& plan,
             std::set<const FunctionFacts*>& seen) {
  if (!seen.insert(&function).second)
    return false;
  const auto isKept = [&](const SharedVariable& shared) {
    return function.kernel && !plan.facts.addressSpaces && isSmall(shared, plan.unit.context());
  };
  if (!std::all_of(function.shared.begin(), function.shared.end(), isKept) ||
      !function.namespaceShared.empty() || function.indirectCalls)
    return true;
  return std::any_of(function.callees.begin(), function.callees.end(),
                     [&](const clang::FunctionDecl* callee) {
                       const FunctionFacts* called = plan.facts.find(callee);
                       return !called || mayKeep(*called, plan, seen);
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
  if (mayKeep(kernel_, plan_, seen))
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

std::string Splitter::keptInTurns() const {
  std::string names;
  for (const SharedVariable& shared : kernel_.shared)
    names += (names.empty() ? "" : ", ") + shared.decl->getNameAsString();
  return !turns_ || names.empty() ? "" : "const auto cuKept = cuTurn.keep(" + names + ");";
}

} // namespace cu2cpp

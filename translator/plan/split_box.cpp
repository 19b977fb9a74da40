// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that are one branch for the threads of a box: those whose places along x, y and z keep to
// bounds on which the block agrees. Only these run, and none of them is asked again.
//
//   if (y >= 1 && y < n && tx > 0)          cu2cpp::eachThreadInBox(cuBlock,
//     out[y * n + x] = tile[ty][tx - 1];        [&](const uint3 threadIdx) {
//                                         ->      return cu2cpp::Box{cu2cpp::Inside().above(tx, 0),
//                                                     cu2cpp::Inside().atLeast(y, 1).below(y, n),
//                                                     cu2cpp::Inside()}; }(uint3{}), ...
#include "plan/splitter.h"

namespace cu2cpp {

std::string Splitter::boxText(const RegionNode& region, const std::string& newline) {
  // Before the branch only what each region may declare again.
  for (const clang::Stmt* s : region.statements) {
    if (regions_.printed.count(s))
      return "";
    if (s == region.statements.back())
      break;
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declaration)
      return "";
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          !variable || !isStored(variable, Storage::Recomputed))
        return "";
  }
  // What is one value for a row would be gathered by a loop that takes only some of a vector.
  if (isForRangeOnly(region))
    return "";

  constexpr const char* parts[] = {"x", "y", "z"};
  std::string bounds[3];
  RegionText named;
  std::vector<const clang::Expr*> decided;
  for (const clang::BinaryOperator* compare : guardsOf(region.statements.back())) {
    if (!boundOf(compare->getOpcode()) || !plan_.text.isWhole(compare))
      continue;
    for (unsigned i = 0; i < 3; ++i) {
      clang::BinaryOperatorKind relation = compare->getOpcode();
      const clang::Expr *place = compare->getLHS(), *limit = compare->getRHS();
      if (!stepAlong(parts[i], place)) {
        std::swap(place, limit);
        relation = clang::BinaryOperator::reverseComparisonOp(relation);
      }
      const unsigned step = stepAlong(parts[i], place);
      if (!step || !isGroupValue(limit, true) || limit->isTypeDependent() ||
          !limit->getType()->isIntegerType())
        continue;
      named.add(place);
      named.add(limit);
      bounds[i] += std::string(".") + boundOf(relation) + "(" +
                   expressionText(place->IgnoreParenImpCasts()) + ", " +
                   expressionText(limit->IgnoreParenImpCasts()) +
                   (step > 1 ? ", " + std::to_string(step) : "") + ")";
      decided.push_back(compare);
      break;
    }
  }
  // Ranges of a row alone: eachThreadInside().
  if (bounds[1].empty() && bounds[2].empty())
    return "";

  std::string out = "[&](const uint3 threadIdx) {";
  for (const std::string& line : bindings({}, named))
    out += newline + line;
  out += newline + "return cu2cpp::Box{";
  for (unsigned i = 0; i < 3; ++i)
    out += (i ? "," + newline + "    " : "") + "cu2cpp::Inside()" + bounds[i];
  out += "}; }(uint3{})," + newline;
  for (const clang::Expr* compare : decided)
    decide(compare);
  return out;
}

} // namespace cu2cpp

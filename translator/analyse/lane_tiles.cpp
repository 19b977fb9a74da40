// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA C++ Programming Guide, 'Warp Shuffle Functions': those have no effect on the order of what
// threads read and write in memory, so tiles of which none takes another's value may run one after
// the other. `__syncwarp()` does order it, and keeps a warp together.
#include "analyse/lane_tiles.h"

#include <algorithm>
#include <optional>

#include "clang/AST/ParentMap.h"

#include "analyse/group_calls.h"
#include "analyse/plain_groups.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

constexpr unsigned wholeWarp = 32, fewestLanes = 4;

/// The largest value that a distance takes: a constant, or the counter of a loop between such that
/// is halved or doubled in each step and that nothing else changes.
std::optional<std::int64_t> largestOf(const clang::Expr* e, const clang::ParentMap& parents,
                                      const Uniformity& uniformity,
                                      const clang::ASTContext& context) {
  if (const auto constant = constantOf(e, context))
    return *constant >= 0 ? constant : std::nullopt;
  const clang::VarDecl* counter = namedBy(e);
  const LocalVariable* local = counter ? uniformity.find(counter) : nullptr;
  if (!local || local->escapes || !local->integer || !local->statement || !counter->hasInit() ||
      local->assignments.size() != 1)
    return std::nullopt;
  const auto first = constantOf(counter->getInit(), context);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parents.getParent(local->statement));
  const auto* step = llvm::dyn_cast<clang::BinaryOperator>(local->assignments.front());
  if (!first || *first < 0 || !loop || loop->getInit() != local->statement || !step ||
      !loop->getInc() || loop->getInc()->IgnoreParens() != step)
    return std::nullopt;
  const auto by = constantOf(step->getRHS(), context);
  switch (step->getOpcode()) {
  case clang::BO_ShrAssign:
  case clang::BO_DivAssign:
    return by && *by >= 1 && *by < 32 ? first : std::nullopt;
  case clang::BO_ShlAssign:
  case clang::BO_MulAssign: {
    const auto* test =
        loop->getCond()
            ? llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())
            : nullptr;
    if (!by || *by < 1 || *by > 32 || !test || namedBy(test->getLHS()) != counter)
      return std::nullopt;
    const auto limit = constantOf(test->getRHS(), context);
    if (!limit || *limit < 1 || *limit > wholeWarp)
      return std::nullopt;
    return test->getOpcode() == clang::BO_LT   ? std::optional(std::max(*first, *limit - 1))
           : test->getOpcode() == clang::BO_LE ? std::optional(std::max(*first, *limit))
                                               : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// How many lanes meet at a call of a header's collective; 32 of what is no tile's.
unsigned lanesAt(const GroupCall& call, const clang::ParentMap& parents,
                 const Uniformity& uniformity, const clang::ASTContext& context) {
  const auto ofGroup = [](const clang::Expr* group) {
    const unsigned lanes = group ? narrowTileSize(group->IgnoreParenImpCasts()->getType()) : 0;
    return lanes == 0 ? wholeWarp : lanes;
  };
  if (call.function || call.oneByOne || !call.targets.empty() || !call.callee ||
      !call.callee->getDeclName().isIdentifier())
    return wholeWarp;
  if (call.object)
    return ofGroup(call.object);
  const llvm::StringRef name = call.callee->getName();
  if (call.callee->getQualifiedNameAsString() == "cooperative_groups::" + name.str())
    return name == "reduce" || name == "inclusive_scan" || name == "exclusive_scan" ||
                   name == "sync"
               ? call.call->getNumArgs() > 0 ? ofGroup(call.call->getArg(0)) : wholeWarp
               : wholeWarp;
  if (!name.starts_with("__shfl_") || !name.ends_with("_sync") || call.call->getNumArgs() < 3)
    return wholeWarp;
  std::int64_t width = wholeWarp;
  if (call.call->getNumArgs() > 3 && !llvm::isa<clang::CXXDefaultArgExpr>(call.call->getArg(3)))
    width = constantOf(call.call->getArg(3), context).value_or(wholeWarp);
  if (width < 1 || width > wholeWarp || (width & (width - 1)) != 0)
    return wholeWarp;
  if (name == "__shfl_xor_sync")
    if (const auto most = largestOf(call.call->getArg(2), parents, uniformity, context))
      while (width > 1 && *most < width / 2)
        width /= 2;
  return unsigned(width);
}

/// Loops that a group goes through together: with one head, or one element of a row behind the
/// other.
unsigned loopsTogether(const std::vector<RegionNode>& nodes) {
  unsigned count = 0;
  for (const RegionNode& node : nodes)
    count += unsigned(node.kind == RegionNode::Kind::Loop && (!node.masked || node.strided)) +
             loopsTogether(node.children) + loopsTogether(node.otherwise);
  return count;
}

} // namespace

bool areOrdered(const std::vector<RegionNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const RegionNode& node) {
    return node.order != WarpOrder::None || areOrdered(node.children) || areOrdered(node.otherwise);
  });
}

unsigned lanesThatMeet(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel) {
  const Scope scope = kernel.reached.scope;
  if (!kernel.kernel || scope == Scope::None || scope > Scope::Block || kernel.awaitsOthers ||
      kernel.awaitsTime || kernel.indirectCalls || kernel.warpSynchronousAt.isValid())
    return wholeWarp;
  const GroupCalls found = findGroupCalls(unit, facts, kernel);
  if (!found.obstacle.empty())
    return wholeWarp;
  const Uniformity uniformity(kernel.decl, {}, &facts);
  const clang::ParentMap parents(kernel.decl->getBody());
  unsigned lanes = 0;
  for (const GroupCall& call : found.calls)
    if (call.scope == Scope::Warp)
      lanes = std::max(lanes, lanesAt(call, parents, uniformity, unit.context()));
  return lanes < fewestLanes ? wholeWarp : lanes;
}

bool gainsFromTiles(const Regions& byTiles, const Regions& byWarps) {
  return byTiles.obstacle.empty() && !areOrdered(byTiles.nodes) &&
         (!byWarps.obstacle.empty() || (byWarps.returns && !byTiles.returns) ||
          loopsTogether(byTiles.nodes) > loopsTogether(byWarps.nodes));
}

} // namespace cu2cpp

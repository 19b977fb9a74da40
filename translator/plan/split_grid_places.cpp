// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of kernels that only count what lies in a matrix, each thread in a column of its own: the
// blocks that an OS thread runs take one stretch of the matrix, row by row (analyse/grid_sums.h).
//
//   if (x < width)                               { cu2cpp::Counters cuCounters_bins(bins);
//     for (int y = ...; y < height; ...)     ->  cu2cpp::eachPlaceOfGrid<int, int, 0, 0>(cuBlock,
//       atomicAdd(&bins[in[y][x]], 1);             width, height, gridDim.y * blockDim.y,
//                                                  [&](const uint3 threadIdx, const int x,
//                                                      const int y) { ... }); }
//
// (So is `for (y = ...; y < height; ...) for (x = ...; x < width; ...)`, of loops in both of which
// the whole grid steps: `cu2cpp::eachPlaceInSteps<int, int, 0, 0>(cuBlock, width, gridDim.x *
// blockDim.x, height, gridDim.y * blockDim.y, ...)`.)
//
// What blocks of other such kernels do between their two barriers they do in turn, with one table,
// which the last of them adds to the grid's:
//
//   bins[t] = 0;                                   bins[t] = 0;
//   __syncthreads();                               cu2cpp::eachBlockInTurn(cuBlock, [&](...) {
//   atomicAdd(&bins[in[i]], 1);              ->      ...
//   __syncthreads();                               });
//   atomicAdd(&all[t], bins[t]);                   atomicAdd(&all[t], bins[t]);
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/grid_sums.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

bool Splitter::mayRunTogether() const {
  return inRunBlock() && !together_ && !publish_ && !mayHaveExited_ && !regions_.returns &&
         !ofSeveralBlocks() && regions_.modifiedParameters.empty() &&
         kernel_.modifiedParameters.empty() && !kernel_.awaitsOthers && !kernel_.awaitsTime &&
         waitingMark(kernel_).empty() && clusterGuard(plan_, kernel_).empty();
}

std::optional<BlocksTogether> Splitter::findTogether() const {
  if (!plan_.options.lineDirectives || turns_ || tileRow_ || !mayRunTogether())
    return std::nullopt;
  auto found = blocksTogether(plan_.unit, kernel_, plan_.facts);
  const auto isNode = [&](const clang::Stmt* barrier) {
    return std::any_of(regions_.nodes.begin(), regions_.nodes.end(), [&](const RegionNode& node) {
      return node.kind == Kind::Barrier && node.statement == barrier;
    });
  };
  if (found && isNode(found->begin) && isNode(found->end) &&
      std::all_of(found->places.begin(), found->places.end(), [&](const clang::VarDecl* place) {
        return isStored(place, Storage::Recomputed);
      }))
    return found;
  return std::nullopt;
}

namespace {

/// Whether nothing of a node's work is moved, or made by the group.
bool isPlain(const RegionNode& node) {
  return node.movedHere.empty() && node.calls.empty() && !node.oneByOne && !node.returns &&
         std::all_of(node.children.begin(), node.children.end(), isPlain) &&
         std::all_of(node.otherwise.begin(), node.otherwise.end(), isPlain);
}

const clang::Expr* stepOf(const clang::ForStmt* loop) {
  return llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())->getRHS();
}

} // namespace

bool Splitter::emitPlacesOfGrid(const RegionNode& node) {
  if (level_ != Scope::Block || inLoop_ || !plan_.options.lineDirectives || !mayRunTogether() ||
      !isPlain(node) ||
      (node.kind != Kind::Region && node.kind != Kind::Warps && node.kind != Kind::Branch))
    return false;
  std::vector<const clang::Stmt*> before = node.statements;
  if (node.kind == Kind::Branch)
    before = {node.statement};
  const clang::Stmt* const whole = before.empty() ? nullptr : before.back();
  if (!whole || parents_->getParent(whole) != body_)
    return false;
  const auto* guard = llvm::dyn_cast<clang::IfStmt>(whole);
  const auto* nest = llvm::dyn_cast<clang::ForStmt>(whole);
  const auto places = guard  ? placesOfGrid(plan_.unit, kernel_, guard, plan_.facts)
                      : nest ? placesOfGrid(plan_.unit, kernel_, nest, plan_.facts)
                             : std::nullopt;
  if (!places)
    return false;
  const clang::ForStmt *loop = places->loop, *inner = places->inner;
  const bool rowsFirst =
      !inner || llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl() == places->row;
  const clang::ForStmt* const overRows = rowsFirst ? loop : inner;
  const clang::Expr *const rowStep = stepOf(overRows), *const columnStep =
                                                           inner ? stepOf(rowsFirst ? inner : loop)
                                                                 : nullptr;
  const auto* test = llvm::cast<clang::BinaryOperator>(overRows->getCond()->IgnoreParenImpCasts());
  const Contents contents(loop->getBody());
  const auto isWritten = [](const clang::ForStmt* one) {
    return one->getBeginLoc().isMacroID() || one->getRParenLoc().isMacroID() ||
           one->getEndLoc().isMacroID();
  };
  if (!plan_.text.isWhole(rowStep) || !plan_.text.isWhole(test->getRHS()) ||
      (columnStep && !plan_.text.isWhole(columnStep)) || !plan_.text.isWhole(places->width) ||
      whole->getBeginLoc().isMacroID() || isWritten(loop) || (inner && isWritten(inner)) ||
      std::any_of(contents.declares.begin(), contents.declares.end(),
                  [&](const clang::VarDecl* variable) { return isKept(variable); }))
    return false;
  before.pop_back();
  if (!before.empty()) {
    RegionNode declarations(Kind::Region);
    declarations.statements = before;
    if (!emitRepeatedOnly(declarations))
      return false;
  }
  const FilePosition begin = beginOf(whole->getBeginLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  const auto number = [&](const clang::VarDecl* variable) {
    return typeOf(variable) + " " + variable->getNameAsString();
  };
  edits_.replace(
      {begin.file, begin.offset, endOf(loop->getRParenLoc()).offset},
      (inner ? "{ (void)blockIdx; " : "{ ") + countersBefore(loop, newline) +
          "cu2cpp::" + (inner ? "eachPlaceInSteps<" : "eachPlaceOfGrid<") + typeOf(places->column) +
          ", " + typeOf(places->row) + ", " + std::to_string(places->sizeX) + ", " +
          std::to_string(places->sizeY) + ">(cuBlock, " + expressionText(places->width) + ", " +
          (inner ? expressionText(columnStep) + ", " : "") + expressionText(test->getRHS()) + ", " +
          expressionText(rowStep) + ", [&](const uint3 threadIdx, const " + number(places->column) +
          ", const " + number(places->row) + ") CU2CPP_INLINE {");
  if (inner)
    edits_.replace(
        {begin.file, beginOf(inner->getBeginLoc()).offset, endOf(inner->getRParenLoc()).offset},
        "");
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  const FileRange body = rangeOf(inner && !list ? inner->getBody() : loop->getBody());
  // The guard's own braces end what is opened here.
  const bool ownBraces = guard && llvm::isa<clang::CompoundStmt>(guard->getThen());
  insert({body.file, behindComment(body)}, newline + (ownBraces ? "});" : "}); }"));
  anyRegion_ = true;
  return true;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tiles that are copies of a piece of an array, with its neighbours, are for GPUs; here the
// copy costs as much as what is computed from it. Blocks that lie inside of the grid read the
// array:
//
//   tile[ty][tx] = in[y * n + x];
//   if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[y * n + x - 1];
//   ...
//   __syncthreads();
//   out[y * n + x] = tile[ty][tx - 1] + ...;
//
// becomes, in one line, with what is behind the barrier twice,
//
//   const float* const cuTile_tile = in + (where tile[0][0] comes from); const int cuRow0_tile = n;
//   if (all threads' conditions hold) {
//     __syncthreads();
//     out[y * n + x] = cuTile_tile[ty * cuRow0_tile + (tx - 1)] + ...;
//   } else { tile[ty][tx] = ...; __syncthreads(); ... }
//
// Each element that is written must come from the same place of the array, counted from the tile's
// first, wherever the block lies: indices are compared as sums of products (uniform_sums.h). What
// is stored behind the barrier must not lie in the piece that is read.
#include "analyse/analyses.h"

#include "analyse/read_through.h"
#include <algorithm>
#include <set>

#include <algorithm>

namespace cu2cpp {
namespace {

/// Reads one kernel, and writes the way around its copies if there is one.
void readThrough(const SourceUnit& unit, const SourceText& text, const clang::FunctionDecl* kernel,
                 const Facts& facts, PlainChanges& changes) {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(kernel->getBody());
  if (!list)
    return;
  const copies::Statements all(list->body_begin(), list->body_end());
  const auto barrier = std::find_if(all.begin(), all.end(), isBarrier);
  if (barrier == all.end() || barrier + 1 == all.end())
    return;
  copies::InsideGrid inside(unit, kernel, facts);
  const auto copied = copies::findCopies(inside, unit, {all.begin(), barrier});
  const auto reads =
      copied ? copies::findReads(inside, *copied, kernel, {barrier + 1, all.end()}) : std::nullopt;
  if (reads)
    copies::writeReads(inside, *copied, *reads, unit, text, list, changes);
}

} // namespace

TextsByFile readThroughTiles(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  PlainChanges changes;
  for (const auto& [place, f] : facts.functions)
    if (f.kernel && f.decl->getBody() && unit.isUser(f.decl->getLocation()) &&
        unit.pathOf(unit.sources().getFileID(f.decl->getLocation())) == unit.mainFile() &&
        !f.decl->getBody()->getBeginLoc().isMacroID())
      readThrough(unit, text, f.decl, facts, changes);
  TextsByFile out;
  for (const auto& [file, edits] : changes) {
    std::string changed = unit.userText(file).str();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      changed.replace(edit->first, edit->second.first - edit->first, edit->second.second);
    out[file] = std::move(changed);
  }
  return out;
}

} // namespace cu2cpp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that one thread of a row takes, or one row of a block, or few of them:
//
//   v = s[t];
//   if (i < n) out[i] = v;
//   if (t == blockDim.x - 1) sums[blockIdx.x] = v;      v is kept for each thread
//
// In a loop of its own such a branch does not keep what all threads do from running in vectors.
#pragma once

#include <set>
#include <vector>

#include "analyse/regions.h"
#include "analyse/uniformity.h"

namespace cu2cpp {

/// asksForFew() tells whether a condition asks for one thread of each row, or for one row, or for
/// the few first of these.
bool asksForFew(const clang::Expr* condition, const Uniformity& variables,
                const clang::ASTContext& context);

/// readAtEnds() are numbers of single regions of a block that get their only value there, and that
/// a branch for few threads at the region's end reads.
std::set<const clang::VarDecl*> readAtEnds(const std::vector<RegionNode>& nodes,
                                           const Uniformity& variables,
                                           const clang::ASTContext& context);

} // namespace cu2cpp

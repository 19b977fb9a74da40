// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel's body divides at its block barriers. Code between two barriers is a region, which the threads of a block
// can run one after the other; control flow around a barrier must be the same for all threads and is run once:
//
//   int i = threadIdx.x;                region   (i is recomputed in each region)
//   for (int k = 0; k < n; ++k) {       loop, run once for the block
//     s[i] = a[k * 64 + i];               region
//     __syncthreads();                    barrier
//     sum += s[63 - i];                   region  (sum is kept for each thread)
//     __syncthreads();                    barrier
//   }
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analyse/uniformity.h"

namespace cu2cpp {

struct RegionNode {
  enum class Kind {
    Region,    ///< statements that each thread runs
    Barrier,   ///< a block barrier: vanishes
    Statement, ///< run once for the block
    Shared,    ///< a declaration that moves to the kernel's head
    Loop,      ///< for, while or do around a barrier; children are its body
    Branch,    ///< if around a barrier; children and otherwise are its branches
    Block      ///< braces around a barrier
  };
  explicit RegionNode(Kind kind) : kind(kind) {}

  Kind kind;
  const clang::Stmt* statement = nullptr;        ///< but for Region
  std::vector<const clang::Stmt*> statements;    ///< of a Region, in order
  std::vector<const clang::DeclStmt*> movedHere; ///< uniform declarations from inside a Region, run before it
  std::vector<RegionNode> children;
  std::vector<RegionNode> otherwise;
  std::set<const clang::VarDecl*> uses; ///< local variables that a Region names
  bool returns = false;                 ///< some thread may return inside
};

/// Where a local variable that more than one region names lives.
enum class Storage {
  Block,      ///< uniform: one variable outside the thread loops
  Recomputed, ///< its declaration is repeated in each region that needs it
  PerThread   ///< one value for each thread of the block
};

struct Regions {
  /// obstacle says why the kernel cannot be split; empty if it can.
  std::string obstacle;
  clang::SourceLocation obstacleAt;
  std::vector<RegionNode> nodes;
  /// Variables that need more than a local of one region.
  std::map<const clang::VarDecl*, Storage> storage;
  std::map<const clang::VarDecl*, const clang::DeclStmt*> statements; ///< their declarations; parameters have none
  bool returns = false; ///< some thread may return before others
};

} // namespace cu2cpp

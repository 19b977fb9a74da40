// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CU2CPP_BACKEND_SHORT_BRANCHES_H
#define CU2CPP_BACKEND_SHORT_BRANCHES_H
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/BasicBlock.h"

namespace cu2cpp {

/// Makes selections of branches that end in some blocks of a function's loops, where both ways only
/// compute a few integers. Tells whether there were any. What is known of the loops is void then.
bool selectInShortBranches(const std::vector<llvm::BasicBlock*>& blocks,
                           llvm::ScalarEvolution& known);

using BlockSet = llvm::SmallPtrSetImpl<const llvm::BasicBlock*>;

/// isOfMemory() tells whether a value is made of something that is loaded in some blocks.
bool isOfMemory(const llvm::Value* value, const BlockSet& blocks, unsigned depth = 0);

/// asksVariable() tells whether all that is asked is a number of the function's variable as it is:
/// sets of lanes that run are such, and lanes are mostly in them as their neighbours are. Truth
/// values that threads keep (`const bool takes = key > least;` in front of a barrier) are bytes.
bool asksVariable(const llvm::Value* condition);

} // namespace cu2cpp

#endif

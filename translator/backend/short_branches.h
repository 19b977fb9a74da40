// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CU2CPP_BACKEND_SHORT_BRANCHES_H
#define CU2CPP_BACKEND_SHORT_BRANCHES_H
#include <vector>

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/BasicBlock.h"

namespace cu2cpp {

/// Makes selections of branches that end in some blocks of a function's loops, where both ways only
/// compute a few integers. Tells whether there were any. What is known of the loops is void then.
bool selectInShortBranches(const std::vector<llvm::BasicBlock*>& blocks,
                           llvm::ScalarEvolution& known);

} // namespace cu2cpp

#endif

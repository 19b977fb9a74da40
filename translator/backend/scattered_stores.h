// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CU2CPP_BACKEND_SCATTERED_STORES_H
#define CU2CPP_BACKEND_SCATTERED_STORES_H
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace cu2cpp {

/// storesInRow() tells whether iterations of the loop that follow each other store to one place or
/// to neighbours.
bool storesInRow(llvm::StoreInst& store, llvm::Loop& loop, llvm::ScalarEvolution& known);

} // namespace cu2cpp

#endif

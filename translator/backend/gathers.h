// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers in whose place something faster loads the same, where a condition holds.
#ifndef CU2CPP_BACKEND_GATHERS_H
#define CU2CPP_BACKEND_GATHERS_H
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cu2cpp {

/// loadWhere() loads by `load` where `holds`, as is likely, and gathers elsewhere.
void loadWhere(llvm::IntrinsicInst* gather, llvm::Value* holds,
               llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> load);

} // namespace cu2cpp

#endif

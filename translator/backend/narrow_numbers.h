// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes before the vectorisers about how wide a vector of threads is.
#ifndef CU2CPP_BACKEND_NARROW_NUMBERS_H
#define CU2CPP_BACKEND_NARROW_NUMBERS_H

#include "llvm/IR/PassManager.h"

namespace cu2cpp {

/// Loops over threads that compute much with numbers of 32 bits and little with wider ones get
/// vectors as wide as the narrow numbers need.
class NarrowNumbers : public llvm::PassInfoMixin<NarrowNumbers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

} // namespace cu2cpp

#endif

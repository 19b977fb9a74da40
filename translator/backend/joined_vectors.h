// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that shuffles put one behind the other.
#ifndef CU2CPP_BACKEND_JOINED_VECTORS_H
#define CU2CPP_BACKEND_JOINED_VECTORS_H

#include "llvm/IR/Instructions.h"

namespace cu2cpp {

inline llvm::FixedVectorType* vectorType(const llvm::Value* value) {
  return llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
}

/// vectorAt() is the vector of which a value's `lanes` lanes from `from` on are all lanes, in
/// order; null if there is none.
inline llvm::Value* vectorAt(llvm::Value* value, int from, int lanes) {
  const int all = int(vectorType(value)->getNumElements());
  if (all == lanes)
    return from == 0 ? value : nullptr;
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
  if (!shuffle || from < 0 || from + lanes > all)
    return nullptr;
  const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
  for (int lane = 0; lane < lanes; ++lane)
    if (mask[from] < 0 || mask[from + lane] != mask[from] + lane)
      return nullptr;
  const int width = int(vectorType(shuffle->getOperand(0))->getNumElements());
  return mask[from] < width ? vectorAt(shuffle->getOperand(0), mask[from], lanes)
                            : vectorAt(shuffle->getOperand(1), mask[from] - width, lanes);
}

} // namespace cu2cpp

#endif

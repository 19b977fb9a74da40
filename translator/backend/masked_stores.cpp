// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are stored under a mask (`if (i < n) a[i] = ...` for 8 threads at once).
//
// AMD's processors take as long for such a store as for a store of each element, and no load of the
// place gets its value before it is done. Masks are full for nearly all vectors of a kernel, so
// that is asked first. (To load, blend and store a vector as a whole is no way: lanes outside of
// the mask may stand for memory that is another thread's.)
#include "kernel_passes.h"

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace {

/// Whether it is a call of llvm.masked.store with a mask that is only known when it runs.
bool isMaskedStore(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == llvm::Intrinsic::masked_store &&
         !llvm::isa<llvm::Constant>(call->getArgOperand(3)) &&
         llvm::isa<llvm::FixedVectorType>(call->getArgOperand(0)->getType());
}

void askForFullMask(llvm::CallInst* store) {
  llvm::Value *const value = store->getArgOperand(0), *const place = store->getArgOperand(1),
                     *const mask = store->getArgOperand(3);
  const auto alignment =
      llvm::cast<llvm::ConstantInt>(store->getArgOperand(2))->getMaybeAlignValue();
  llvm::IRBuilder<> at(store);
  auto* const bits =
      at.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
  llvm::Value* const isFull =
      at.CreateICmpEQ(at.CreateBitCast(mask, bits), llvm::ConstantInt::getAllOnesValue(bits));
  llvm::Instruction *full = nullptr, *part = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      isFull, store, &full, &part,
      llvm::MDBuilder(store->getContext()).createBranchWeights(1000, 1));
  llvm::IRBuilder<>(full).CreateAlignedStore(value, place, alignment);
  store->moveBefore(part);
}

} // namespace

llvm::PreservedAnalyses cu2cpp::MaskedStores::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager&) {
  if (!hasPoorStores(f))
    return llvm::PreservedAnalyses::all();
  std::vector<llvm::CallInst*> stores;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (isMaskedStore(i))
        stores.push_back(llvm::cast<llvm::CallInst>(&i));
  for (llvm::CallInst* store : stores)
    askForFullMask(store);
  return stores.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

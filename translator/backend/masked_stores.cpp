// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are stored under a mask (`if (i < n) a[i] = ...` for 8 threads at once).
//
// AMD's processors take as long for such a store as for a store of each element, and no load of the
// place gets its value before it is done. Masks are full for nearly all vectors of a kernel, so
// that is asked first. (To load, blend and store a vector as a whole is no way: lanes outside of
// the mask may stand for memory that is another thread's.)
//
// In variables of the function that nobody else is told of, such as a block's shared memory and
// what is kept for each of its threads, it is a way, where the whole vector lies in the variable:
//
//   if (d[i + s] < d[i]) d[i] = d[i + s];   ->   d[i] = d[i + s] < d[i] ? d[i + s] : d[i];
#include "kernel_passes.h"

#include <vector>

#include "own_variables.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace {

/// Whether it is a call of llvm.masked.store with a mask that is only known when it runs. (One that
/// all lanes agree on is a branch: uniform_masks.)
bool isMaskedStore(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == llvm::Intrinsic::masked_store &&
         !llvm::isa<llvm::Constant>(call->getArgOperand(3)) &&
         !llvm::getSplatValue(call->getArgOperand(3)) &&
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

/// True where a vector of so many bytes at `place` lies in one of the variables; null if there is
/// no such place.
llvm::Value* isWithin(llvm::IRBuilder<>& at, const std::vector<llvm::AllocaInst*>& variables,
                      llvm::Value* place, std::uint64_t bytes) {
  const llvm::DataLayout& layout = at.GetInsertBlock()->getModule()->getDataLayout();
  llvm::Value* within = nullptr;
  for (llvm::AllocaInst* variable : variables) {
    const auto size = variable->getAllocationSize(layout);
    if (!size || size->isScalable() || size->getFixedValue() < bytes)
      continue;
    auto* const number = layout.getIntPtrType(place->getType());
    llvm::Value* const distance =
        at.CreateSub(at.CreatePtrToInt(place, number), at.CreatePtrToInt(variable, number));
    llvm::Value* const is =
        at.CreateICmpULE(distance, llvm::ConstantInt::get(number, size->getFixedValue() - bytes));
    within = within ? at.CreateOr(within, is) : is;
  }
  return within;
}

/// Whether a store was made one that needs no mask.
bool blendInto(llvm::CallInst* store, const std::vector<llvm::AllocaInst*>& variables) {
  llvm::Value *const value = store->getArgOperand(0), *const place = store->getArgOperand(1),
                     *const mask = store->getArgOperand(3);
  const auto alignment =
      llvm::cast<llvm::ConstantInt>(store->getArgOperand(2))->getMaybeAlignValue();
  const llvm::DataLayout& layout = store->getModule()->getDataLayout();
  llvm::IRBuilder<> at(store);
  llvm::Value* const within =
      isWithin(at, variables, place, layout.getTypeStoreSize(value->getType()).getFixedValue());
  if (!within)
    return false;
  llvm::Instruction *whole = nullptr, *part = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      within, store, &whole, &part,
      llvm::MDBuilder(store->getContext()).createBranchWeights(1000, 1));
  llvm::IRBuilder<> here(whole);
  llvm::Value* const before = here.CreateAlignedLoad(value->getType(), place, alignment);
  here.CreateAlignedStore(here.CreateSelect(mask, value, before), place, alignment);
  store->moveBefore(part);
  return true;
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
  // All are asked for before anything is changed: what asks where a place lies tells of it.
  cu2cpp::OwnVariables own(true);
  std::vector<std::vector<llvm::AllocaInst*>> variables;
  for (const llvm::CallInst* store : stores)
    variables.push_back(own.around(store->getArgOperand(1)));
  for (std::size_t i = 0; i < stores.size(); ++i)
    if (!blendInto(stores[i], variables[i]))
      askForFullMask(stores[i]);
  return stores.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

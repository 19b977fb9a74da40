// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that all lanes load from one place, if they load:
//
//   if (j != i) r = x - tile[row][j];
//
// clang gathers what is loaded under a condition, wherever it lies. Here the place is loaded once,
// or a zero where no lane asks: the place may be in no page then.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace {

/// What is the same in all lanes of a vector; null if that is not seen. A scalar is itself.
llvm::Value* sameInLanes(llvm::Value* value) {
  return value->getType()->isVectorTy() ? llvm::getSplatValue(value) : value;
}

/// The one place of a vector of places, computed by `at`; null if lanes may have different ones.
llvm::Value* onePlace(llvm::Value* places, llvm::IRBuilder<>& at) {
  if (llvm::Value* const same = sameInLanes(places))
    return same;
  auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(places);
  if (!element)
    return nullptr;
  llvm::Value* const base = sameInLanes(element->getPointerOperand());
  if (!base)
    return nullptr;
  llvm::SmallVector<llvm::Value*> indices;
  for (llvm::Value* index : element->indices()) {
    indices.push_back(sameInLanes(index));
    if (!indices.back())
      return nullptr;
  }
  return at.CreateGEP(element->getSourceElementType(), base, indices);
}

/// A place of any number that can always be loaded from.
llvm::Constant* zero(llvm::Module& module) {
  constexpr unsigned bytes = 64;
  if (llvm::GlobalVariable* const made = module.getGlobalVariable("cuNoPlace", true))
    return made;
  llvm::Type* const type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), bytes);
  auto* const out = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                             llvm::Constant::getNullValue(type), "cuNoPlace");
  out->setAlignment(llvm::Align(bytes));
  return out;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::UniformGathers::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> gathers;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather &&
          llvm::isa<llvm::FixedVectorType>(call->getType()) &&
          !llvm::isa<llvm::Constant>(call->getArgOperand(2)))
        gathers.push_back(call);
  bool changed = false;
  for (llvm::IntrinsicInst* gather : gathers) {
    llvm::IRBuilder<> at(gather);
    llvm::Value* const place = onePlace(gather->getArgOperand(0), at);
    if (!place || place->getType()->getPointerAddressSpace() != 0)
      continue;
    const auto* const vector = llvm::cast<llvm::FixedVectorType>(gather->getType());
    llvm::Type* const type = vector->getElementType();
    const llvm::Align align(
        llvm::cast<llvm::ConstantInt>(gather->getArgOperand(1))->getZExtValue());
    llvm::Value* const mask = at.CreateFreeze(gather->getArgOperand(2));
    llvm::Value* const asked =
        at.CreateSelect(at.CreateOrReduce(mask), place, zero(*f.getParent()));
    llvm::Value* const loaded =
        at.CreateVectorSplat(vector->getNumElements(), at.CreateAlignedLoad(type, asked, align));
    llvm::Value* const other = gather->getArgOperand(3);
    gather->replaceAllUsesWith(
        llvm::isa<llvm::UndefValue>(other) ? loaded : at.CreateSelect(mask, loaded, other));
    gather->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

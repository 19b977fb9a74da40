// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are loaded or stored under a mask of which one part is a condition for all lanes
// (`if (row < rows && x < width) t = a[row * width + x];`). Where it does not hold the place may be
// in no page, or in none that may be written: processors then take hundreds of cycles to find that
// no lane asks. So that is asked first. Where the condition is all of the mask (`if (step == 1)
// first[x] = v;`), what is left is a load or a store of the whole vector.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace {

using namespace llvm::PatternMatch;

/// The condition without which a mask is empty, and the mask where it holds: null where it is full
/// then.
struct UniformMask {
  llvm::Value* condition = nullptr;
  bool holds = true;
  llvm::Value* rest = nullptr;
};
UniformMask uniformPart(llvm::Value* mask) {
  UniformMask out;
  llvm::Value *condition = nullptr, *rest = nullptr;
  if (match(mask, m_Select(m_Value(condition), m_Value(rest), m_Zero())) &&
      condition->getType()->isIntegerTy())
    return {condition, true, rest};
  if (match(mask, m_Select(m_Value(condition), m_Zero(), m_Value(rest))) &&
      condition->getType()->isIntegerTy())
    return {condition, false, rest};
  if (match(mask, m_c_And(m_Shuffle(m_InsertElt(m_Value(), m_Value(condition), m_ZeroInt()),
                                    m_Value(), m_ZeroMask()),
                          m_Value(rest))))
    return {condition, true, rest};
  if (condition = llvm::getSplatValue(mask); condition && !llvm::isa<llvm::Constant>(condition))
    return {condition, true, nullptr};
  return out;
}

/// A load or store as it is where its mask is full.
llvm::Value* withoutMask(llvm::IntrinsicInst& call, bool load) {
  llvm::IRBuilder<> at(&call);
  const auto alignment =
      llvm::cast<llvm::ConstantInt>(call.getArgOperand(load ? 1 : 2))->getMaybeAlignValue();
  llvm::Instruction* whole = nullptr;
  if (load)
    whole = at.CreateAlignedLoad(call.getType(), call.getArgOperand(0), alignment);
  else
    whole = at.CreateAlignedStore(call.getArgOperand(0), call.getArgOperand(1), alignment);
  whole->setAAMetadata(call.getAAMetadata());
  return whole;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::UniformMasks::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager&) {
  if (!f.getFnAttribute("target-features").getValueAsString().contains("+avx2"))
    return llvm::PreservedAnalyses::all();
  std::vector<std::pair<llvm::IntrinsicInst*, UniformMask>> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      const bool load = call && call->getIntrinsicID() == llvm::Intrinsic::masked_load,
                 store = call && call->getIntrinsicID() == llvm::Intrinsic::masked_store;
      if (!load && !store)
        continue;
      if (const UniformMask mask = uniformPart(call->getArgOperand(load ? 2 : 3)); mask.condition)
        found.push_back({call, mask});
    }
  for (const auto& [call, mask] : found) {
    const bool load = call->getIntrinsicID() == llvm::Intrinsic::masked_load;
    llvm::Value* const otherwise = load ? call->getArgOperand(3) : nullptr;
    llvm::BasicBlock* const before = call->getParent();
    llvm::Instruction* const asked = call->getNextNode();
    llvm::IRBuilder<> at(call);
    // (Nothing may be known of a condition that no lane comes to.)
    llvm::Value* const condition = at.CreateFreeze(mask.condition);
    llvm::Value* const holds = mask.holds ? condition : at.CreateNot(condition);
    llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(holds, call, false);
    call->moveBefore(then);
    llvm::Value* loaded = call;
    if (mask.rest)
      call->setArgOperand(load ? 2 : 3, mask.rest);
    else
      loaded = withoutMask(*call, load);
    if (load && !call->use_empty()) {
      llvm::IRBuilder<> behind(asked);
      behind.SetInsertPoint(asked->getParent(), asked->getParent()->begin());
      llvm::PHINode* const value = behind.CreatePHI(call->getType(), 2);
      call->replaceAllUsesWith(value);
      value->addIncoming(loaded, then->getParent());
      value->addIncoming(otherwise, before);
    }
    if (!mask.rest)
      call->eraseFromParent();
  }
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads that load where other loads tell (`x[column[j]]`) may gather.
//
// clang++ takes AMD's gathers for slow. Where places are a constant apart single loads are indeed
// faster; but places that lie in a vector would be taken out of it one by one, and under a mask
// (the last numbers of a row) with a branch for each. So do loops that keep places within bounds
// (`x[min(i, n - 1)]`): most of what they gather is then found to be a row (rows_of_gathers.cpp).
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace {

/// Whether a place is the lesser or greater of two, or one of two, plus what the loop does not
/// change.
bool isWithinBounds(const llvm::Value* place, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  if (depth > deepest || loop.isLoopInvariant(place))
    return false;
  if (llvm::isa<llvm::SelectInst, llvm::MinMaxIntrinsic>(place))
    return true;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(place);
  if (!i || (!llvm::isa<llvm::CastInst>(i) && i->getOpcode() != llvm::Instruction::Add &&
             i->getOpcode() != llvm::Instruction::Sub))
    return false;
  for (const llvm::Value* part : i->operands())
    if (isWithinBounds(part, loop, depth + 1))
      return true;
  return false;
}

bool isBounded(const llvm::LoadInst& load, const llvm::Loop& loop) {
  if (!load.getType()->isFloatTy() && !load.getType()->isDoubleTy() &&
      !load.getType()->isIntegerTy(32) && !load.getType()->isIntegerTy(64))
    return false;
  const llvm::Value* place = load.getPointerOperand();
  while (const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(place)) {
    for (const llvm::Value* index : part->indices())
      if (isWithinBounds(index, loop))
        return true;
    place = part->getPointerOperand();
  }
  return false;
}

/// Whether an address has an index that was itself loaded in the same piece of code.
bool isIndirect(const llvm::LoadInst& load) {
  if (!load.getType()->isFloatTy() && !load.getType()->isDoubleTy() &&
      !load.getType()->isIntegerTy(32) && !load.getType()->isIntegerTy(64))
    return false;
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand());
  if (!address || address->getNumIndices() != 1)
    return false;
  const llvm::Value* index = address->getOperand(1);
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index))
    index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
  const auto* place = llvm::dyn_cast<llvm::LoadInst>(index);
  return place && place->getParent() == load.getParent();
}

/// Whether a loop has to become vectors. (Loops that a thread has of its own are better left alone:
/// their steps are few, and not neighbours.)
bool isOverThreads(const llvm::Loop* loop) {
  return loop && loop->isInnermost() &&
         llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable");
}

} // namespace

llvm::PreservedAnalyses cu2cpp::IndirectLoads::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager& analyses) {
  const std::string features = f.getFnAttribute("target-features").getValueAsString().str();
  if (!hasPoorStores(f) || llvm::StringRef(features).contains("fast-gather"))
    return llvm::PreservedAnalyses::all();
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  for (const llvm::BasicBlock& block : f)
    for (const llvm::Instruction& i : block)
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
          load && isOverThreads(loops.getLoopFor(&block)) &&
          (isIndirect(*load) || isBounded(*load, *loops.getLoopFor(&block)))) {
        f.addFnAttr("target-features", features + ",+fast-gather");
        // What is known of the processor is told by function and kept.
        analyses.clear(f, f.getName());
        return llvm::PreservedAnalyses::none();
      }
  return llvm::PreservedAnalyses::all();
}

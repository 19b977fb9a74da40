// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang takes as many threads for a vector as the widest number in a loop allows: of a hash's
// hundreds of operations with 32 bits, and one sum of 64 bits besides, half a register is used.
//
//   h = rounds(i); sum += h.x;     // unsigned long long sum: vectors of 4 with AVX2, not 8
//
// Where nearly all that a loop computes is narrow, the few wide numbers take two registers each.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

constexpr const char width[] = "llvm.loop.vectorize.width";
constexpr unsigned bitsOfNarrow = 32;

/// What a loop computes, in operations.
struct Work {
  unsigned narrow = 0, wide = 0;
  bool isKnown = true;
};

Work workOf(const llvm::Loop& loop, llvm::ScalarEvolution& known) {
  Work work;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      if (llvm::isa<llvm::PHINode>(i) && block != loop.getHeader())
        continue;
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      if (call && !llvm::isa<llvm::IntrinsicInst>(call))
        work.isKnown = false;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      llvm::Type* const type = store ? store->getValueOperand()->getType()
                               : llvm::isa<llvm::ICmpInst, llvm::FCmpInst>(i)
                                   ? i.getOperand(0)->getType()
                                   : i.getType();
      if (llvm::isa<llvm::GetElementPtrInst>(i) ||
          !(type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()))
        continue;
      // Places and what is counted.
      if (!store && known.isSCEVable(i.getType()) &&
          llvm::isa<llvm::SCEVAddRecExpr>(known.getSCEV(&i)))
        continue;
      const unsigned bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
      work.wide += bits > bitsOfNarrow;
      work.narrow += bits == bitsOfNarrow && !llvm::isa<llvm::LoadInst, llvm::StoreInst>(i);
    }
  return work;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::NarrowNumbers::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager& analyses) {
  constexpr unsigned leastWork = 256, mostWide = 16; // of 256 narrow ones
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const unsigned bits =
      unsigned(analyses.getResult<llvm::TargetIRAnalysis>(f)
                   .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                   .getFixedValue());
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable") ||
        llvm::findStringMetadataForLoop(loop, width))
      continue;
    const Work work = workOf(*loop, known);
    if (!work.isKnown || work.wide == 0 || work.narrow < leastWork ||
        work.wide * 256 > work.narrow * mostWide)
      continue;
    llvm::addStringMetadataToLoop(loop, width, bits / bitsOfNarrow);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

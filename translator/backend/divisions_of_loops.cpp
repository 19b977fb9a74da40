// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A division of numbers that are the same for all threads of a loop, under a condition on the
// thread, is done once in front of the loop:
//
//   for (each thread)                                   at = row % (height != 0 ? height : 1);
//     if (flag[x])                                      for (each thread)
//       out[x] = in[row % height * width + x];   ->       if (flag[x])
//                                                           out[x] = in[at * width + x];
//
// LLVM 19 would make vectors of such a loop in which the division is done if the condition holds
// for the first lane of the vector, and the place of all lanes depends on it: wrong values, or none
// of the program's memory.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

bool isDivision(const llvm::Instruction& i) {
  return i.isIntDivRem() && !i.getType()->isVectorTy();
}

/// The divisor, or 1 where the program must not divide by it: nothing may stop here.
llvm::Value* safeDivisor(llvm::IRBuilder<>& builder, llvm::Value* dividend, llvm::Value* divisor,
                         bool isSigned) {
  llvm::Type* type = divisor->getType();
  llvm::Value* stops = builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
  if (isSigned) {
    const unsigned bits = type->getIntegerBitWidth();
    llvm::Value* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    stops = builder.CreateOr(
        stops,
        builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
                          builder.CreateICmpEQ(dividend, least)));
  }
  return builder.CreateSelect(stops, llvm::ConstantInt::get(type, 1), divisor);
}

} // namespace

llvm::PreservedAnalyses cu2cpp::DivisionsOfLoops::run(llvm::Function& f,
                                                      llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    // In the order of execution: a quotient may be divided again.
    std::vector<llvm::Instruction*> divisions;
    llvm::LoopBlocksRPO order(loop);
    order.perform(&loops);
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& i : *block)
        if (isDivision(i))
          divisions.push_back(&i);
    for (llvm::Instruction* division : divisions) {
      llvm::BasicBlock* before = loop->getLoopPreheader();
      if (!before)
        before = llvm::InsertPreheaderForLoop(
            loop, &analyses.getResult<llvm::DominatorTreeAnalysis>(f), &loops, nullptr, false);
      if (!before)
        break;
      llvm::Value *dividend = division->getOperand(0), *divisor = division->getOperand(1);
      bool moved = false;
      const bool invariant = loop->makeLoopInvariant(dividend, moved, before->getTerminator()) &&
                             loop->makeLoopInvariant(divisor, moved, before->getTerminator());
      changed |= moved;
      if (!invariant)
        continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      builder.SetCurrentDebugLocation(division->getDebugLoc());
      // Neither is known to be a number where the loop's condition fails.
      llvm::Value* safeDividend = builder.CreateFreeze(dividend);
      llvm::Value* number = builder.CreateFreeze(divisor);
      const bool isSigned = division->getOpcode() == llvm::Instruction::SDiv ||
                            division->getOpcode() == llvm::Instruction::SRem;
      division->setOperand(0, safeDividend);
      division->setOperand(1, safeDivisor(builder, safeDividend, number, isSigned));
      division->dropPoisonGeneratingFlags();
      division->moveBefore(before->getTerminator());
      division->dropUnknownNonDebugMetadata();
      changed = true;
    }
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserve<llvm::DominatorTreeAnalysis>();
  kept.preserve<llvm::LoopAnalysis>();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads of a loop load from one place (`coefficients[2]` of __constant__ memory) is
// loaded in front of the loop:
//
//   for (each thread)                              w = coefficients[2];
//     out[x] = coefficients[2] * in[x + 2];   ->   for (each thread)
//                                                    out[x] = w * in[x + 2];
//
// clang cannot tell whether `out` is that memory, and would load it again for each vector. In a
// loop whose steps do not depend on each other no step stores what another one loads.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// More would leave too few registers to the loop.
constexpr unsigned mostLoads = 8;

/// The loads that each step of the loop begins with, before it stores anything.
std::vector<llvm::LoadInst*> loadsOfAll(const llvm::Loop& loop) {
  std::vector<llvm::LoadInst*> out;
  for (llvm::Instruction& i : *loop.getHeader()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        load && load->isSimple() && loop.isLoopInvariant(load->getPointerOperand()) &&
        load->getType()->isFloatingPointTy())
      out.push_back(load);
    if (i.mayWriteToMemory() || !llvm::isGuaranteedToTransferExecutionToSuccessor(&i))
      break;
  }
  return out;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::LoadsOfLoops::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->isAnnotatedParallel() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    const std::vector<llvm::LoadInst*> loads = loadsOfAll(*loop);
    if (loads.empty() || loads.size() > mostLoads)
      continue;
    llvm::BasicBlock* before = loop->getLoopPreheader();
    if (!before)
      before = llvm::InsertPreheaderForLoop(
          loop, &analyses.getResult<llvm::DominatorTreeAnalysis>(f), &loops, nullptr, false);
    if (!before)
      continue;
    for (llvm::LoadInst* load : loads) {
      load->moveBefore(before->getTerminator());
      // What is known of it is known of a step.
      load->dropUnknownNonDebugMetadata({llvm::LLVMContext::MD_tbaa});
    }
    changed = true;
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserve<llvm::DominatorTreeAnalysis>();
  kept.preserve<llvm::LoopAnalysis>();
  return kept;
}

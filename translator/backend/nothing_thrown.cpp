// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads tell clang that threads do not depend on each other, by a mark on each access
// to memory in them. What a loop calls gets the mark when it becomes part of the loop. But where
// something with a destructor is alive around the loop (values that threads keep), the call may
// first become one that cleans up if an exception comes, and that one loses the mark: the loop asks
// at run time whether arrays overlap, or makes no vectors. Kernels throw no exceptions.
#include "kernel_passes.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

llvm::PreservedAnalyses cu2cpp::NothingThrown::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager&) {
  // Loops of the user's own on the host may throw.
  if (!f.getName().starts_with("_ZN6cu2cpp"))
    return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
          call && call->hasMetadata(llvm::LLVMContext::MD_access_group) && !call->doesNotThrow()) {
        call->setDoesNotThrow();
        changed = true;
      }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

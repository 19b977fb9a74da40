// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels have a second version for blocks of sizes that no launch shows (RareBlock), whose threads
// run one after the other. Short loops that are written out (CU2CPP_UNROLL) keep arrays of a thread
// in registers and give vectors straight code. Without vectors that gains little, and it is as
// much code again: it took compilers longer than the version that runs. So these loops stay loops.
#include "kernel_passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace {

/// Whether a function is for such blocks alone: its name tells of their type.
bool isForRareBlocks(const llvm::Function& f) { return f.getName().contains("9RareBlock"); }

/// A loop's mark that says to leave it a loop, in the place of one that says to write it out; none
/// if it says no such thing.
llvm::MDNode* rolled(const llvm::MDNode& mark) {
  llvm::LLVMContext& context = mark.getContext();
  llvm::SmallVector<llvm::Metadata*> parts = {nullptr};
  bool isUnrolled = false;
  for (const llvm::MDOperand& part : llvm::drop_begin(mark.operands())) {
    const auto* const node = llvm::dyn_cast<llvm::MDNode>(part.get());
    const auto* const name = node && node->getNumOperands() != 0
                                 ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0))
                                 : nullptr;
    if (name && name->getString().starts_with("llvm.loop.unroll."))
      isUnrolled |= name->getString() != "llvm.loop.unroll.disable";
    else
      parts.push_back(part.get());
  }
  if (!isUnrolled)
    return nullptr;
  parts.push_back(
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable")));
  llvm::MDNode* const made = llvm::MDNode::getDistinct(context, parts);
  made->replaceOperandWith(0, made);
  return made;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::RareBlocks::run(llvm::Function& f, llvm::FunctionAnalysisManager&) {
  if (!isForRareBlocks(f))
    return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock& block : f)
    if (llvm::Instruction* const end = block.getTerminator())
      if (const llvm::MDNode* const mark = end->getMetadata(llvm::LLVMContext::MD_loop))
        if (llvm::MDNode* const other = rolled(*mark))
          end->setMetadata(llvm::LLVMContext::MD_loop, other);
  return llvm::PreservedAnalyses::all();
}

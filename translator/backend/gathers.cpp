// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gathers.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

void cu2cpp::loadWhere(llvm::IntrinsicInst* gather, llvm::Value* holds,
                       llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> load) {
  llvm::Instruction *fast = nullptr, *single = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      holds, gather, &fast, &single,
      llvm::MDBuilder(gather->getContext()).createBranchWeights(1000, 1));
  llvm::IRBuilder<> here(fast);
  llvm::Value* const loaded = load(here);
  llvm::BasicBlock* const behind = gather->getParent();
  gather->moveBefore(single);
  llvm::PHINode* const value = llvm::PHINode::Create(gather->getType(), 2, "", behind->begin());
  gather->replaceAllUsesWith(value);
  value->addIncoming(loaded, fast->getParent());
  value->addIncoming(gather, single->getParent());
}

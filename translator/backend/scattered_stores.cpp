// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads are forced into vectors, since nothing but that tells clang that threads are
// independent. Where a thread's neighbour stores far away (trees of scans, sorts by digits), a
// vector's lanes are stored one by one, each behind a branch of its own if they store under a
// condition: the scalar loop is up to 1.4 times as fast. What clang knows of costs decides there.
// Such loops choose between values, and do not branch.
#include "kernel_passes.h"
#include "short_branches.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

constexpr const char force[] = "llvm.loop.vectorize.enable";

/// Whether iterations of the loop that follow each other store to one place or to neighbours.
bool storesInRow(llvm::StoreInst& store, llvm::Loop& loop, llvm::ScalarEvolution& known) {
  const llvm::SCEV* place = known.getSCEV(store.getPointerOperand());
  if (known.isLoopInvariant(place, &loop))
    return true;
  const auto* places = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
  if (!places || places->getLoop() != &loop || !places->isAffine())
    return false;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(places->getStepRecurrence(known));
  const llvm::TypeSize size =
      store.getModule()->getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return step && step->getAPInt().abs() == size.getFixedValue();
}

bool hasScatteredStore(llvm::Loop& loop, llvm::ScalarEvolution& known) {
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        if (!storesInRow(*store, loop, known))
          return true;
  return false;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ScatteredStores::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (!hasPoorStores(f))
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, force) &&
        hasScatteredStore(*loop, known)) {
      loop->setLoopID(
          llvm::makePostTransformationMetadata(f.getContext(), loop->getLoopID(), {force}, {}));
      for (llvm::BasicBlock* block : loop->blocks())
        if (block != loop->getHeader())
          blocks.push_back(block);
    }
  return selectInShortBranches(blocks, known) ? llvm::PreservedAnalyses::none()
                                              : llvm::PreservedAnalyses::all();
}

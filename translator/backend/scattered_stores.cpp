// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads are forced into vectors, since nothing but that tells clang that threads are
// independent. Where a thread's neighbour stores far away (trees of scans, sorts by digits), a
// vector's lanes are stored one by one, each behind a branch of its own if they store under a
// condition: the scalar loop is up to 1.4 times as fast. What clang knows of costs decides there.
// Such loops choose between values, and do not branch.
#include "kernel_passes.h"

#include <map>

#include "short_branches.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
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

/// Whether a loop's scattered stores take longer than what it computes beside them. Those of whole
/// structures, one behind the other, are none, if all threads make them.
bool isCheap(llvm::Loop& loop, llvm::ScalarEvolution& known, const llvm::DominatorTree& tree) {
  constexpr unsigned workOfStore = 12, workOfCall = 100;
  struct Stored {
    std::uint64_t bytes = 0; ///< in each step
    unsigned stores = 0;
  };
  std::map<std::uint64_t, Stored> structures; // by the step
  unsigned work = 0, scattered = 0;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      if (i.getType()->isFloatingPointTy() && !llvm::isa<llvm::LoadInst, llvm::PHINode>(i))
        work += llvm::isa<llvm::CallInst>(i) ? workOfCall : 1;
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      if (!store || storesInRow(*store, loop, known))
        continue;
      const auto* places =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(known.getSCEV(store->getPointerOperand()));
      const auto* step =
          places ? llvm::dyn_cast<llvm::SCEVConstant>(places->getStepRecurrence(known)) : nullptr;
      const llvm::BasicBlock* latch = loop.getLoopLatch();
      if (!step || !latch || !tree.dominates(store->getParent(), latch)) {
        ++scattered;
        continue;
      }
      Stored& one = structures[step->getAPInt().abs().getLimitedValue()];
      one.bytes +=
          store->getModule()->getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
      ++one.stores;
    }
  for (const auto& [step, stored] : structures)
    scattered += stored.bytes < step ? stored.stores : 0;
  return scattered > 0 && work < workOfStore * scattered;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ScatteredStores::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (!hasPoorScatters(f))
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, force) &&
        hasScatteredStore(*loop, known) && (hasPoorStores(f) || isCheap(*loop, known, tree))) {
      loop->setLoopID(
          llvm::makePostTransformationMetadata(f.getContext(), loop->getLoopID(), {force}, {}));
      // What clang knows of costs is Intel's there.
      if (!hasPoorStores(f))
        llvm::addStringMetadataToLoop(loop, force, 0);
      for (llvm::BasicBlock* block : loop->blocks())
        if (block != loop->getHeader())
          blocks.push_back(block);
    }
  return selectInShortBranches(blocks, known) ? llvm::PreservedAnalyses::none()
                                              : llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads are forced into vectors, since nothing but that tells clang that threads are
// independent. Where a thread's neighbour stores far away (trees of scans, sorts by digits), a
// vector's lanes are stored one by one, each behind a branch of its own if they store under a
// condition: the scalar loop is up to 1.4 times as fast. What clang knows of costs decides there.
// Such loops choose between values, and do not branch.
#include "kernel_passes.h"

#include <cstdlib>
#include <map>
#include <optional>

#include "scattered_stores.h"
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

/// By how much a place grows from one iteration to the next if no narrower number in it wraps
/// around, which vectorisers ask when the loop runs; none if nothing is known.
std::optional<std::int64_t> stepOf(const llvm::SCEV* place, const llvm::Loop& loop,
                                   llvm::ScalarEvolution& known) {
  if (known.isLoopInvariant(place, &loop))
    return 0;
  if (const auto* places = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place)) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(places->getStepRecurrence(known));
    return places->getLoop() == &loop && step ? std::optional(step->getAPInt().getSExtValue())
                                              : std::nullopt;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(place))
    return stepOf(cast->getOperand(), loop, known);
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(place)) {
    std::int64_t all = 0;
    for (const llvm::SCEV* part : sum->operands()) {
      const auto step = stepOf(part, loop, known);
      if (!step)
        return std::nullopt;
      all += *step;
    }
    return all;
  }
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(place))
    if (const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
        factor && product->getNumOperands() == 2)
      if (const auto step = stepOf(product->getOperand(1), loop, known))
        return *step * factor->getAPInt().getSExtValue();
  return std::nullopt;
}

bool hasScatteredStore(llvm::Loop& loop, llvm::ScalarEvolution& known) {
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        if (!cu2cpp::storesInRow(*store, loop, known))
          return true;
  return false;
}

/// Whether a thread that stores under a condition does so where a number of its own tells, one that
/// neighbours have side by side in memory: places of what is kept follow each other
/// (packed_scatters.cpp).
bool isPacked(llvm::StoreInst& store, llvm::Loop& loop, llvm::ScalarEvolution& known,
              const llvm::DominatorTree& tree) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!latch || tree.dominates(store.getParent(), latch))
    return false;
  return llvm::SCEVExprContains(known.getSCEV(store.getPointerOperand()), [&](const llvm::SCEV* e) {
    const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(e);
    auto* load = value ? llvm::dyn_cast<llvm::LoadInst>(value->getValue()) : nullptr;
    if (!load || !loop.contains(load) || !load->getType()->isIntegerTy())
      return false;
    const auto step = stepOf(known.getSCEV(load->getPointerOperand()), loop, known);
    return step && *step > 0 &&
           std::uint64_t(*step) ==
               store.getModule()->getDataLayout().getTypeStoreSize(load->getType());
  });
}

/// Whether a loop's scattered stores take longer than what it computes beside them. Those of whole
/// structures, one behind the other, are none, if all threads make them.
bool isCheap(llvm::Loop& loop, llvm::ScalarEvolution& known, const llvm::DominatorTree& tree,
             bool packs) {
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
      if (!store || cu2cpp::storesInRow(*store, loop, known))
        continue;
      if (packs && isPacked(*store, loop, known, tree))
        continue;
      const auto step = stepOf(known.getSCEV(store->getPointerOperand()), loop, known);
      const std::uint64_t size = store->getModule()->getDataLayout().getTypeStoreSize(
                              store->getValueOperand()->getType()),
                          apart = std::uint64_t(step ? std::abs(*step) : 0);
      if (step && (apart == 0 || apart == size))
        continue;
      const llvm::BasicBlock* latch = loop.getLoopLatch();
      if (!step || !latch || !tree.dominates(store->getParent(), latch)) {
        ++scattered;
        continue;
      }
      Stored& one = structures[apart];
      one.bytes += size;
      ++one.stores;
    }
  for (const auto& [step, stored] : structures)
    scattered += stored.bytes < step ? stored.stores : 0;
  return scattered > 0 && work < workOfStore * scattered;
}

} // namespace

bool cu2cpp::storesInRow(llvm::StoreInst& store, llvm::Loop& loop, llvm::ScalarEvolution& known) {
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
        hasScatteredStore(*loop, known) &&
        (hasPoorStores(f) || isCheap(*loop, known, tree, cu2cpp::packsScatters(f)))) {
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

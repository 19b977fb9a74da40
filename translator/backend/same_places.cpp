// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both branches of a condition compute one place, each for itself:
//
//   if (edge) out[base + x] = in[base + x];        at = base + x;
//   else out[base + x] = f(in, base + x);     ->   value = edge ? in[at] : f(in, at);
//                                                  out[at] = value;
//
// By the time of the vectorisers the stores are one, to a place that depends on the condition: a
// row would be scattered.
#include "kernel_passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace {

using namespace llvm;

/// The instruction that all values of a phi repeat, and that may stand where the branches begin.
Instruction* repeatedIn(const PHINode& phi, const Instruction& begin, const DominatorTree& tree) {
  auto* const first = dyn_cast<Instruction>(phi.getIncomingValue(0));
  if (!first || isa<PHINode>(first) || first->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(first))
    return nullptr;
  for (const Value* value : phi.incoming_values()) {
    const auto* other = dyn_cast<Instruction>(value);
    if (!other || !other->isIdenticalToWhenDefined(first))
      return nullptr;
  }
  return all_of(first->operands(),
                [&](const Use& operand) { return tree.dominates(operand.get(), &begin); })
             ? first
             : nullptr;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::SamePlaces::run(llvm::Function& f,
                                                llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  bool changed = false;
  for (llvm::BasicBlock& block : f) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    const auto* node = tree.getNode(&block);
    if (!loop || !node || !node->getIDom() || loop->getHeader() == &block ||
        !findStringMetadataForLoop(loop, "llvm.loop.parallel_accesses"))
      continue;
    llvm::Instruction* const begin = node->getIDom()->getBlock()->getTerminator();
    for (llvm::PHINode& phi : make_early_inc_range(block.phis())) {
      llvm::Instruction* const first = repeatedIn(phi, *begin, tree);
      if (!first)
        continue;
      // What only one branch promised of it need not hold.
      first->dropPoisonGeneratingFlags();
      if (first->getParent() != begin->getParent())
        first->moveBefore(begin);
      for (llvm::Value* value : phi.incoming_values())
        if (value != first)
          value->replaceAllUsesWith(first);
      phi.replaceAllUsesWith(first);
      phi.eraseFromParent();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread loads of the place beside its own is loaded again, also where its neighbour has
// loaded it already:
//
//   for (each thread)                                   for (each thread)
//     east = s[x + 1].u;                                  east = s[x + 1].u;
//     out[x] = here + east; here = east;           ->     out[x] = s[x].u + east;
//
// clang makes the first of the second when it looks for loads that it can spare. In vectors the
// value of the step before is put together from parts of two others: with AVX2 three shuffles for
// each number, where a load is one, and the two of a pair that lies in memory take four. Nor does a
// loop that hands a value on have shorter vectors for what is left over from its own.
#include "kernel_passes.h"

#include <algorithm>
#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace {

class Neighbours {
public:
  Neighbours(llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::AAResults& aliases)
      : loop_(loop), evolution_(evolution), aliases_(aliases) {}

  /// Where a value lies that the step before has loaded; null if that is not what a phi is.
  const llvm::SCEV* placeOf(llvm::PHINode& phi) {
    llvm::BasicBlock* const before = loop_.getLoopPreheader();
    auto* last = llvm::dyn_cast<llvm::LoadInst>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    auto* first = llvm::dyn_cast<llvm::LoadInst>(phi.getIncomingValueForBlock(before));
    if (!last || !first || !last->isSimple() || !first->isSimple() || !loop_.contains(last) ||
        first->getParent() != before || isChanged(*last))
      return nullptr;
    for (const llvm::Instruction* i = first; i; i = i->getNextNode())
      if (i->mayWriteToMemory())
        return nullptr;
    const auto* rises =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(last->getPointerOperand()));
    if (!rises || rises->getLoop() != &loop_ || !rises->isAffine())
      return nullptr;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(rises->getStepRecurrence(evolution_));
    const std::int64_t bytes = last->getType()->getPrimitiveSizeInBits().getFixedValue() / 8;
    if (!step || step->getAPInt().getSExtValue() < bytes)
      return nullptr;
    const llvm::SCEV* const place = evolution_.getMinusSCEV(rises, step);
    const auto* from = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    return from && from->getStart() == evolution_.getSCEV(first->getPointerOperand()) ? place
                                                                                      : nullptr;
  }

private:
  /// Whether a step may store to where its load reads. (The next one begins with that place, and
  /// what others store is none of a step's business: they do not depend on each other.)
  bool isChanged(const llvm::LoadInst& load) const {
    const auto place = llvm::MemoryLocation::get(&load);
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const llvm::Instruction& i : *block)
        if (i.mayWriteToMemory() && llvm::isModSet(aliases_.getModRefInfo(&i, place)))
          return true;
    return false;
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::AAResults& aliases_;
};

} // namespace

llvm::PreservedAnalyses cu2cpp::LoadsOfNeighbours::run(llvm::Function& f,
                                                       llvm::FunctionAnalysisManager& analyses) {
  if (!hasPoorStores(f))
    return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& aliases = analyses.getResult<llvm::AAManager>(f);
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->isAnnotatedParallel() ||
        !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable") ||
        !loop->getLoopPreheader() || !loop->getLoopLatch())
      continue;
    llvm::BasicBlock* const header = loop->getHeader();
    std::vector<std::pair<llvm::PHINode*, const llvm::SCEV*>> found;
    Neighbours neighbours(*loop, evolution, aliases);
    for (llvm::PHINode& phi : header->phis())
      if (const llvm::SCEV* place = neighbours.placeOf(phi))
        found.push_back({&phi, place});
    for (const auto& [phi, place] : found) {
      auto* like = llvm::cast<llvm::LoadInst>(phi->getIncomingValueForBlock(loop->getLoopLatch()));
      const auto* before =
          llvm::cast<llvm::LoadInst>(phi->getIncomingValueForBlock(loop->getLoopPreheader()));
      llvm::SCEVExpander expand(evolution, f.getDataLayout(), "neighbour");
      llvm::Instruction* const at = &*header->getFirstInsertionPt();
      llvm::Value* const pointer = expand.expandCodeFor(place, like->getPointerOperandType(), at);
      auto* again = new llvm::LoadInst(like->getType(), pointer, "", false,
                                       std::min(like->getAlign(), before->getAlign()), at);
      again->setMetadata(llvm::LLVMContext::MD_tbaa, like->getMetadata(llvm::LLVMContext::MD_tbaa));
      again->setMetadata(llvm::LLVMContext::MD_access_group,
                         like->getMetadata(llvm::LLVMContext::MD_access_group));
      evolution.forgetValue(phi);
      phi->replaceAllUsesWith(again);
      phi->eraseFromParent();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

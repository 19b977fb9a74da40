// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads of a loop add to one integer in shared memory:
//
//   atomicAdd(&total, count);     ->     total += (the sum of all threads' counts)
//
// Each thread's addition loads and stores what the one before has stored, by accesses that stay as
// they are (device/atomics.h), so that no vector is made of two that update one place. Where the
// loop knows the place as one, and does nothing else to that variable, it is kept in a register:
// vectorisers know such sums.
#include "kernel_passes.h"

#include "own_variables.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace {

bool isPlain(const llvm::Instruction& access) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  return load ? load->isUnordered() || (load->isVolatile() && !load->isAtomic())
              : !llvm::cast<llvm::StoreInst>(access).isAtomic();
}

/// The accesses of a loop to one place that can be kept in a register meanwhile.
struct Kept {
  llvm::Loop* loop;
  llvm::Value* place;
  llvm::IntegerType* type;
  llvm::Align alignment;
  std::vector<llvm::Instruction*> accesses;
};

std::vector<Kept> keptIn(llvm::Loop& loop, cu2cpp::OwnVariables& own) {
  std::vector<Kept> out;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i);
      auto* const type =
          store ? llvm::dyn_cast<llvm::IntegerType>(store->getValueOperand()->getType()) : nullptr;
      if (!type || !store->isVolatile() || !loop.isLoopInvariant(store->getPointerOperand()))
        continue;
      llvm::Value* const place = store->getPointerOperand();
      llvm::AllocaInst* const variable = own.of(place);
      // The one variable as a whole: a place in it might lie outside.
      if (!variable || place != variable || variable->getAllocatedType() != type ||
          llvm::any_of(out, [&](const Kept& other) { return other.place == place; }))
        continue;
      Kept kept{&loop, place, type, variable->getAlign(), {}};
      if (cu2cpp::onlyAccesses(loop, variable, [&](llvm::Instruction& access) {
            kept.accesses.push_back(&access);
            return llvm::getPointerOperand(&access) == place &&
                   llvm::getLoadStoreType(&access) == type && isPlain(access);
          }))
        out.push_back(kept);
    }
  return out;
}

llvm::AllocaInst* keep(const Kept& kept) {
  llvm::Function& f = *kept.loop->getHeader()->getParent();
  llvm::AllocaInst* const value =
      llvm::IRBuilder<>(&*f.getEntryBlock().getFirstInsertionPt()).CreateAlloca(kept.type);
  const auto copy = [&](llvm::IRBuilder<> at, llvm::Value* from, llvm::Value* to) {
    at.CreateAlignedStore(at.CreateAlignedLoad(kept.type, from, kept.alignment), to,
                          kept.alignment);
  };
  copy(llvm::IRBuilder<>(kept.loop->getLoopPreheader()->getTerminator()), kept.place, value);
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  kept.loop->getUniqueExitBlocks(exits);
  for (llvm::BasicBlock* exit : exits)
    copy(llvm::IRBuilder<>(&*exit->getFirstInsertionPt()), value, kept.place);
  for (llvm::Instruction* access : kept.accesses) {
    llvm::IRBuilder<> at(access);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access))
      at.CreateStore(store->getValueOperand(), value);
    else
      access->replaceAllUsesWith(at.CreateLoad(kept.type, value));
    access->eraseFromParent();
  }
  return value;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::SharedCounts::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(f);
  OwnVariables own;
  std::vector<Kept> all;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      for (Kept& kept : keptIn(*loop, own))
        all.push_back(std::move(kept));
  if (all.empty())
    return llvm::PreservedAnalyses::all();
  std::vector<llvm::AllocaInst*> values;
  for (const Kept& kept : all) {
    llvm::simplifyLoop(kept.loop, &tree, &loops, nullptr, &assumptions, nullptr, false);
    if (kept.loop->getLoopPreheader() && kept.loop->hasDedicatedExits())
      values.push_back(keep(kept));
  }
  llvm::PromoteMemToReg(values, tree);
  return llvm::PreservedAnalyses::none();
}

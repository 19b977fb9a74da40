// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads that load from one of two places, each of which is a row:
//
//   left = wall[i - 1] ? f[i] : f[i - 1];
//
// To compilers these two loads are one, of the place that is chosen, which vectorisers gather. They
// become two again, each under its condition: vectors under masks that are joined. Numbers of four
// and eight bytes only: processors with AVX2 have no masks for others.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// A load of one of two places.
struct Chosen {
  llvm::LoadInst* load;
  llvm::SelectInst* choice;
  llvm::GetElementPtrInst* element; ///< of which the choice is the index; null if it is the place
};

/// Whether a value grows with a loop by `step`.
bool isRow(llvm::Value* value, std::int64_t step, const llvm::Loop* loop,
           llvm::ScalarEvolution& known) {
  const auto* row = llvm::dyn_cast<llvm::SCEVAddRecExpr>(known.getSCEV(value));
  const auto* by = row && row->getLoop() == loop && row->isAffine()
                       ? llvm::dyn_cast<llvm::SCEVConstant>(row->getStepRecurrence(known))
                       : nullptr;
  return by && by->getAPInt().getSExtValue() == step;
}

void find(llvm::LoadInst* load, const llvm::Loop* loop, llvm::ScalarEvolution& known,
          std::vector<Chosen>& found) {
  const llvm::DataLayout& layout = load->getModule()->getDataLayout();
  const auto bytes = std::int64_t(layout.getTypeStoreSize(load->getType()).getFixedValue());
  const bool isNumber = load->getType()->isFloatTy() || load->getType()->isDoubleTy() ||
                        load->getType()->isIntegerTy(32) || load->getType()->isIntegerTy(64);
  if (!isNumber || !load->isSimple() || !load->hasMetadata(llvm::LLVMContext::MD_access_group))
    return;
  llvm::Value* place = load->getPointerOperand();
  auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(place);
  if (element) {
    if (element->getNumIndices() != 1 || !loop->isLoopInvariant(element->getPointerOperand()) ||
        layout.getTypeAllocSize(element->getSourceElementType()) != std::uint64_t(bytes))
      return;
    place = element->getOperand(1);
  }
  auto* choice = llvm::dyn_cast<llvm::SelectInst>(place);
  if (!choice || loop->isLoopInvariant(choice->getCondition()) ||
      !choice->getCondition()->getType()->isIntegerTy(1))
    return;
  const std::int64_t step = element ? 1 : bytes;
  if (!isRow(choice->getTrueValue(), step, loop, known) ||
      !isRow(choice->getFalseValue(), step, loop, known))
    return;
  found.push_back({load, choice, element});
}

void part(const Chosen& chosen) {
  llvm::Instruction *yes = nullptr, *no = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(chosen.choice->getCondition(), chosen.load, &yes, &no);
  const auto load = [&](llvm::Instruction* before, llvm::Value* place) {
    if (chosen.element) {
      auto* const element = llvm::cast<llvm::GetElementPtrInst>(chosen.element->clone());
      element->setOperand(1, place);
      element->insertBefore(before);
      place = element;
    }
    auto* const own = llvm::cast<llvm::LoadInst>(chosen.load->clone());
    own->setOperand(0, place);
    own->insertBefore(before);
    return own;
  };
  llvm::IRBuilder<> at(chosen.load);
  llvm::PHINode* const both = at.CreatePHI(chosen.load->getType(), 2);
  both->addIncoming(load(yes, chosen.choice->getTrueValue()), yes->getParent());
  both->addIncoming(load(no, chosen.choice->getFalseValue()), no->getParent());
  chosen.load->replaceAllUsesWith(both);
  chosen.load->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ChosenLoads::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  std::vector<Chosen> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      for (llvm::BasicBlock* block : loop->blocks())
        for (llvm::Instruction& i : *block)
          if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
            find(load, loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(f), found);
  for (const Chosen& chosen : found)
    part(chosen);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

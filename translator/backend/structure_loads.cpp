// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of structures that are loaded under a condition, beside members that are loaded always:
//
//   float4 q = tile[k];
//   float r2 = square(p.x - q.x) + square(p.y - q.y) + square(p.z - q.z);
//   if (r2 < cutoff) sum += q.w / r2;
//
// The user loads all of `q`; compilers move the load of `q.w` into the branch, where vectorisers
// ask each thread whether it loads. It goes back to where the first member is loaded, if the
// structure is aligned so that it lies in one page: that load would have failed, too.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace {

constexpr std::uint64_t longest = 16;

/// A place as a base and how many bytes behind it.
std::pair<llvm::Value*, std::int64_t> placeOf(llvm::LoadInst* load) {
  const llvm::DataLayout& layout = load->getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  llvm::Value* const base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue()};
}

bool isOfNumber(const llvm::LoadInst* load) {
  return load->isSimple() &&
         (load->getType()->isFloatingPointTy() || load->getType()->isIntegerTy());
}

/// A load that is made in any case before `load`, of the structure that this one is of.
llvm::LoadInst* firstOfStructure(llvm::LoadInst* load) {
  constexpr unsigned mostBlocks = 4;
  const auto [base, offset] = placeOf(load);
  const std::uint64_t bytes = load->getType()->getPrimitiveSizeInBits().getFixedValue() / 8;
  for (const llvm::Instruction* i = load->getPrevNode(); i; i = i->getPrevNode())
    if (i->mayWriteToMemory())
      return nullptr;
  llvm::BasicBlock* block = load->getParent();
  for (unsigned n = 0; n < mostBlocks; ++n) {
    llvm::BasicBlock* const before = block->getSinglePredecessor();
    if (!before || before == block)
      return nullptr;
    for (llvm::Instruction& i : llvm::reverse(*before)) {
      if (i.mayWriteToMemory())
        return nullptr;
      auto* const other = llvm::dyn_cast<llvm::LoadInst>(&i);
      if (!other || !isOfNumber(other) || other->getAlign().value() < longest)
        continue;
      const auto [otherBase, otherOffset] = placeOf(other);
      if (otherBase == base && otherOffset <= offset &&
          std::uint64_t(offset - otherOffset) + bytes <= longest)
        return other;
    }
    block = before;
  }
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::StructureLoads::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  std::vector<std::pair<llvm::LoadInst*, llvm::LoadInst*>> found;
  for (llvm::BasicBlock& block : f)
    if (loops.getLoopFor(&block))
      for (llvm::Instruction& i : block)
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load && isOfNumber(load))
          if (llvm::LoadInst* const first = firstOfStructure(load))
            found.push_back({load, first});
  for (const auto& [load, first] : found) {
    const std::int64_t behind = placeOf(load).second - placeOf(first).second;
    llvm::IRBuilder<> at(first->getNextNode());
    load->setOperand(0, at.CreatePtrAdd(first->getPointerOperand(), at.getInt64(behind)));
    load->moveBefore(&*at.GetInsertPoint());
    load->dropUBImplyingAttrsAndMetadata();
  }
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

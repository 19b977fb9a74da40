// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four bytes side by side that a thread loads under a condition (a pixel within the image):
//
//   if (x < w && y < h) out[i] = shade(in[i].r, in[i].g, in[i].b, in[i].a);
//
// In vectors each byte of each thread would be asked for alone, behind a branch of its own. Words
// are loaded under a mask as a whole, so all four are loaded as one and taken out of it. Nothing is
// loaded that the thread does not load there.
#include "kernel_passes.h"

#include <map>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

constexpr unsigned bytes = 4, bitsOfByte = 8;

/// The first loads of bytes by how far behind some place they lie.
using Bytes = std::map<std::int64_t, llvm::LoadInst*>;

/// Loads the bytes from one on at once, in front of the first that was loaded.
bool loadAsWord(Bytes& loaded, std::int64_t from, const llvm::DominatorTree& tree) {
  std::vector<llvm::LoadInst*> parts;
  for (unsigned i = 0; i < bytes; ++i) {
    const auto found = loaded.find(from + i);
    if (found == loaded.end())
      return false;
    parts.push_back(found->second);
  }
  llvm::LoadInst* first = parts[0];
  llvm::MDNode* const group = parts[0]->getMetadata(llvm::LLVMContext::MD_access_group);
  for (llvm::LoadInst* part : parts) {
    if (part->comesBefore(first))
      first = part;
    if (part->getMetadata(llvm::LLVMContext::MD_access_group) != group)
      return false;
  }
  llvm::Value* const place = parts[0]->getPointerOperand();
  const auto* made = llvm::dyn_cast<llvm::Instruction>(place);
  if (made && !tree.dominates(made, first))
    return false;
  llvm::IRBuilder<> builder(first);
  llvm::LoadInst* const word =
      builder.CreateAlignedLoad(builder.getInt32Ty(), place, parts[0]->getAlign());
  if (group)
    word->setMetadata(llvm::LLVMContext::MD_access_group, group);
  for (unsigned i = 0; i < bytes; ++i) {
    llvm::Value* const rest = i == 0 ? word : builder.CreateLShr(word, i * bitsOfByte);
    parts[i]->replaceAllUsesWith(builder.CreateTrunc(rest, builder.getInt8Ty()));
    loaded.erase(from + i);
  }
  for (llvm::LoadInst* part : parts)
    part->eraseFromParent();
  return true;
}

/// Loads words instead of bytes in a block, as long as nothing is stored between them.
bool loadWords(llvm::BasicBlock& block, const llvm::DominatorTree& tree) {
  const llvm::DataLayout& layout = block.getModule()->getDataLayout();
  std::vector<std::map<llvm::Value*, Bytes>> found(1);
  for (llvm::Instruction& i : block) {
    if (i.mayWriteToMemory())
      found.emplace_back();
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (!load || !load->isSimple() || !load->getType()->isIntegerTy(bitsOfByte))
      continue;
    llvm::Value* const place = load->getPointerOperand();
    llvm::APInt behind(layout.getIndexTypeSizeInBits(place->getType()), 0);
    llvm::Value* const base =
        place->stripAndAccumulateConstantOffsets(layout, behind, /*AllowNonInbounds=*/true);
    found.back()[base].emplace(behind.getSExtValue(), load);
  }
  bool changed = false;
  for (auto& between : found)
    for (auto& [base, loaded] : between) {
      std::vector<std::int64_t> places;
      for (const auto& [place, load] : loaded)
        places.push_back(place);
      for (const std::int64_t place : places)
        changed |= loadAsWord(loaded, place, tree);
    }
  return changed;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::WordsOfBytes::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  if (!f.getParent()->getDataLayout().isLittleEndian())
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::BasicBlock* const latch = loop->getLoopLatch();
    if (loop->isInnermost() && latch &&
        llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      for (llvm::BasicBlock* block : loop->blocks())
        if (!tree.dominates(block, latch))
          changed |= loadWords(*block, tree);
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

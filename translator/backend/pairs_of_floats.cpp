// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions give back structures of floats two at a time, as the C++ ABI tells, and when they are
// inlined such pairs stay: a loop over threads that stores one has a vector in it already, which
// keeps it from becoming vectors itself. Pairs are stored and loaded as two numbers.
#include "kernel_passes.h"

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

using namespace llvm::PatternMatch;

bool isPair(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() == 2 && vector->getElementType()->isFloatTy();
}

/// Where the second number of a pair lies.
llvm::Value* second(llvm::IRBuilder<>& builder, llvm::Value* place) {
  return builder.CreateConstInBoundsGEP1_64(builder.getFloatTy(), place, 1);
}

void keepMetadata(llvm::Instruction* to, const llvm::Instruction& from) {
  to->copyMetadata(from,
                   {llvm::LLVMContext::MD_access_group, llvm::LLVMContext::MD_alias_scope,
                    llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_mem_parallel_loop_access});
}

/// Whether the pair is put together of two numbers, which are no part of a longer vector.
bool splitStore(llvm::StoreInst& store) {
  llvm::Value *left = nullptr, *right = nullptr;
  if (!store.isSimple() || !isPair(store.getValueOperand()->getType()) ||
      !match(store.getValueOperand(),
             m_InsertElt(m_InsertElt(m_Undef(), m_Value(left), m_ZeroInt()), m_Value(right),
                         m_SpecificInt(1))) ||
      llvm::isa<llvm::ExtractElementInst>(left) || llvm::isa<llvm::ExtractElementInst>(right))
    return false;
  llvm::IRBuilder<> builder(&store);
  llvm::Value* const place = store.getPointerOperand();
  keepMetadata(builder.CreateAlignedStore(left, place, store.getAlign()), store);
  keepMetadata(builder.CreateAlignedStore(right, second(builder, place),
                                          llvm::commonAlignment(store.getAlign(), 4)),
               store);
  return true;
}

bool splitLoad(llvm::LoadInst& load) {
  if (!load.isSimple() || !isPair(load.getType()) || load.use_empty())
    return false;
  for (const llvm::User* user : load.users())
    if (!match(user, m_ExtractElt(m_Specific(&load), m_ConstantInt())))
      return false;
  llvm::IRBuilder<> builder(&load);
  llvm::Value* const place = load.getPointerOperand();
  llvm::LoadInst* numbers[] = {
      builder.CreateAlignedLoad(builder.getFloatTy(), place, load.getAlign()),
      builder.CreateAlignedLoad(builder.getFloatTy(), second(builder, place),
                                llvm::commonAlignment(load.getAlign(), 4))};
  for (llvm::LoadInst* number : numbers)
    keepMetadata(number, load);
  for (llvm::User* user : llvm::make_early_inc_range(load.users())) {
    auto* part = llvm::cast<llvm::ExtractElementInst>(user);
    const auto* index = llvm::cast<llvm::ConstantInt>(part->getIndexOperand());
    part->replaceAllUsesWith(numbers[index->getValue().isZero() ? 0 : 1]);
    part->eraseFromParent();
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::PairsOfFloats::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager&) {
  std::vector<llvm::Instruction*> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (llvm::isa<llvm::StoreInst, llvm::LoadInst>(i))
        found.push_back(&i);
  bool changed = false;
  for (llvm::Instruction* i : found) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(i);
    llvm::Value* const pair = store ? store->getValueOperand() : nullptr;
    if (store ? !splitStore(*store) : !splitLoad(*llvm::cast<llvm::LoadInst>(i)))
      continue;
    changed = true;
    i->eraseFromParent();
    if (pair)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(pair);
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

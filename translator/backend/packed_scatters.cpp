// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that keep an element store it where a scan tells:
//
//   if (energy[i] > least) { const int to = offsets[i]; out[to] = energy[i]; }
//
// The lanes of a vector that store come to places one behind the other then: that is asked when the
// program runs, and what they store is put together and stored as a row. (Stores to scattered
// places take AMD's processors a step for each; a branch for each thread is guessed wrong all the
// time.) AVX-512's compression to memory is as slow there, and is done in registers.
#include "kernel_passes.h"

#include <map>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace {

using namespace llvm::PatternMatch;

/// A scatter under a mask to places of a pointer that an index in each lane tells.
struct Scatter {
  llvm::IntrinsicInst* call;
  llvm::Value *base, *index; ///< the index as it was before it had 64 bits
  llvm::Type* element;
};

/// Whether numbers that were loaded, one for each lane, tell a vector of places.
bool isOfLoaded(const llvm::Value* index, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(index);
  if (depth > deepest || !i || !i->getType()->isVectorTy())
    return false;
  if (llvm::isa<llvm::LoadInst>(i) || match(i, m_Intrinsic<llvm::Intrinsic::masked_load>()))
    return true;
  if (!llvm::isa<llvm::CastInst, llvm::FreezeInst>(i) && i->getOpcode() != llvm::Instruction::Add &&
      i->getOpcode() != llvm::Instruction::Sub)
    return false;
  for (const llvm::Value* part : i->operands())
    if (isOfLoaded(part, depth + 1))
      return true;
  return false;
}

bool isPackable(llvm::IntrinsicInst* call, Scatter& out) {
  auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(call->getArgOperand(0)->getType());
  auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(call->getArgOperand(1));
  if (!type || !place || place->getNumIndices() != 1 || match(call->getArgOperand(3), m_AllOnes()))
    return false;
  const unsigned lanes = type->getNumElements();
  llvm::Type* const element = type->getElementType();
  const llvm::DataLayout& layout = call->getModule()->getDataLayout();
  const std::uint64_t bits = element->isPointerTy() ? 0 : element->getPrimitiveSizeInBits();
  llvm::Value* index = place->getOperand(1);
  llvm::Value* narrow = nullptr;
  if (match(index, m_SExt(m_Value(narrow))) && narrow->getType()->getScalarSizeInBits() == 32)
    index = narrow;
  const unsigned width = index->getType()->getScalarSizeInBits();
  if ((lanes != 8 && lanes != 16) || (bits != 32 && bits != 64) || lanes * bits > 512 ||
      place->getPointerOperandType()->isVectorTy() || !index->getType()->isVectorTy() ||
      (width != 32 && width != 64) || lanes * width > 512 ||
      layout.getTypeAllocSize(place->getSourceElementType()) * 8 != bits || !isOfLoaded(index))
    return false;
  out = {call, place->getPointerOperand(), index, place->getSourceElementType()};
  return true;
}

/// Where lanes of a mask store, if it is a row.
struct Row {
  llvm::Value *isRow, *first;
};

class Packer {
public:
  void pack(const Scatter& scatter) {
    llvm::IntrinsicInst* const call = scatter.call;
    llvm::Value *const value = call->getArgOperand(0), *const mask = call->getArgOperand(3);
    llvm::IRBuilder<> at(call);
    const Row row = rowOf(at, scatter.index, mask);
    llvm::Instruction *fast = nullptr, *single = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        row.isRow, call, &fast, &single,
        llvm::MDBuilder(call->getContext()).createBranchWeights(1000, 1));
    llvm::IRBuilder<> here(fast);
    const auto alignment = llvm::cast<llvm::ConstantInt>(call->getArgOperand(2))->getAlignValue();
    here.CreateMaskedStore(compressed(here, value, mask),
                           here.CreateGEP(scatter.element, scatter.base, row.first), alignment,
                           firstOf(here, mask));
    call->moveBefore(single);
  }

private:
  static unsigned lanesOf(const llvm::Value* mask) {
    return llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  }
  static llvm::Value* compressed(llvm::IRBuilder<>& at, llvm::Value* value, llvm::Value* mask) {
    return at.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {value->getType()},
                              {value, llvm::Constant::getNullValue(value->getType()), mask});
  }
  /// As many lanes from the first on as a mask has.
  static llvm::Value* firstOf(llvm::IRBuilder<>& at, llvm::Value* mask) {
    const unsigned lanes = lanesOf(mask);
    llvm::Value* const bits =
        at.CreateZExt(at.CreateBitCast(mask, at.getIntNTy(lanes)), at.getInt32Ty());
    llvm::Value* const count = at.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits);
    llvm::Value* const low = at.CreateSub(at.CreateShl(at.getInt32(1), count), at.getInt32(1));
    return at.CreateBitCast(at.CreateTrunc(low, at.getIntNTy(lanes)), mask->getType());
  }
  /// Whether each lane of the mask has an index that is one more than that of the last one before
  /// it.
  Row rowOf(llvm::IRBuilder<>& at, llvm::Value* index, llvm::Value* mask) {
    auto* const type = llvm::cast<llvm::FixedVectorType>(index->getType());
    const unsigned lanes = type->getNumElements(), width = type->getScalarSizeInBits();
    llvm::Type* const number = type->getElementType();
    // Lanes outside of the mask may have any index.
    llvm::Value* const indices = at.CreateFreeze(index);
    std::vector<llvm::Constant*> counted;
    for (unsigned lane = 0; lane < lanes; ++lane)
      counted.push_back(llvm::ConstantInt::get(number, lane));
    llvm::Value* const ranks = at.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_expand, {type},
        {llvm::ConstantVector::get(counted), llvm::Constant::getNullValue(type), mask});
    llvm::Value* const starts = at.CreateSub(indices, ranks);
    llvm::Value* const first =
        at.CreateExtractElement(compressed(at, starts, mask), std::uint64_t(0));
    llvm::Value* const other =
        at.CreateAnd(at.CreateICmpNE(starts, at.CreateVectorSplat(lanes, first)), mask);
    llvm::Value* isRow = at.CreateICmpEQ(at.CreateBitCast(other, at.getIntNTy(lanes)),
                                         llvm::ConstantInt::get(at.getIntNTy(lanes), 0));
    // Numbers of 32 bits must not begin anew between two lanes.
    if (width == 32)
      isRow = at.CreateAnd(
          isRow, at.CreateICmpSLT(first, llvm::ConstantInt::get(number, 0x7fffffff - lanes)));
    return {isRow, at.CreateSExt(first, at.getInt64Ty())};
  }
};

} // namespace

llvm::PreservedAnalyses cu2cpp::PackedScatters::run(llvm::Function& f,
                                                    llvm::FunctionAnalysisManager&) {
  if (!packsScatters(f))
    return llvm::PreservedAnalyses::all();
  std::vector<Scatter> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block) {
      Scatter scatter;
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_scatter &&
          isPackable(call, scatter))
        found.push_back(scatter);
    }
  Packer packer;
  for (const Scatter& scatter : found)
    packer.pack(scatter);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

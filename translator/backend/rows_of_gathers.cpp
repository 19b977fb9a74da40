// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors whose places are kept within bounds one by one:
//
//   s[x] = in[min(max(x0 + x, 0), w - 1)];        clamped
//   s[x] = in[x0 + x < w ? x0 + x : x0 + x - w];  periodic
//
// They are gathered, though nearly all of them lie side by side: that is asked first. (Where the
// translator sees the bounds in a loop over threads it asks for whole rows; this is for all loops.)
#include "gathers.h"
#include "kernel_passes.h"

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace {

using namespace llvm::PatternMatch;

/// Whether a vector of places is one of several that a comparison chooses from, plus what is the
/// same in all lanes.
bool isChosen(const llvm::Value* place, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (depth > deepest || !place->getType()->isVectorTy())
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(place))
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::abs:
      return true;
    default:
      return false;
    }
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(place))
    return choice->getCondition()->getType()->isVectorTy();
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(place))
    return isChosen(cast->getOperand(0), depth + 1);
  const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(place);
  return op &&
         (op->getOpcode() == llvm::Instruction::Add || op->getOpcode() == llvm::Instruction::Sub ||
          op->getOpcode() == llvm::Instruction::Or) &&
         (isChosen(op->getOperand(0), depth + 1) || isChosen(op->getOperand(1), depth + 1));
}

/// Whether a vector is computed of bytes or short numbers that were loaded: what such numbers say is
/// looked up in a table, and neighbours have any places there.
bool isOfShortNumbers(const llvm::Value* place, unsigned depth = 0) {
  constexpr unsigned deepest = 8, shortest = 16;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(place);
  if (depth > deepest || !i || !i->getType()->isVectorTy())
    return false;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(i);
      cast && cast->getSrcTy()->getScalarSizeInBits() <= shortest &&
      cast->getSrcTy()->getScalarSizeInBits() > 1)
    return llvm::isa<llvm::LoadInst>(cast->getOperand(0)) ||
           match(cast->getOperand(0), m_Intrinsic<llvm::Intrinsic::masked_load>()) ||
           match(cast->getOperand(0), m_Intrinsic<llvm::Intrinsic::masked_gather>());
  if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::SelectInst, llvm::IntrinsicInst>(i))
    return false;
  for (const llvm::Value* part : i->operands())
    if (isOfShortNumbers(part, depth + 1))
      return true;
  return false;
}

/// Whether the places of a gather may be a row, for all that is known.
bool mayBeRow(const llvm::IntrinsicInst& gather) {
  constexpr unsigned fewest = 4;
  auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(gather.getType());
  if (!type || type->getNumElements() < fewest)
    return false;
  llvm::Type* const element = type->getElementType();
  if ((!element->isFloatingPointTy() && !element->isIntegerTy()) ||
      element->getPrimitiveSizeInBits() % 8 != 0)
    return false;
  const llvm::Value* place = gather.getArgOperand(0);
  while (const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(place)) {
    for (const llvm::Value* index : part->indices())
      if (isChosen(index))
        return !isOfShortNumbers(index);
    place = part->getPointerOperand();
  }
  return false;
}

void askForRow(llvm::IntrinsicInst* gather) {
  auto* const type = llvm::cast<llvm::FixedVectorType>(gather->getType());
  llvm::IRBuilder<> at(gather);
  // Lanes outside of the mask may have any place.
  llvm::Value* const places = at.CreateFreeze(gather->getArgOperand(0));
  const llvm::DataLayout& layout = gather->getModule()->getDataLayout();
  llvm::Type* const numbers = layout.getIntPtrType(places->getType());
  const std::uint64_t size = layout.getTypeStoreSize(type->getElementType());
  std::vector<llvm::Constant*> counted;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane)
    counted.push_back(llvm::ConstantInt::get(numbers->getScalarType(), lane * size));
  llvm::Value* const place = at.CreateExtractElement(places, std::uint64_t(0));
  llvm::Value* const row =
      at.CreateAdd(at.CreateVectorSplat(type->getNumElements(),
                                        at.CreatePtrToInt(place, numbers->getScalarType())),
                   llvm::ConstantVector::get(counted));
  llvm::Value* const isRow =
      at.CreateAndReduce(at.CreateICmpEQ(at.CreatePtrToInt(places, numbers), row));
  const auto alignment = llvm::cast<llvm::ConstantInt>(gather->getArgOperand(1))->getAlignValue();
  llvm::Value *const mask = gather->getArgOperand(2), *const otherwise = gather->getArgOperand(3);
  cu2cpp::loadWhere(gather, isRow, [&](llvm::IRBuilder<>& here) {
    return match(mask, m_AllOnes())
               ? static_cast<llvm::Value*>(here.CreateAlignedLoad(type, place, alignment))
               : here.CreateMaskedLoad(type, place, alignment, mask, otherwise);
  });
}

} // namespace

llvm::PreservedAnalyses cu2cpp::RowsOfGathers::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather && mayBeRow(*call))
        found.push_back(call);
  for (llvm::IntrinsicInst* gather : found)
    askForRow(gather);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

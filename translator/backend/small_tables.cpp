// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of elements of a table that fits into one or two registers:
//
//   __constant__ int scores[16];
//   s[x] = scores[a[x] * 4 + b[x]];
//
// They are gathered, which takes processors about as long as loading them one by one. The whole
// table is loaded, and its elements change places within registers.
#include "kernel_passes.h"

#include <algorithm>
#include <vector>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace {

using namespace llvm::PatternMatch;

/// The table that a gather loads from; empty if there is none.
struct Table {
  llvm::Value* start = nullptr;
  std::uint64_t length = 0; ///< in elements
};

/// The size of a variable in bytes, 0 if it is not known to be one of such a size.
std::uint64_t sizeOf(const llvm::Value* variable, const llvm::DataLayout& layout) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(variable))
    return global->isThreadLocal() || global->hasExternalWeakLinkage()
               ? 0
               : layout.getTypeAllocSize(global->getValueType()).getFixedValue();
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(variable);
  return local && !local->isArrayAllocation()
             ? layout.getTypeAllocSize(local->getAllocatedType()).getFixedValue()
             : 0;
}

/// Whether a piece of code stores to a variable: the whole would be loaded before that is done.
bool isStoredIn(const llvm::BasicBlock& block, const llvm::Value* variable) {
  for (const llvm::Instruction& i : block) {
    const llvm::Value* place = nullptr;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      place = store->getPointerOperand();
    else if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
             call && (call->getIntrinsicID() == llvm::Intrinsic::masked_store ||
                      call->getIntrinsicID() == llvm::Intrinsic::masked_scatter))
      place = call->getArgOperand(1);
    if (place && llvm::getUnderlyingObject(place) == variable)
      return true;
  }
  return false;
}

/// The registers in which instructions move elements: of 64 bytes, and of 32.
bool isRegister(const llvm::FixedVectorType* type, const llvm::StringRef features) {
  const unsigned bits = type->getElementType()->getPrimitiveSizeInBits();
  return (bits == 32 || bits == 64) && features.contains("+avx512f") &&
         features.contains("+avx512vl") &&
         (type->getNumElements() * bits == 512 || type->getNumElements() * bits == 256);
}

Table tableOf(const llvm::IntrinsicInst& gather, const llvm::DataLayout& layout) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(gather.getArgOperand(0));
  if (!place || place->getPointerOperandType()->isVectorTy())
    return {};
  llvm::Value* const start = const_cast<llvm::Value*>(place->getPointerOperand());
  const std::uint64_t element = layout.getTypeStoreSize(type->getElementType());
  const std::uint64_t size = sizeOf(start, layout);
  if (size == 0 || size % element != 0 || size / element > 2 * type->getNumElements() ||
      isStoredIn(*gather.getParent(), start))
    return {};
  return {start, size / element};
}

/// The places of a gather as numbers of elements; null if they are no whole numbers. Numbers of
/// lanes that are not asked for may be any.
llvm::Value* placesIn(const llvm::IntrinsicInst& gather, llvm::IRBuilder<>& at,
                      const llvm::DataLayout& layout) {
  auto* const type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  const std::uint64_t element = layout.getTypeStoreSize(type->getElementType());
  const unsigned lanes = type->getNumElements();
  llvm::Type* const number = at.getIntNTy(type->getScalarSizeInBits());
  auto* const numbers = llvm::FixedVectorType::get(number, lanes);
  auto* const place = llvm::cast<llvm::GetElementPtrInst>(gather.getArgOperand(0));
  for (auto part = llvm::gep_type_begin(place), end = llvm::gep_type_end(place); part != end;
       ++part)
    if (part.isStruct() || part.getSequentialElementStride(layout).getFixedValue() % element != 0)
      return nullptr;
  llvm::Value* sum = llvm::Constant::getNullValue(numbers);
  for (auto part = llvm::gep_type_begin(place), end = llvm::gep_type_end(place); part != end;
       ++part) {
    llvm::Value* index = part.getOperand();
    if (!index->getType()->isVectorTy())
      index = at.CreateVectorSplat(lanes, index);
    const std::uint64_t stride = part.getSequentialElementStride(layout).getFixedValue() / element;
    sum = at.CreateAdd(sum, at.CreateMul(at.CreateSExtOrTrunc(index, numbers),
                                         llvm::ConstantInt::get(numbers, stride)));
  }
  return sum;
}

/// A register's elements of a table from one of them on; what lies behind its end is not loaded.
llvm::Value* partOf(const Table& table, std::uint64_t from, llvm::FixedVectorType* type,
                    llvm::Align alignment, llvm::IRBuilder<>& at) {
  llvm::Value* const start =
      at.CreateConstInBoundsGEP1_64(type->getElementType(), table.start, from);
  const unsigned lanes = type->getNumElements();
  if (from + lanes <= table.length)
    return at.CreateAlignedLoad(type, start, alignment);
  std::vector<llvm::Constant*> asked;
  for (unsigned lane = 0; lane < lanes; ++lane)
    asked.push_back(at.getInt1(from + lane < table.length));
  return at.CreateMaskedLoad(type, start, alignment, llvm::ConstantVector::get(asked),
                             llvm::Constant::getNullValue(type));
}

llvm::Value* moved(llvm::IRBuilder<>& at, llvm::Value* first, llvm::Value* places,
                   llvm::Value* second) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(places->getType());
  const bool isWide = type->getPrimitiveSizeInBits() == 512,
             words = type->getScalarSizeInBits() == 32;
  namespace x86 = llvm::Intrinsic;
  if (second)
    return at.CreateIntrinsic(
        isWide ? (words ? x86::x86_avx512_vpermi2var_d_512 : x86::x86_avx512_vpermi2var_q_512)
               : (words ? x86::x86_avx512_vpermi2var_d_256 : x86::x86_avx512_vpermi2var_q_256),
        {}, {first, places, second});
  return at.CreateIntrinsic(
      isWide ? (words ? x86::x86_avx512_permvar_si_512 : x86::x86_avx512_permvar_di_512)
             : (words ? x86::x86_avx2_permd : x86::x86_avx512_permvar_di_256),
      {}, {first, places});
}

bool lookUpInRegisters(llvm::IntrinsicInst* gather) {
  const llvm::DataLayout& layout = gather->getModule()->getDataLayout();
  const Table table = tableOf(*gather, layout);
  if (!table.start)
    return false;
  llvm::IRBuilder<> at(gather);
  llvm::Value* const places = placesIn(*gather, at, layout);
  if (!places)
    return false;
  auto* const type = llvm::cast<llvm::FixedVectorType>(gather->getType());
  const llvm::Align alignment =
      std::min(llvm::cast<llvm::ConstantInt>(gather->getArgOperand(1))->getAlignValue(),
               llvm::Align(layout.getTypeStoreSize(type->getElementType()).getFixedValue()));
  const unsigned lanes = type->getNumElements();
  const auto part = [&](std::uint64_t from) {
    return at.CreateBitCast(partOf(table, from, type, alignment, at), places->getType());
  };
  llvm::Value* const first = part(0);
  llvm::Value* const second = table.length > lanes ? part(lanes) : nullptr;
  llvm::Value* value = at.CreateBitCast(moved(at, first, places, second), type);
  if (llvm::Value* const mask = gather->getArgOperand(2); !match(mask, m_AllOnes()))
    value = at.CreateSelect(mask, value, gather->getArgOperand(3));
  gather->replaceAllUsesWith(value);
  gather->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::SmallTables::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager&) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
        if (auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(call->getType());
            type && !type->getElementType()->isPointerTy() && isRegister(type, features))
          found.push_back(call);
  bool any = false;
  for (llvm::IntrinsicInst* gather : found)
    any |= lookUpInRegisters(gather);
  return any ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

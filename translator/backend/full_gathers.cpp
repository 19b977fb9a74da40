// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers of all lanes where loads tell the places, on processors with AVX2 whose gathers are slow:
//
//   sum += value[j] * x[column[j]];
//
// Such loops gather for the sake of their last step, which is under a mask (indirect_loads.cpp).
// The others load number by number: the places too, as to take them out of a vector takes as long
// again.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace {

using namespace llvm::PatternMatch;

bool gathersSlowly(const llvm::Function& f) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  llvm::StringRef processor = f.getFnAttribute("tune-cpu").getValueAsString();
  if (processor.empty())
    processor = f.getFnAttribute("target-cpu").getValueAsString();
  return features.contains("+avx2") && !features.contains("+avx512f") &&
         processor.starts_with("znver");
}

/// The gather's index and what it is widened from, if it lies in memory.
struct Places {
  llvm::Value* base = nullptr;
  llvm::CastInst* cast = nullptr; ///< null if the numbers are not widened
  llvm::LoadInst* load = nullptr;
};
Places placesOf(const llvm::IntrinsicInst& gather) {
  Places out;
  auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(gather.getArgOperand(0));
  if (!address || address->getNumIndices() != 1)
    return out;
  llvm::Value* base = address->getPointerOperand();
  if (base->getType()->isVectorTy())
    base = llvm::getSplatValue(base);
  llvm::Value* index = address->getOperand(1);
  out.cast = llvm::dyn_cast<llvm::CastInst>(index);
  if (out.cast && !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(out.cast))
    return out;
  if (out.cast)
    index = out.cast->getOperand(0);
  auto* const load = llvm::dyn_cast<llvm::LoadInst>(index);
  // Bits, and what takes no whole bytes, lie closer in a vector than by themselves.
  const unsigned bits = index->getType()->getScalarSizeInBits();
  if (!base || !load || !load->isSimple() || load->getParent() != gather.getParent() ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return out;
  out.base = base;
  out.load = load;
  return out;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::FullGathers::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager&) {
  if (!gathersSlowly(f))
    return llvm::PreservedAnalyses::all();
  std::vector<llvm::IntrinsicInst*> gathers;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather &&
          llvm::isa<llvm::FixedVectorType>(call->getType()) &&
          match(call->getArgOperand(2), m_AllOnes()))
        gathers.push_back(call);
  bool changed = false;
  for (llvm::IntrinsicInst* gather : gathers) {
    const Places places = placesOf(*gather);
    if (!places.load)
      continue;
    const auto* const vector = llvm::cast<llvm::FixedVectorType>(gather->getType());
    const auto* const numbers = llvm::cast<llvm::FixedVectorType>(places.load->getType());
    llvm::Type* const type = vector->getElementType();
    llvm::Type* const number = numbers->getElementType();
    const llvm::Align align(
        llvm::cast<llvm::ConstantInt>(gather->getArgOperand(1))->getZExtValue());
    llvm::IRBuilder<> at(places.load), here(gather);
    llvm::Value* out = llvm::PoisonValue::get(gather->getType());
    const std::uint64_t bytes = number->getPrimitiveSizeInBits() / 8;
    auto* const element = llvm::cast<llvm::GetElementPtrInst>(gather->getArgOperand(0));
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
      llvm::LoadInst* const place = at.CreateAlignedLoad(
          number, at.CreateConstGEP1_64(number, places.load->getPointerOperand(), lane),
          llvm::commonAlignment(places.load->getAlign(), lane * bytes));
      llvm::Value* index = place;
      if (places.cast)
        index = here.CreateCast(places.cast->getOpcode(), index,
                                places.cast->getType()->getScalarType());
      out = here.CreateInsertElement(
          out,
          here.CreateAlignedLoad(
              type, here.CreateGEP(element->getSourceElementType(), places.base, index), align),
          lane);
    }
    gather->replaceAllUsesWith(out);
    gather->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fminf() and fmaxf() of a number and no number (NaN) are the number, whichever comes first, and -0
// is less than +0. The processors' own minimum gives its second operand in both cases, so exact
// functions take seven instructions. AVX-512's vrangeps alone does what the functions do: headers
// leave minnum for it (device/min_max.h), and none may be left where zeros could differ.
#include "kernel_passes.h"

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

namespace {

/// The instruction for vectors of 128, 256 or 512 bits.
llvm::Intrinsic::ID rangeOf(bool isDouble, unsigned bits) {
  using namespace llvm::Intrinsic;
  if (isDouble)
    return bits == 128   ? x86_avx512_mask_range_pd_128
           : bits == 256 ? x86_avx512_mask_range_pd_256
                         : x86_avx512_mask_range_pd_512;
  return bits == 128   ? x86_avx512_mask_range_ps_128
         : bits == 256 ? x86_avx512_mask_range_ps_256
                       : x86_avx512_mask_range_ps_512;
}

/// The instruction's number for the function: of two numbers the lesser (greater), its own sign.
unsigned codeOf(const llvm::IntrinsicInst& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::minnum ? 0b0100 : 0b0101;
}
constexpr unsigned presentRounding = 4;

/// The lesser or greater of two numbers.
llvm::Value* rangeOfScalars(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  const bool isDouble = call.getType()->isDoubleTy();
  auto* const type = llvm::FixedVectorType::get(call.getType(), isDouble ? 2 : 4);
  llvm::SmallVector<llvm::Value*, 6> arguments;
  for (llvm::Value* operand : {call.getArgOperand(0), call.getArgOperand(1)})
    arguments.push_back(
        builder.CreateInsertElement(llvm::PoisonValue::get(type), operand, uint64_t(0)));
  arguments.append({llvm::PoisonValue::get(type), builder.getInt8(0xff),
                    builder.getInt32(codeOf(call)), builder.getInt32(presentRounding)});
  return builder.CreateExtractElement(
      builder.CreateIntrinsic(isDouble ? llvm::Intrinsic::x86_avx512_mask_range_sd
                                       : llvm::Intrinsic::x86_avx512_mask_range_ss,
                              {}, arguments),
      uint64_t(0));
}

/// The lesser or greater of two vectors, as many bits at a time.
llvm::Value* rangeOfVectors(llvm::IntrinsicInst& call, unsigned bits) {
  llvm::IRBuilder<> builder(&call);
  const auto* const whole = llvm::cast<llvm::FixedVectorType>(call.getType());
  llvm::Type* const scalar = whole->getElementType();
  const unsigned total = whole->getNumElements(), lanes = bits / scalar->getScalarSizeInBits();
  auto* const type = llvm::FixedVectorType::get(scalar, lanes);
  /// Lanes `first` and so on of a vector of `from` as one of `to`, what there is not is left open.
  const auto taken = [&](llvm::Value* vector, unsigned first, unsigned from, unsigned to) {
    if (first == 0 && from == to)
      return vector;
    llvm::SmallVector<int, 32> mask;
    for (unsigned lane = first; lane < first + to; ++lane)
      mask.push_back(lane < from ? static_cast<int>(lane) : -1);
    return builder.CreateShuffleVector(vector, mask);
  };
  llvm::Value* all = nullptr;
  for (unsigned first = 0; first < total; first += lanes) {
    llvm::SmallVector<llvm::Value*, 6> arguments;
    for (llvm::Value* operand : {call.getArgOperand(0), call.getArgOperand(1)})
      arguments.push_back(taken(operand, first, total, lanes));
    arguments.append({builder.getInt32(codeOf(call)), llvm::PoisonValue::get(type),
                      llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(lanes, 8U)))});
    if (bits == 512)
      arguments.push_back(builder.getInt32(presentRounding));
    llvm::Value* const part =
        taken(builder.CreateIntrinsic(rangeOf(scalar->isDoubleTy(), bits), {}, arguments), 0, lanes,
              total);
    if (!all) {
      all = part;
      continue;
    }
    llvm::SmallVector<int, 32> joined;
    for (unsigned lane = 0; lane < total; ++lane)
      joined.push_back(static_cast<int>(lane < first ? lane : total + lane - first));
    all = builder.CreateShuffleVector(all, part, joined);
  }
  return all;
}

/// Minima with such a constant take the processor's own instruction.
bool isNumberButZero(llvm::Value* operand) {
  using namespace llvm::PatternMatch;
  return match(operand, m_NonNaN()) && match(operand, m_NonZeroFP());
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ExactMinima::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager&) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  if (!features.contains("+avx512dq") || !features.contains("+avx512vl"))
    return llvm::PreservedAnalyses::all();
  // Longer vectors than a function wants are no vectors of the processor.
  uint64_t widest = 512;
  if (const llvm::Attribute wish = f.getFnAttribute("prefer-vector-width"); wish.isValid())
    if (uint64_t bits = 0; !wish.getValueAsString().getAsInteger(10, bits))
      widest = std::min<uint64_t>(widest, bits);
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call &&
          (call->getIntrinsicID() == llvm::Intrinsic::minnum ||
           call->getIntrinsicID() == llvm::Intrinsic::maxnum) &&
          !isNumberButZero(call->getArgOperand(0)) && !isNumberButZero(call->getArgOperand(1)))
        found.push_back(call);
  bool changed = false;
  for (llvm::IntrinsicInst* call : found) {
    llvm::Type* const scalar = call->getType()->getScalarType();
    if (!scalar->isFloatTy() && !scalar->isDoubleTy())
      continue;
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(call->getType());
    const uint64_t bits = type ? type->getPrimitiveSizeInBits().getFixedValue() : 0;
    llvm::Value* const exact = type ? rangeOfVectors(*call, bits <= 128                    ? 128
                                                            : bits <= 256 || widest <= 256 ? 256
                                                                                           : 512)
                                    : rangeOfScalars(*call);
    call->replaceAllUsesWith(exact);
    call->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

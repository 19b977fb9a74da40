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

/// Whether a number may be a signalling NaN: what arithmetic gives is none, whatever it is given.
bool maySignal(llvm::Value* value, llvm::SmallPtrSetImpl<llvm::Value*>& seen) {
  using namespace llvm::PatternMatch;
  if (llvm::isa<llvm::Constant>(value))
    return !llvm::isa<llvm::UndefValue>(value) && !match(value, m_NonNaN());
  if (!seen.insert(value).second)
    return false; // a loop's value is what comes into the loop, or made of it
  const auto ofAny = [&](auto&& operands) {
    return llvm::any_of(operands, [&](llvm::Value* operand) { return maySignal(operand, seen); });
  };
  auto* const i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i)
    return true;
  switch (i->getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
    return false;
  case llvm::Instruction::FNeg:
  case llvm::Instruction::PHI:
    return ofAny(i->operand_values());
  case llvm::Instruction::Select:
    return ofAny(llvm::drop_begin(i->operand_values()));
  case llvm::Instruction::ShuffleVector:
    return ofAny(i->operand_values());
  case llvm::Instruction::InsertElement:
    return maySignal(i->getOperand(0), seen) || maySignal(i->getOperand(1), seen);
  case llvm::Instruction::ExtractElement:
    return maySignal(i->getOperand(0), seen);
  case llvm::Instruction::Call:
    break;
  default:
    return true;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(i);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::minnum: // those are made here
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::x86_avx512_mask_range_ps_128:
  case llvm::Intrinsic::x86_avx512_mask_range_ps_256:
  case llvm::Intrinsic::x86_avx512_mask_range_ps_512:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_128:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_256:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_512:
    return false;
  case llvm::Intrinsic::fabs:
    return maySignal(i->getOperand(0), seen);
  default:
    return true;
  }
}
bool maySignal(llvm::Value* value) {
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  return maySignal(value, seen);
}

/// The lesser or greater of two vectors that are one of the processor's, by `range`. It gives a
/// signalling NaN back as a quiet one where the functions give the number; of the lesser of it and
/// itself it makes a quiet one, too.
template <class Range>
llvm::Value* ofQuiet(llvm::IntrinsicInst& call, llvm::Value* left, llvm::Value* right,
                     Range&& range) {
  const auto quiet = [&](llvm::Value* operand, llvm::Value* whole) {
    return maySignal(whole) ? range(operand, operand) : operand;
  };
  llvm::Value* const quietLeft = quiet(left, call.getArgOperand(0));
  return range(quietLeft, quiet(right, call.getArgOperand(1)));
}

/// The lesser or greater of two numbers.
llvm::Value* rangeOfScalars(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  const bool isDouble = call.getType()->isDoubleTy();
  auto* const type = llvm::FixedVectorType::get(call.getType(), isDouble ? 2 : 4);
  const auto first = [&](llvm::Value* number) {
    return builder.CreateInsertElement(llvm::PoisonValue::get(type), number, uint64_t(0));
  };
  const auto range = [&](llvm::Value* left, llvm::Value* right) -> llvm::Value* {
    return builder.CreateIntrinsic(isDouble ? llvm::Intrinsic::x86_avx512_mask_range_sd
                                            : llvm::Intrinsic::x86_avx512_mask_range_ss,
                                   {},
                                   {left, right, llvm::PoisonValue::get(type),
                                    builder.getInt8(0xff), builder.getInt32(codeOf(call)),
                                    builder.getInt32(presentRounding)});
  };
  llvm::Value* const left = first(call.getArgOperand(0));
  return builder.CreateExtractElement(ofQuiet(call, left, first(call.getArgOperand(1)), range),
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
  const auto range = [&](llvm::Value* left, llvm::Value* right) -> llvm::Value* {
    llvm::SmallVector<llvm::Value*, 6> arguments = {
        left, right, builder.getInt32(codeOf(call)), llvm::PoisonValue::get(type),
        llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(lanes, 8U)))};
    if (bits == 512)
      arguments.push_back(builder.getInt32(presentRounding));
    return builder.CreateIntrinsic(rangeOf(scalar->isDoubleTy(), bits), {}, arguments);
  };
  llvm::Value* all = nullptr;
  for (unsigned first = 0; first < total; first += lanes) {
    llvm::Value* const left = taken(call.getArgOperand(0), first, total, lanes);
    llvm::Value* const part =
        taken(ofQuiet(call, left, taken(call.getArgOperand(1), first, total, lanes), range), 0,
              lanes, total);
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

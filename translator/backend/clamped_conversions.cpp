// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of numbers that integers cannot hold. A GPU clamps them, and translated code says so
// with comparisons (device/casts.h); x86 processors give the least integer. Where that is what is
// chosen in the end, nothing needs to be compared:
//
//   min(max(x < -2^31 ? -2^31 : isnan(x) ? 0 : int(x), 0), 47)   ->   min(max(cvttps2dq(x), 0), 47)
//
// Compilers know the conversion's result as undefined there, and so have no use for what it is.
// Numbers that are too great still need a comparison.
#include "kernel_passes.h"

#include <vector>

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

using namespace llvm::PatternMatch;

constexpr unsigned mostSteps = 8;

/// What is computed from one conversion and constants.
struct Computed {
  llvm::FPToSIInst* conversion = nullptr;
  std::vector<llvm::Instruction*> steps; ///< the last one first
};

/// A step's operand that is no constant, if it has only one, and its number.
int variableOperand(const llvm::Instruction& step) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&step)) {
    if (!llvm::isa<llvm::MinMaxIntrinsic>(call))
      return -1;
  } else if (!llvm::isa<llvm::BinaryOperator, llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(
                 step) ||
             step.isIntDivRem()) {
    return -1;
  }
  int found = -1;
  const unsigned count = llvm::isa<llvm::CallBase>(step)
                             ? llvm::cast<llvm::CallBase>(step).arg_size()
                             : step.getNumOperands();
  for (unsigned i = 0; i < count; ++i)
    if (!llvm::isa<llvm::Constant>(step.getOperand(i))) {
      if (found >= 0)
        return -1;
      found = static_cast<int>(i);
    }
  return found;
}

Computed computedFrom(llvm::Value* value) {
  Computed out;
  while (out.steps.size() <= mostSteps) {
    if (auto* conversion = llvm::dyn_cast<llvm::FPToSIInst>(value)) {
      out.conversion = conversion;
      return out;
    }
    auto* const step = llvm::dyn_cast<llvm::Instruction>(value);
    const int operand = step ? variableOperand(*step) : -1;
    if (operand < 0)
      break;
    out.steps.push_back(step);
    value = step->getOperand(static_cast<unsigned>(operand));
  }
  return {};
}

/// What the steps make of the least integer, in all lanes alike; null if that is not known.
llvm::Constant* ofLeast(const Computed& computed, const llvm::DataLayout& layout) {
  llvm::Constant* value = llvm::ConstantInt::get(computed.conversion->getType()->getScalarType(),
                                                 llvm::APInt::getSignedMinValue(32));
  for (auto step = computed.steps.rbegin(); step != computed.steps.rend(); ++step) {
    const bool isCast = (*step)->isCast();
    llvm::SmallVector<llvm::Constant*, 2> operands;
    for (unsigned i = 0; i < (isCast ? 1 : 2); ++i) {
      auto* const constant = llvm::dyn_cast<llvm::Constant>((*step)->getOperand(i));
      operands.push_back(constant ? constant->getSplatValue() : value);
      if (!operands.back())
        return nullptr;
    }
    llvm::Type* const type = (*step)->getType()->getScalarType();
    // Without what the step says of overflows: it will be taken from it.
    if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(*step))
      value = llvm::ConstantFoldBinaryIntrinsic(call->getIntrinsicID(), operands[0], operands[1],
                                                type, call);
    else if (isCast)
      value = llvm::ConstantFoldCastOperand((*step)->getOpcode(), operands[0], type, layout);
    else
      value = llvm::ConstantFoldBinaryOpOperands((*step)->getOpcode(), operands[0], operands[1],
                                                 layout);
    if (!value || !llvm::isa<llvm::ConstantInt>(value))
      return nullptr;
  }
  return value;
}

/// Whether a condition holds (or, if not `truth`, fails) only for numbers that 32 bits do not hold,
/// and the least that they do.
bool tellsOutside(llvm::Value* condition, bool truth, llvm::Value* number, unsigned depth = 0) {
  llvm::Value *left = nullptr, *right = nullptr;
  if (depth > 4)
    return false;
  if (match(condition, m_Not(m_Value(left))))
    return tellsOutside(left, !truth, number, depth + 1);
  const auto side = [&](llvm::Value* part) { return tellsOutside(part, truth, number, depth + 1); };
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return truth ? side(left) || side(right) : side(left) && side(right);
  if (match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return truth ? side(left) && side(right) : side(left) || side(right);
  const auto* const test = llvm::dyn_cast<llvm::FCmpInst>(condition);
  const llvm::APFloat* bound = nullptr;
  if (!test || test->getOperand(0) != number || !match(test->getOperand(1), m_APFloat(bound)) ||
      bound->isNaN())
    return false;
  const auto predicate = truth ? test->getPredicate() : test->getInversePredicate();
  const auto beyond = [&](double power) {
    llvm::APFloat limit(power);
    bool inexact = false;
    limit.convert(bound->getSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return limit;
  };
  switch (predicate) {
  case llvm::CmpInst::FCMP_UNO:
    return true;
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::FCMP_OLE:
  case llvm::CmpInst::FCMP_ULE:
    return *bound <= beyond(-2147483648.0);
  case llvm::CmpInst::FCMP_OGE:
  case llvm::CmpInst::FCMP_UGE:
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_UGT:
    return *bound >= beyond(2147483648.0);
  default:
    return false;
  }
}

/// The processor's conversion, as many lanes at a time.
llvm::Value* converted(llvm::FPToSIInst& conversion, unsigned most) {
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value* const numbers = conversion.getOperand(0);
  const unsigned total = llvm::cast<llvm::FixedVectorType>(numbers->getType())->getNumElements();
  const unsigned lanes = std::min(total, most);
  const auto one = [&](llvm::Value* part) -> llvm::Value* {
    if (lanes == 16)
      return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_cvttps2dq_512, {},
                                     {part, llvm::PoisonValue::get(conversion.getType()),
                                      builder.getInt16(0xffff), builder.getInt32(4)});
    return builder.CreateIntrinsic(lanes == 8 ? llvm::Intrinsic::x86_avx_cvtt_ps2dq_256
                                              : llvm::Intrinsic::x86_sse2_cvttps2dq,
                                   {}, {part});
  };
  if (lanes == total)
    return one(numbers);
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned first = 0; first < total; first += lanes) {
    llvm::SmallVector<int, 16> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      mask.push_back(static_cast<int>(first + lane));
    parts.push_back(one(builder.CreateShuffleVector(numbers, mask)));
  }
  while (parts.size() > 1) {
    llvm::SmallVector<llvm::Value*, 4> joined;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      const unsigned both =
          2 * llvm::cast<llvm::FixedVectorType>(parts[i]->getType())->getNumElements();
      llvm::SmallVector<int, 32> mask;
      for (unsigned lane = 0; lane < both; ++lane)
        mask.push_back(static_cast<int>(lane));
      joined.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = std::move(joined);
  }
  return parts.front();
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ClampedConversions::run(llvm::Function& f,
                                                        llvm::FunctionAnalysisManager&) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  if (!features.contains("+avx2"))
    return llvm::PreservedAnalyses::all();
  const unsigned most = features.contains("+avx512f") ? 16 : 8;
  std::vector<llvm::SelectInst*> selects;
  llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
          select && select->getType()->isIntOrIntVectorTy() && select->getType()->isVectorTy())
        selects.push_back(select);
  bool changed = false;
  std::vector<llvm::FPToSIInst*> known;
  for (llvm::SelectInst* select : selects)
    for (const bool truth : {true, false}) {
      // What is chosen where the condition holds or fails, and what otherwise.
      auto* const chosen =
          llvm::dyn_cast<llvm::Constant>(truth ? select->getTrueValue() : select->getFalseValue());
      llvm::Value* const other = truth ? select->getFalseValue() : select->getTrueValue();
      const Computed computed = chosen ? computedFrom(other) : Computed();
      const auto* const type =
          computed.conversion
              ? llvm::dyn_cast<llvm::FixedVectorType>(computed.conversion->getType())
              : nullptr;
      if (!type || !type->getElementType()->isIntegerTy(32) ||
          !computed.conversion->getOperand(0)->getType()->getScalarType()->isFloatTy() ||
          (type->getNumElements() != 4 && type->getNumElements() != 8 &&
           type->getNumElements() != 16 && type->getNumElements() != 32) ||
          !tellsOutside(select->getCondition(), truth, computed.conversion->getOperand(0)) ||
          chosen->getSplatValue() == nullptr ||
          ofLeast(computed, f.getParent()->getDataLayout()) != chosen->getSplatValue())
        continue;
      for (llvm::Instruction* step : computed.steps)
        step->dropPoisonGeneratingFlags();
      if (!llvm::is_contained(known, computed.conversion))
        known.push_back(computed.conversion);
      select->replaceAllUsesWith(other);
      replaced.emplace_back(select);
      changed = true;
      break;
    }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  for (llvm::FPToSIInst* conversion : known) {
    conversion->replaceAllUsesWith(converted(*conversion, most));
    conversion->eraseFromParent();
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

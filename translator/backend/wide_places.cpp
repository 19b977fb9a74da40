// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that are sums of what all threads have alike and a thread's number, where an assumption
// says that no such sum is too large for its type:
//
//   in[first + lane]   ->   in[(long)first + (long)lane]
//
// Of `lane` from 8 on clang does not find that out, and keeps a version of the loop for sums that
// wrap around, which runs thread by thread: what threads keep then lies in memory. Where the number
// is as wide as a place before it is cut, clang shifts it to and fro: `(x * 2^32 - 2^32) / 2^32`.
#include "kernel_passes.h"

#include <optional>
#include <vector>

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// A wide number of which the lower half is taken and added to: `number + more`.
struct HalfOf {
  llvm::Value* number;
  std::int64_t more;
};

/// What clang makes of `(long)((int)number + more)`.
std::optional<HalfOf> halfOf(llvm::Instruction& i) {
  using namespace llvm::PatternMatch;
  constexpr unsigned half = 32;
  llvm::Value* number = nullptr;
  const llvm::APInt* more = nullptr;
  if (!i.getType()->isIntegerTy(2 * half) ||
      !match(&i, m_AShr(m_Add(m_Shl(m_Value(number), m_SpecificInt(half)), m_APInt(more)),
                        m_SpecificInt(half))) ||
      more->countr_zero() < half)
    return std::nullopt;
  return HalfOf{number, more->ashr(half).getSExtValue()};
}

} // namespace

llvm::PreservedAnalyses cu2cpp::WidePlaces::run(llvm::Function& f,
                                                llvm::FunctionAnalysisManager& analyses) {
  auto& known = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  auto& assumed = analyses.getResult<llvm::AssumptionAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  std::vector<std::pair<llvm::SExtInst*, llvm::BinaryOperator*>> found;
  std::vector<std::pair<llvm::Instruction*, HalfOf>> halves;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      continue;
    for (llvm::BasicBlock* block : loop->blocks())
      for (llvm::Instruction& i : *block) {
        if (const auto half = halfOf(i)) {
          const llvm::ConstantRange all =
              known.getSignedRange(known.getSCEV(half->number))
                  .intersectWith(llvm::computeConstantRange(
                      half->number, /*ForSigned=*/true, /*UseInstrInfo=*/true, &assumed, &i, &tree))
                  .add(llvm::ConstantRange(llvm::APInt(64, half->more, /*isSigned=*/true)));
          if (all.getSignedMin().sge(INT32_MIN) && all.getSignedMax().sle(INT32_MAX))
            halves.push_back({&i, *half});
          continue;
        }
        auto* const wide = llvm::dyn_cast<llvm::SExtInst>(&i);
        auto* const sum =
            wide ? llvm::dyn_cast<llvm::BinaryOperator>(wide->getOperand(0)) : nullptr;
        if (!sum || sum->getOpcode() != llvm::Instruction::Add || !loop->contains(sum) ||
            !known.isSCEVable(sum->getType()))
          continue;
        const auto rangeOf = [&](llvm::Value* part) {
          const llvm::ConstantRange counted = known.getSignedRange(known.getSCEV(part));
          return loop->isLoopInvariant(part)
                     ? counted.intersectWith(llvm::computeConstantRange(
                           part, /*ForSigned=*/true, /*UseInstrInfo=*/true, &assumed, sum, &tree))
                     : counted;
        };
        if (loop->isLoopInvariant(sum->getOperand(0)) !=
                loop->isLoopInvariant(sum->getOperand(1)) &&
            rangeOf(sum->getOperand(0)).signedAddMayOverflow(rangeOf(sum->getOperand(1))) ==
                llvm::ConstantRange::OverflowResult::NeverOverflows)
          found.push_back({wide, sum});
      }
  }
  for (const auto& [wide, sum] : found) {
    llvm::IRBuilder<> at(wide);
    known.forgetValue(wide);
    wide->replaceAllUsesWith(at.CreateNSWAdd(at.CreateSExt(sum->getOperand(0), wide->getType()),
                                             at.CreateSExt(sum->getOperand(1), wide->getType())));
    wide->eraseFromParent();
  }
  for (const auto& [place, half] : halves) {
    known.forgetValue(place);
    place->replaceAllUsesWith(llvm::IRBuilder<>(place).CreateNSWAdd(
        half.number, llvm::ConstantInt::get(place->getType(), half.more, true)));
    place->eraseFromParent();
  }
  if (found.empty() && halves.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of integers by a number that does not change in a loop are products with its
// reciprocal, computed once in front of the loop:
//
//   for (each thread)                      const double part = next(1.0 / width);
//     out[x] = table[x * n / width];  ->   for (each thread)
//                                            out[x] = table[int(double(x * n) * part)];
//
// Processors have no vectors of such divisions, which are done one by one then, and each takes as
// long as several products.
//
// The quotient is exact. Be a and b integers of up to 32 bits, and r the number behind 1 / b as a
// double, further from 0: r is greater than 1 / b, by less than 2^-51 of it, and so what a * r
// gives, rounded to the nearest, is not below a / b (an integer a / b is a double), and is above it
// by less than 2^-50 of it. From a / b to the next integer there is at least 1 / b, which is a / b
// * 1 / a, and 1 / a is at least 2^-32.
#include "kernel_passes.h"

#include <map>
#include <set>
#include <tuple>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// Loops of fewer steps do not make up for the reciprocal.
constexpr unsigned leastSteps = 8;

bool isDivision(const llvm::Instruction& i) {
  return i.isIntDivRem() && i.getType()->isIntegerTy() && i.getType()->getIntegerBitWidth() <= 32 &&
         !llvm::isa<llvm::Constant>(i.getOperand(1));
}

bool isSigned(const llvm::Instruction& division) {
  return division.getOpcode() == llvm::Instruction::SDiv ||
         division.getOpcode() == llvm::Instruction::SRem;
}

/// Whether a number is divided of which this division is a part in the step before: steps wait for
/// each other, and a product with its conversions takes longer than a division.
bool dividesItsOwn(const llvm::Instruction& division, const llvm::Loop& loop) {
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> left = {division.getOperand(0)};
  while (!left.empty()) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(left.back());
    left.pop_back();
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    if (i == &division)
      return true;
    left.insert(left.end(), i->value_op_begin(), i->value_op_end());
  }
  return false;
}

/// The divisions of one function, behind whose loops' heads reciprocals stand.
class Products {
public:
  /// Puts what a division gives, by a product, in its place; `before` is in front of the loop.
  void replace(llvm::Instruction& division, llvm::BasicBlock& before,
               const llvm::DominatorTree& tree) {
    llvm::Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    const bool withSign = isSigned(division);
    llvm::Value* part = reciprocal(*divisor, withSign, before);
    llvm::IRBuilder<> builder(&division);
    llvm::Instruction*& known = quotients_[{dividend, divisor, withSign}];
    llvm::Value* quotient = known && tree.dominates(known, &division) ? known : nullptr;
    if (!quotient) {
      // Processors convert numbers with a sign at once.
      const bool asSigned =
          withSign ||
          llvm::isKnownNonNegative(
              dividend, llvm::SimplifyQuery(division.getModule()->getDataLayout(), &division));
      llvm::Type *word = builder.getInt32Ty(), *real = builder.getDoubleTy();
      llvm::Value* wide =
          withSign ? builder.CreateSExt(dividend, word) : builder.CreateZExt(dividend, word);
      llvm::Value* product = builder.CreateFMul(
          asSigned ? builder.CreateSIToFP(wide, real) : builder.CreateUIToFP(wide, real), part);
      quotient = builder.CreateTrunc(asSigned ? builder.CreateFPToSI(product, word)
                                              : builder.CreateFPToUI(product, word),
                                     division.getType());
      known = llvm::dyn_cast<llvm::Instruction>(quotient);
    }
    const bool isQuotient = division.getOpcode() == llvm::Instruction::SDiv ||
                            division.getOpcode() == llvm::Instruction::UDiv;
    division.replaceAllUsesWith(
        isQuotient ? quotient : builder.CreateSub(dividend, builder.CreateMul(quotient, divisor)));
    replaced_.push_back(&division);
  }
  bool any() const { return !replaced_.empty(); }
  void erase() {
    for (llvm::Instruction* division : replaced_)
      division->eraseFromParent();
  }

private:
  llvm::Value* reciprocal(llvm::Value& divisor, bool withSign, llvm::BasicBlock& before) {
    llvm::Value*& known = reciprocals_[{&divisor, withSign, &before}];
    if (known)
      return known;
    llvm::IRBuilder<> builder(before.getTerminator());
    llvm::Type *word = builder.getInt32Ty(), *real = builder.getDoubleTy();
    llvm::Value* number = withSign ? builder.CreateSIToFP(builder.CreateSExt(&divisor, word), real)
                                   : builder.CreateUIToFP(builder.CreateZExt(&divisor, word), real);
    llvm::Value* inverse = builder.CreateFDiv(llvm::ConstantFP::get(real, 1.0), number);
    llvm::Value* next = builder.CreateAdd(builder.CreateBitCast(inverse, builder.getInt64Ty()),
                                          builder.getInt64(1));
    return known = builder.CreateBitCast(next, real);
  }

  std::map<std::tuple<llvm::Value*, bool, llvm::BasicBlock*>, llvm::Value*> reciprocals_;
  std::map<std::tuple<llvm::Value*, llvm::Value*, bool>, llvm::Instruction*> quotients_;
  std::vector<llvm::Instruction*> replaced_;
};

} // namespace

llvm::PreservedAnalyses cu2cpp::DivisorsOfLoops::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (f.hasMinSize() || f.hasOptSize() || f.hasFnAttribute(llvm::Attribute::StrictFP))
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto& steps = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  Products products;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    // Where clang decides about vectors, it decides for divisions as they are.
    if (!loop->isInnermost() || (stage_ == Stage::Forced &&
                                 llvm::hasVectorizeTransformation(loop) != llvm::TM_ForcedByUser))
      continue;
    for (llvm::BasicBlock* block : loop->blocks())
      for (llvm::Instruction& i : *block) {
        if (!isDivision(i) || !loop->isLoopInvariant(i.getOperand(1)))
          continue;
        const llvm::Loop* outermost = loop;
        for (const llvm::Loop* around = loop->getParentLoop();
             around && around->isLoopInvariant(i.getOperand(1)) && around->getLoopPreheader();
             around = around->getParentLoop())
          outermost = around;
        const unsigned most = steps.getSmallConstantMaxTripCount(loop);
        if (!outermost->getLoopPreheader() ||
            (outermost == loop && most != 0 && most < leastSteps) || dividesItsOwn(i, *loop))
          continue;
        products.replace(i, *outermost->getLoopPreheader(), tree);
      }
  }
  if (!products.any())
    return llvm::PreservedAnalyses::all();
  products.erase();
  steps.forgetAllLoops();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

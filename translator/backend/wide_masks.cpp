// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices by masks that are made of comparisons and of what all lanes share (`(a > b) == up` in a
// sort). AVX2 has no registers for masks: comparing 8 numbers gives 8 words, but LLVM 19 joins
// masks as 16-bit numbers, packs both sides into these, and widens what comes out: 6 instructions
// in place of one. Where the comparisons are of numbers as wide as what is chosen, they are joined
// as such words; what the loop does not change is widened in front of it.
#include "kernel_passes.h"

#include <map>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace {

/// The masks of one loop, as vectors of signed words of one width.
class WordsOfLoop {
public:
  WordsOfLoop(const llvm::Loop& loop, unsigned width) : loop_(loop), width_(width) {}

  /// Whether a mask can be had as words for no more than it takes now.
  bool fits(const llvm::Value* mask, unsigned depth = 0) const {
    if (loop_.isLoopInvariant(const_cast<llvm::Value*>(mask)))
      return depth > 0;
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(mask))
      return depth > 0 && compare->getOperand(0)->getType()->getScalarSizeInBits() == width_;
    constexpr unsigned deepest = 4;
    const Joined joined(const_cast<llvm::Value*>(mask));
    return joined.left && depth < deepest && fits(joined.left, depth + 1) &&
           fits(joined.right, depth + 1);
  }

  llvm::Value* of(llvm::Value* mask) {
    if (const auto known = words_.find(mask); known != words_.end())
      return known->second;
    auto* const type =
        llvm::VectorType::get(llvm::IntegerType::get(mask->getContext(), width_),
                              llvm::cast<llvm::VectorType>(mask->getType())->getElementCount());
    auto* const made = llvm::dyn_cast<llvm::Instruction>(mask);
    llvm::Value* words = nullptr;
    if (!made) {
      // A constant, or a parameter.
      llvm::IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
      words = builder.CreateSExt(mask, type);
    } else {
      llvm::IRBuilder<> builder(made->getParent(), llvm::isa<llvm::PHINode>(made)
                                                       ? made->getParent()->getFirstInsertionPt()
                                                       : std::next(made->getIterator()));
      const Joined joined(made);
      if (joined.left && loop_.contains(made)) {
        llvm::Value *const left = of(joined.left), *const right = of(joined.right);
        words = builder.CreateBinOp(joined.by, left,
                                    joined.chooses ? builder.CreateFreeze(right) : right);
      } else {
        words = builder.CreateSExt(mask, type);
      }
    }
    return words_[mask] = words;
  }

private:
  /// A mask that two others are joined to.
  struct Joined {
    llvm::Value *left = nullptr, *right = nullptr;
    llvm::Instruction::BinaryOps by = llvm::Instruction::Xor;
    bool chooses = false; ///< the right one, which need not have a value elsewhere

    explicit Joined(llvm::Value* mask) {
      using namespace llvm::PatternMatch;
      if (match(mask, m_LogicalAnd(m_Value(left), m_Value(right))))
        by = llvm::Instruction::And;
      else if (match(mask, m_LogicalOr(m_Value(left), m_Value(right))))
        by = llvm::Instruction::Or;
      else if (!match(mask, m_Xor(m_Value(left), m_Value(right))))
        left = right = nullptr;
      chooses = llvm::isa<llvm::SelectInst>(mask);
    }
  };
  const llvm::Loop& loop_;
  const unsigned width_;
  std::map<llvm::Value*, llvm::Value*> words_;
};

/// How wide the numbers are between which a vector of numbers is chosen; 0 for others.
unsigned widthOf(const llvm::SelectInst& choice) {
  constexpr unsigned bitsOfRegister = 128;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(choice.getType());
  const unsigned width = type ? type->getScalarSizeInBits() : 0;
  return choice.getCondition()->getType()->isVectorTy() && (width == 32 || width == 64) &&
                 width * type->getNumElements() % bitsOfRegister == 0
             ? width
             : 0;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::WideMasks::run(llvm::Function& f,
                                               llvm::FunctionAnalysisManager& analyses) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  if (!features.contains("+avx2") || features.contains("+avx512f"))
    return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  std::map<std::pair<const llvm::Loop*, unsigned>, WordsOfLoop> words;
  std::vector<std::pair<llvm::SelectInst*, WordsOfLoop*>> found;
  for (llvm::BasicBlock& block : f)
    if (const llvm::Loop* loop = loops.getLoopFor(&block); loop && loop->getLoopPreheader())
      for (llvm::Instruction& i : block)
        if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&i))
          if (const unsigned width = widthOf(*choice)) {
            WordsOfLoop& own =
                words.try_emplace(std::make_pair(loop, width), *loop, width).first->second;
            if (own.fits(choice->getCondition()))
              found.push_back({choice, &own});
          }
  for (const auto& [choice, own] : found) {
    llvm::Value* const mask = own->of(choice->getCondition());
    llvm::IRBuilder<> builder(choice);
    choice->setCondition(
        builder.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType())));
  }
  if (found.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of which both sides have a part in common.
//
// inRow() takes a thread's number off its place. Of a sum of three, `first + x + 256`, clang leaves
// the number in: it makes bitwise operations of such sums where a block's first place is a multiple
// of its size, and nobody sees any more that x does not matter. Each thread asked for itself
// whether it wraps around, and loops stored what lies side by side one by one. So it does of every
// second place, `2 * (first + x) - 2 * x`.
#include "kernel_passes.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace {

/// A part of a sum, and how often it is in it.
struct Term {
  llvm::Value* value;
  std::uint64_t times;
  bool operator==(const Term& other) const { return value == other.value && times == other.times; }
};

/// Collects what a sum is of; an `or` of what has no bits in common is one, too. Sums that are
/// multiplied with a number are of their parts' products.
void collectTerms(llvm::Value* sum, unsigned depth, llvm::SmallVectorImpl<Term>& terms,
                  std::uint64_t times = 1) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* factor = nullptr;
  constexpr std::uint64_t most = 64;
  llvm::Value* of = nullptr;
  if (depth > 0 && match(sum, m_Shl(m_Value(of), m_APInt(factor))) && factor->ult(6) &&
      times << factor->getZExtValue() <= most)
    return collectTerms(of, depth - 1, terms, times << factor->getZExtValue());
  if (depth > 0 && match(sum, m_Mul(m_Value(of), m_APInt(factor))) && factor->ule(most) &&
      times * factor->getZExtValue() <= most && !factor->isZero())
    return collectTerms(of, depth - 1, terms, times * factor->getZExtValue());
  llvm::Value *left = nullptr, *right = nullptr;
  bool isSum = match(sum, m_Add(m_Value(left), m_Value(right)));
#if LLVM_VERSION_MAJOR >= 18
  if (match(sum, m_Or(m_Value(left), m_Value(right))))
    isSum = llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint();
#endif
  if (depth == 0 || !isSum) {
    terms.push_back({sum, times});
    return;
  }
  collectTerms(left, depth - 1, terms, times);
  collectTerms(right, depth - 1, terms, times);
}

/// How far a place in an array of arrays is behind the array's begin, which clang only sees through
/// one step: in updates.h, of 64 bits until then.
llvm::Value* distance(llvm::Instruction& difference, const llvm::DataLayout& layout) {
  using namespace llvm::PatternMatch;
  llvm::Value *place = nullptr, *begin = nullptr;
  if (!match(&difference, m_Sub(m_PtrToInt(m_Value(place)), m_PtrToInt(m_Value(begin)))) ||
      layout.getIndexTypeSizeInBits(begin->getType()) != difference.getType()->getIntegerBitWidth())
    return nullptr;
  constexpr unsigned most = 4;
  llvm::SmallVector<llvm::GEPOperator*, most> steps;
  while (place != begin && steps.size() < most) {
    auto* step = llvm::dyn_cast<llvm::GEPOperator>(place);
    if (!step || step->getType()->isVectorTy())
      return nullptr;
    steps.push_back(step);
    place = step->getPointerOperand();
  }
  if (place != begin || steps.empty())
    return nullptr;
  llvm::IRBuilder<> builder(&difference);
  llvm::Value* sum = nullptr;
  for (llvm::GEPOperator* step : llvm::reverse(steps)) {
    llvm::Value* offset = llvm::emitGEPOffset(&builder, layout, step);
    sum = sum ? builder.CreateAdd(sum, offset) : offset;
  }
  return sum;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::Differences::run(llvm::Function& f,
                                                 llvm::FunctionAnalysisManager&) {
  using namespace llvm::PatternMatch;
  constexpr unsigned deepest = 6;
  bool changed = false;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
      if (i.getOpcode() == llvm::Instruction::Sub && i.getType()->isIntegerTy())
        if (llvm::Value* known = distance(i, f.getParent()->getDataLayout())) {
          i.replaceAllUsesWith(known);
          i.eraseFromParent();
          changed = true;
          continue;
        }
      llvm::Value *sum = nullptr, *part = nullptr;
      if (!i.getType()->isIntegerTy() || !match(&i, m_Sub(m_Value(sum), m_Value(part))) ||
          llvm::isa<llvm::Constant>(part))
        continue;
      llvm::SmallVector<Term, 8> terms, off, left;
      collectTerms(sum, deepest, terms);
      collectTerms(part, deepest, off);
      for (const Term& term : off)
        if (auto* const same = llvm::find(terms, term); same != terms.end())
          terms.erase(same);
        else
          left.push_back(term);
      if (terms.empty() || left.size() == off.size() || !llvm::all_of(left, [](const Term& term) {
            return llvm::isa<llvm::Constant>(term.value);
          }))
        continue;
      llvm::IRBuilder<> builder(&i);
      const auto product = [&](const Term& term) {
        return term.times == 1
                   ? term.value
                   : builder.CreateMul(term.value, llvm::ConstantInt::get(i.getType(), term.times));
      };
      llvm::Value* rest = product(terms.front());
      for (const Term& term : llvm::drop_begin(terms))
        rest = builder.CreateAdd(rest, product(term));
      for (const Term& term : left)
        rest = builder.CreateSub(rest, product(term));
      i.replaceAllUsesWith(rest);
      i.eraseFromParent();
      changed = true;
    }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

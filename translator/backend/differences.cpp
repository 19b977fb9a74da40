// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of which both sides have a part in common.
//
// inRow() takes a thread's number off its place. Of a sum of three, `first + x + 256`, clang leaves
// the number in: it makes bitwise operations of such sums where a block's first place is a multiple
// of its size, and nobody sees any more that x does not matter. Each thread asked for itself
// whether it wraps around, and loops stored what lies side by side one by one.
#include "kernel_passes.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace {

/// Collects what a sum is of; an `or` of what has no bits in common is one, too.
void collectTerms(llvm::Value* sum, unsigned depth, llvm::SmallVectorImpl<llvm::Value*>& terms) {
  using namespace llvm::PatternMatch;
  llvm::Value *left = nullptr, *right = nullptr;
  bool isSum = match(sum, m_Add(m_Value(left), m_Value(right)));
#if LLVM_VERSION_MAJOR >= 18
  if (match(sum, m_Or(m_Value(left), m_Value(right))))
    isSum = llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint();
#endif
  if (depth == 0 || !isSum) {
    terms.push_back(sum);
    return;
  }
  collectTerms(left, depth - 1, terms);
  collectTerms(right, depth - 1, terms);
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
  constexpr unsigned deepest = 3;
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
      llvm::SmallVector<llvm::Value*, 8> terms, off, left;
      collectTerms(sum, deepest, terms);
      collectTerms(part, deepest, off);
      for (llvm::Value* term : off)
        if (llvm::Value** const same = llvm::find(terms, term); same != terms.end())
          terms.erase(same);
        else
          left.push_back(term);
      if (terms.empty() || left.size() == off.size() ||
          !llvm::all_of(left, [](llvm::Value* term) { return llvm::isa<llvm::Constant>(term); }))
        continue;
      llvm::IRBuilder<> builder(&i);
      llvm::Value* rest = terms.front();
      for (llvm::Value* term : llvm::drop_begin(terms))
        rest = builder.CreateAdd(rest, term);
      for (llvm::Value* term : left)
        rest = builder.CreateSub(rest, term);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a place is computed from, where it is a value besides:
//
//   const int i = first + x;
//   if (in[i] < least) { ...; at = i; }
//
// Where processors do not gather, clang computes what belongs to places for one thread at a time,
// and puts a vector of it together number by number if anything else asks for it: `i` of eight
// threads takes 20 instructions. It is computed once more for those, and becomes a vector in one.
#include "kernel_passes.h"

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

/// The instructions of one loop by which it computes places in memory.
class PlacesOfLoop {
public:
  explicit PlacesOfLoop(llvm::Loop& loop) : loop_(loop) {
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& i : *block)
        add(llvm::getLoadStorePointerOperand(&i));
  }

  /// Gives copies to all that is no place. Tells whether there is any.
  bool part() {
    std::vector<llvm::Use*> values;
    for (llvm::Instruction* i : inOrder_)
      if (canCopy(*i))
        for (llvm::Use& use : i->uses())
          if (isValue(use))
            values.push_back(&use);
    for (llvm::Use* use : values)
      use->set(copyOf(*llvm::cast<llvm::Instruction>(use->get())));
    return !values.empty();
  }

private:
  void add(llvm::Value* place) {
    auto* const i = llvm::dyn_cast_or_null<llvm::Instruction>(place);
    if (!i || !loop_.contains(i) || llvm::isa<llvm::PHINode>(i) || !all_.insert(i).second)
      return;
    inOrder_.push_back(i);
    for (llvm::Value* part : i->operands())
      add(part);
  }

  /// Whether an instruction does nothing but to compute a number. Loops count by other ones.
  bool canCopy(const llvm::Instruction& i) const {
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst>(i) &&
           i.getType()->isIntegerTy() && llvm::isSafeToSpeculativelyExecute(&i) &&
           llvm::none_of(i.users(), [&](const llvm::User* user) {
             const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
             return phi && phi->getParent() == loop_.getHeader();
           });
  }

  bool isValue(const llvm::Use& use) const {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    // Calls mostly are made for one thread at a time, too.
    return loop_.contains(user) && !all_.count(user) &&
           !(llvm::isa<llvm::CallBase>(user) && !llvm::isa<llvm::IntrinsicInst>(user));
  }

  llvm::Instruction* copyOf(llvm::Instruction& i) {
    llvm::Instruction*& copy = copies_[&i];
    if (copy)
      return copy;
    llvm::Instruction* const made = copy = i.clone();
    made->insertAfter(&i);
    for (llvm::Use& part : made->operands())
      if (auto* const from = llvm::dyn_cast<llvm::Instruction>(part.get());
          from && all_.count(from) && canCopy(*from))
        part.set(copyOf(*from));
    return made;
  }

  llvm::Loop& loop_;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> all_;
  std::vector<llvm::Instruction*> inOrder_;
  llvm::DenseMap<llvm::Instruction*, llvm::Instruction*> copies_;
};

} // namespace

llvm::PreservedAnalyses cu2cpp::NumbersOfPlaces::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::TargetIRAnalysis>(f).prefersVectorizedAddressing())
    return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder())
    if (loop->isInnermost() && llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable"))
      changed |= PlacesOfLoop(*loop).part();
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

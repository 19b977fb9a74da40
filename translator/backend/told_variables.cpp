// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is given, where a rare way through it tells another function of that:
//
//   void kernel(const double* in, double* out)      both versions of the body know `in` and `out`
//                                                    by where they lie (rare_block.h)
//
// Where the version for rare blocks is too long to become part of the kernel, its regions are
// functions that are told where the arguments lie. So these lie in memory, and clang loads them
// anew behind each store in the other version, too: in loops over threads, an array of which the
// address is loaded is no row. A variable that is stored once keeps its value as long as nobody has
// been told of it.
#include "kernel_passes.h"

#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace {

/// The uses of a variable that holds an argument.
struct Uses {
  llvm::StoreInst* store = nullptr; ///< of the argument
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::Instruction*> others; ///< by which the variable may change, or be known
};

/// Nothing where another value than one argument is stored first.
bool collect(llvm::AllocaInst& variable, Uses& uses) {
  for (llvm::User* user : variable.users()) {
    auto* const i = llvm::cast<llvm::Instruction>(user);
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(i);
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(i);
    if (load && load->isSimple()) {
      if (load->getType() == variable.getAllocatedType())
        uses.loads.push_back(load);
    } else if (store && store->isSimple() && !uses.store &&
               llvm::isa<llvm::Argument>(store->getValueOperand()) &&
               store->getValueOperand()->getType() == variable.getAllocatedType() &&
               store->getParent() == variable.getParent()) {
      uses.store = store;
    } else if (!i->isLifetimeStartOrEnd()) {
      uses.others.push_back(i);
    }
  }
  return uses.store && !uses.loads.empty();
}

/// Blocks that begin behind some instructions.
llvm::SmallPtrSet<const llvm::BasicBlock*, 32>
behind(const std::vector<llvm::Instruction*>& instructions) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> out;
  std::vector<const llvm::BasicBlock*> open;
  const auto add = [&](const llvm::BasicBlock* from) {
    for (const llvm::BasicBlock* next : llvm::successors(from))
      if (out.insert(next).second)
        open.push_back(next);
  };
  for (const llvm::Instruction* i : instructions)
    add(i->getParent());
  while (!open.empty()) {
    const llvm::BasicBlock* const from = open.back();
    open.pop_back();
    add(from);
  }
  return out;
}

/// Tells whether a variable's value became known to any load.
bool keep(llvm::AllocaInst& variable) {
  Uses uses;
  if (!variable.getAllocatedType()->isSingleValueType() || !collect(variable, uses))
    return false;
  const auto told = behind(uses.others);
  bool changed = false;
  for (llvm::LoadInst* load : uses.loads) {
    const bool isFirst =
        !told.contains(load->getParent()) &&
        llvm::none_of(uses.others,
                      [&](const llvm::Instruction* other) {
                        return other->getParent() == load->getParent() && other->comesBefore(load);
                      }) &&
        // The entry block, in which the variable is stored, begins once.
        (load->getParent() != uses.store->getParent() || uses.store->comesBefore(load));
    if (!isFirst)
      continue;
    load->replaceAllUsesWith(uses.store->getValueOperand());
    load->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::ToldVariables::run(llvm::Function& f,
                                                   llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& i : f.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
        variable && variable->isStaticAlloca())
      changed |= keep(*variable);
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

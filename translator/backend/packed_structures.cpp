// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of which all parts are made alike stay packed as they lie in memory:
//
//   y[i] = make_float4(a * x[i].x + b[i].x, ...)
//
// Vectorisers take neighbours' structures apart into one vector for each part, and put them
// together again to be stored: most of what such a loop does is to move words. What is done to all
// parts alike can be done to the words in the order in which they lie. A value that is one for all
// parts of a structure is repeated for them.
#include "kernel_passes.h"
#include "packed_parts.h"

#include "llvm/Transforms/Utils/Local.h"

namespace {

using cu2cpp::Packing, cu2cpp::Parts, cu2cpp::vectorAt, cu2cpp::vectorType;

/// The parts that a shuffle puts together; none if it does something else.
Parts partsOf(llvm::Value* value) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
  if (!shuffle)
    return {};
  const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
  const int width = int(vectorType(shuffle->getOperand(0))->getNumElements());
  for (const int count : {2, 3, 4}) {
    const int lanes = int(mask.size()) / count;
    if (int(mask.size()) % count != 0 || lanes < 4)
      continue;
    Parts parts;
    for (int part = 0; part < count; ++part) {
      const int first = mask[part];
      bool inOrder = first >= 0;
      for (int lane = 0; inOrder && lane < lanes; ++lane)
        inOrder = mask[lane * count + part] == first + lane;
      llvm::Value* const vector = !inOrder ? nullptr
                                  : first < width
                                      ? vectorAt(shuffle->getOperand(0), first, lanes)
                                      : vectorAt(shuffle->getOperand(1), first - width, lanes);
      if (!vector)
        break;
      parts.push_back(vector);
    }
    if (int(parts.size()) == count)
      return parts;
  }
  return {};
}

/// Stores the words without taking structures apart, where that is less to do.
bool pack(llvm::StoreInst* store, std::map<llvm::Value*, llvm::Value*>& repeated) {
  const Parts parts = partsOf(store->getValueOperand());
  if (parts.empty() || !store->isSimple())
    return false;
  Packing packing(unsigned(parts.size()), store);
  if (!packing.look(parts) || packing.isLeaf(parts))
    return false;
  // To take structures apart, or to put them together, is the work of three repetitions.
  constexpr unsigned apart = 3;
  if (apart * packing.leaves() + packing.repeats() >= apart * (1 + packing.loads()))
    return false;
  llvm::Value* const before = store->getValueOperand();
  store->setOperand(0, packing.build(parts, repeated));
  llvm::RecursivelyDeleteTriviallyDeadInstructions(before);
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::PackedStructures::run(llvm::Function& f,
                                                      llvm::FunctionAnalysisManager&) {
  std::vector<llvm::StoreInst*> stores;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
          store && vectorType(store->getValueOperand()))
        stores.push_back(store);
  std::map<llvm::Value*, llvm::Value*> repeated;
  bool changed = false;
  for (llvm::StoreInst* store : stores)
    changed |= pack(store, repeated);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

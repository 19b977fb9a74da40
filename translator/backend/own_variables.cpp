// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "own_variables.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cu2cpp {

namespace {

/// Whether anybody is told of a variable. clang takes volatile accesses for that, too: those of
/// atomic functions (device/atomics.h) tell nobody.
class Told : public llvm::CaptureTracker {
public:
  explicit Told(bool vectors) : vectors_(vectors) {}
  bool is = false;
  void tooManyUses() override { is = true; }
  bool captured(const llvm::Use* use) override {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(use->getUser());
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(use->getUser());
    return is |= !(load || (store && use->getOperandNo() == store->getPointerOperandIndex()) ||
                   (vectors_ && (isOfGather(*use) || llvm::isa<llvm::ICmpInst>(use->getUser()))));
  }

private:
  /// Whether it is where a gather or scatter finds its places.
  static bool isOfGather(const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(use.getUser());
    return call &&
           ((call->getIntrinsicID() == llvm::Intrinsic::masked_gather && use.getOperandNo() == 0) ||
            (call->getIntrinsicID() == llvm::Intrinsic::masked_scatter && use.getOperandNo() == 1));
  }
  const bool vectors_;
};

} // namespace

bool OwnVariables::isOwn(const llvm::AllocaInst* variable) {
  constexpr unsigned mostUses = 10000; // of unrolled loops
  const auto [known, isNew] = known_.try_emplace(variable, false);
  if (isNew && variable->isStaticAlloca()) {
    Told told(vectors_);
    llvm::PointerMayBeCaptured(variable, &told, mostUses);
    known->second = !told.is;
  }
  return known->second;
}

std::vector<llvm::AllocaInst*> OwnVariables::around(const llvm::Value* place) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(place, objects, nullptr, 0);
  std::vector<llvm::AllocaInst*> out;
  for (const llvm::Value* object : objects) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object);
    if (!variable || !isOwn(variable))
      return {};
    out.push_back(const_cast<llvm::AllocaInst*>(variable));
  }
  return out;
}

llvm::AllocaInst* OwnVariables::of(const llvm::Value* place) {
  const std::vector<llvm::AllocaInst*> all = around(place);
  return all.size() == 1 ? all.front() : nullptr;
}

bool onlyAccesses(const llvm::Loop& loop, const llvm::AllocaInst* variable,
                  llvm::function_ref<bool(llvm::Instruction& access)> isPlace) {
  const auto mayBe = [&](const llvm::Value* place) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(place, objects, nullptr, 0);
    return llvm::is_contained(objects, variable);
  };
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      if (!i.mayReadOrWriteMemory())
        continue;
      if (const llvm::Value* place = llvm::getLoadStorePointerOperand(&i)) {
        if (mayBe(place) && !isPlace(i))
          return false;
      } else if (llvm::any_of(i.operands(), [&](const llvm::Use& given) {
                   return given->getType()->isPointerTy() && mayBe(given.get());
                 })) {
        return false;
      }
    }
  return true;
}

bool liesWithin(llvm::Value* place, std::uint64_t bytes, llvm::AllocaInst* variable,
                llvm::ScalarEvolution& known) {
  const auto size = variable->getAllocationSize(variable->getModule()->getDataLayout());
  if (!size || size->isScalable() || size->getFixedValue() < bytes)
    return false;
  const llvm::SCEV* const distance =
      known.getMinusSCEV(known.getSCEV(place), known.getSCEV(variable));
  return !llvm::isa<llvm::SCEVCouldNotCompute>(distance) &&
         known.getUnsignedRangeMax(distance).ule(size->getFixedValue() - bytes);
}

} // namespace cu2cpp

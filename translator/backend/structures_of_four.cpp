// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of 8 neighbours' float4 or int4.
//
//   float4 v = x[i]; sum += v.x * v.y ...      one vector for each part: of 32 words every fourth
//   y[i] = make_float4(a, b, c, d);            the other way around
//
// Compilers pick each of the parts out of the 32 words by itself, in 7 instructions of which 4 go
// across the halves of a vector. All four together are a transposition within halves: 8 shuffles.
#include "kernel_passes.h"

#include <array>
#include <optional>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace {

constexpr int lanes = 8, parts = 4, half = 4;
using Four = std::array<llvm::Value*, parts>;

/// Two vectors of which each half holds the first (or last) two elements of both.
constexpr int low[] = {0, 8, 1, 9, 4, 12, 5, 13}, high[] = {2, 10, 3, 11, 6, 14, 7, 15};
/// Likewise the first or last pair.
constexpr int lowPairs[] = {0, 1, 8, 9, 4, 5, 12, 13}, highPairs[] = {2, 3, 10, 11, 6, 7, 14, 15};

/// The four-by-four transposition in both halves of vectors: its own inverse.
Four transposed(llvm::IRBuilder<>& at, const Four& in) {
  const auto mix = [&](llvm::Value* a, llvm::Value* b, llvm::ArrayRef<int> how) {
    return at.CreateShuffleVector(a, b, how);
  };
  llvm::Value *const a = mix(in[0], in[1], low), *const b = mix(in[2], in[3], low),
                     *const c = mix(in[0], in[1], high), *const d = mix(in[2], in[3], high);
  return {mix(a, b, lowPairs), mix(a, b, highPairs), mix(c, d, lowPairs), mix(c, d, highPairs)};
}

bool isOfFours(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() == lanes * parts &&
         (vector->getElementType()->isFloatTy() || vector->getElementType()->isIntegerTy(32));
}

/// Which part of the structures a shuffle picks.
std::optional<int> partOf(const llvm::ShuffleVectorInst& shuffle) {
  const llvm::ArrayRef<int> mask = shuffle.getShuffleMask();
  if (mask.size() != lanes || mask[0] < 0 || mask[0] >= parts)
    return std::nullopt;
  for (int lane = 0; lane < lanes; ++lane)
    if (mask[lane] != mask[0] + lane * parts)
      return std::nullopt;
  return mask[0];
}

bool rewriteLoad(llvm::LoadInst* load) {
  if (!load->isSimple() || !isOfFours(load->getType()) || !load->hasNUsesOrMore(2))
    return false;
  std::vector<std::pair<llvm::ShuffleVectorInst*, int>> picks;
  for (llvm::User* user : load->users()) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
    const auto part = shuffle && shuffle->getOperand(0) == load ? partOf(*shuffle) : std::nullopt;
    if (!part)
      return false;
    picks.push_back({shuffle, *part});
  }
  llvm::IRBuilder<> at(load);
  auto* const element = llvm::cast<llvm::FixedVectorType>(load->getType())->getElementType();
  auto* const one = llvm::FixedVectorType::get(element, half);
  const auto structure = [&](unsigned lane) {
    const unsigned offset = lane * parts * 4;
    llvm::LoadInst* const out = at.CreateAlignedLoad(
        one, at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), load->getPointerOperand(), offset),
        llvm::commonAlignment(load->getAlign(), offset));
    out->copyMetadata(*load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                              llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_access_group,
                              llvm::LLVMContext::MD_invariant_load});
    return out;
  };
  Four rows;
  for (unsigned row = 0; row < parts; ++row) {
    llvm::Value *const first = structure(row), *const second = structure(row + half);
    rows[row] = at.CreateShuffleVector(first, second, {0, 1, 2, 3, 4, 5, 6, 7});
  }
  const Four found = transposed(at, rows);
  for (const auto& [shuffle, part] : picks) {
    shuffle->replaceAllUsesWith(found[part]);
    shuffle->eraseFromParent();
  }
  load->eraseFromParent();
  return true;
}

/// The vector of which a value holds the lanes from `from` on, in order.
llvm::Value* vectorAt(llvm::Value* value, int from) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
  if (type->getNumElements() == lanes)
    return from == 0 ? value : nullptr;
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
  if (!shuffle || from % lanes != 0)
    return nullptr;
  const int width =
      llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
  const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
  if (from + lanes > int(mask.size()) || mask[from] < 0)
    return nullptr;
  for (int lane = 1; lane < lanes; ++lane)
    if (mask[from + lane] != mask[from] + lane)
      return nullptr;
  return mask[from] < width ? vectorAt(shuffle->getOperand(0), mask[from])
                            : vectorAt(shuffle->getOperand(1), mask[from] - width);
}

bool rewriteStore(llvm::StoreInst* store) {
  auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(store->getValueOperand());
  if (!store->isSimple() || !shuffle || !isOfFours(shuffle->getType()))
    return false;
  const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
  const int width =
      llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
  Four columns;
  for (int part = 0; part < parts; ++part) {
    const int first = mask[part];
    for (int lane = 0; lane < lanes; ++lane)
      if (first < 0 || mask[lane * parts + part] != first + lane)
        return false;
    columns[part] = first < width ? vectorAt(shuffle->getOperand(0), first)
                                  : vectorAt(shuffle->getOperand(1), first - width);
    if (!columns[part])
      return false;
  }
  llvm::IRBuilder<> at(store);
  const Four rows = transposed(at, columns);
  // Each row is two structures, four apart: two neighbours make a vector.
  constexpr int firsts[] = {0, 1, 2, 3, 8, 9, 10, 11}, seconds[] = {4, 5, 6, 7, 12, 13, 14, 15};
  for (unsigned vector = 0; vector < parts; ++vector) {
    const unsigned pair = vector % 2 * 2, offset = vector * lanes * 4;
    llvm::StoreInst* const out = at.CreateAlignedStore(
        at.CreateShuffleVector(rows[pair], rows[pair + 1],
                               llvm::ArrayRef<int>(vector < 2 ? firsts : seconds)),
        at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), store->getPointerOperand(), offset),
        llvm::commonAlignment(store->getAlign(), offset));
    out->copyMetadata(*store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                               llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_access_group});
  }
  store->eraseFromParent();
  if (shuffle->use_empty())
    shuffle->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::StructuresOfFour::run(llvm::Function& f,
                                                      llvm::FunctionAnalysisManager&) {
  if (!hasPoorStores(f))
    return llvm::PreservedAnalyses::all();
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::StoreInst*> stores;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
        loads.push_back(load);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        stores.push_back(store);
  bool changed = false;
  for (llvm::StoreInst* store : stores)
    changed |= rewriteStore(store);
  for (llvm::LoadInst* load : loads)
    changed |= rewriteLoad(load);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

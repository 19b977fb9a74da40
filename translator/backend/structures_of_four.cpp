// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of neighbours' float4 or int4, and of four words side by side in other structures.
//
//   float4 v = x[i]; sum += v.x * v.y ...      one vector for each part: of 32 words every fourth
//   y[i] = make_float4(a, b, c, d);            the other way around
//   Particle q = p[i]; x = q.x + q.vx * dt;    one vector for each member: gathered
//
// Compilers pick each of the parts out of the 32 words by itself, in 7 instructions of which 4 go
// across the halves of a vector, or gather each word by itself. All four together are a
// transposition within parts of four words: 8 shuffles.
#include "joined_vectors.h"
#include "kernel_passes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace {

constexpr int lanes = 8, parts = 4, half = 4;
using Four = std::array<llvm::Value*, parts>;

/// The four-by-four transposition in all fours of vectors: its own inverse.
Four transposed(llvm::IRBuilder<>& at, const Four& in) {
  const int all = int(llvm::cast<llvm::FixedVectorType>(in[0]->getType())->getNumElements());
  // Two vectors of which each four holds the first (or last) two elements of both, in turn or as
  // pairs.
  std::vector<int> low, high, lowPairs, highPairs;
  for (int first = 0; first < all; first += half) {
    const int second = all + first;
    low.insert(low.end(), {first, second, first + 1, second + 1});
    high.insert(high.end(), {first + 2, second + 2, first + 3, second + 3});
    lowPairs.insert(lowPairs.end(), {first, first + 1, second, second + 1});
    highPairs.insert(highPairs.end(), {first + 2, first + 3, second + 2, second + 3});
  }
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
    columns[part] = first < width ? cu2cpp::vectorAt(shuffle->getOperand(0), first, lanes)
                                  : cu2cpp::vectorAt(shuffle->getOperand(1), first - width, lanes);
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

/// Whether all lanes of a vector are one value.
bool isSplat(const llvm::Value* vector) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(vector))
    return constant->getSplatValue() != nullptr;
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
  return shuffle && shuffle->isZeroEltSplat();
}

/// Whether each lane of a vector of integers is one more than the one before.
bool countsUp(const llvm::Value* vector, const llvm::PHINode* inside = nullptr,
              unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (depth > deepest)
    return false;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantDataVector>(vector)) {
    for (unsigned lane = 1; lane < constant->getNumElements(); ++lane)
      if (constant->getElementAsInteger(lane) != constant->getElementAsInteger(lane - 1) + 1)
        return false;
    return true;
  }
  if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(vector);
      sum && sum->getOpcode() == llvm::Instruction::Add) {
    const llvm::Value *const a = sum->getOperand(0), *const b = sum->getOperand(1);
    return (isSplat(b) && countsUp(a, inside, depth + 1)) ||
           (isSplat(a) && countsUp(b, inside, depth + 1));
  }
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(vector);
  if (phi && phi == inside)
    return true;
  return phi && !inside &&
         std::all_of(phi->incoming_values().begin(), phi->incoming_values().end(),
                     [&](const llvm::Value* v) { return countsUp(v, phi, depth + 1); });
}

/// Structures of an array: the places of one for each lane.
struct Structures {
  llvm::Type* type;
  llvm::Value *array, *places;
  /// Numbers of 64 bits do not start anew within a row.
  bool areNeighbours() const {
    return places->getType()->getScalarSizeInBits() == 64 && countsUp(places);
  }
  bool operator==(const Structures& other) const {
    return type == other.type && array == other.array && places == other.places;
  }
};

/// A gather of one word of each of some structures.
struct MemberGather {
  llvm::IntrinsicInst* gather;
  unsigned offset; ///< in bytes
};

/// The structures that a gather goes to; nothing if it does something else.
std::optional<Structures> structuresOf(const llvm::IntrinsicInst* gather, unsigned& offset) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(gather->getType());
  const auto* mask = llvm::dyn_cast<llvm::Constant>(gather->getArgOperand(2));
  const unsigned count = type->getNumElements();
  const unsigned bits = type->getScalarSizeInBits();
  if (!mask || !mask->isAllOnesValue() || (count != 4 && count != 8 && count != 16) ||
      (bits != 32 && bits != 64) || type->getElementType()->isPointerTy())
    return std::nullopt;
  const llvm::DataLayout& layout = gather->getModule()->getDataLayout();
  constexpr unsigned most = 1u << 12;
  auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(gather->getArgOperand(0));
  offset = 0;
  if (place && place->getPointerOperand()->getType()->isVectorTy()) {
    llvm::APInt by(64, 0);
    if (!place->accumulateConstantOffset(layout, by) || by.uge(most))
      return std::nullopt;
    offset = unsigned(by.getZExtValue());
    place = llvm::dyn_cast<llvm::GetElementPtrInst>(place->getPointerOperand());
  }
  if (!place || place->getPointerOperand()->getType()->isVectorTy() || place->getNumIndices() < 1 ||
      !place->getOperand(1)->getType()->isVectorTy() || !place->getSourceElementType()->isSized())
    return std::nullopt;
  // `p[i].m` in one step.
  std::vector<llvm::Value*> member{
      llvm::ConstantInt::get(layout.getIndexType(place->getPointerOperand()->getType()), 0)};
  for (unsigned i = 2; i <= place->getNumIndices(); ++i) {
    if (!llvm::isa<llvm::ConstantInt>(place->getOperand(i)))
      return std::nullopt;
    member.push_back(place->getOperand(i));
  }
  const std::int64_t by = layout.getIndexedOffsetInType(place->getSourceElementType(), member);
  if (by < 0 || by >= most)
    return std::nullopt;
  offset += unsigned(by);
  return Structures{place->getSourceElementType(), place->getPointerOperand(),
                    place->getOperand(1)};
}

unsigned wordBytes(const llvm::Value* vector) {
  return vector->getType()->getScalarSizeInBits() / 8;
}

/// Loads four words of each structure, from `window` on, for the gathers that want some of them.
void loadWindow(const Structures& structures, unsigned size, unsigned window,
                const std::vector<MemberGather>& gathers) {
  llvm::IntrinsicInst* const first = gathers.front().gather;
  llvm::IRBuilder<> at(first);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(first->getType())->getNumElements();
  auto* const element = llvm::cast<llvm::FixedVectorType>(first->getType())->getElementType();
  auto* const four = llvm::FixedVectorType::get(element, half);
  const auto structureAt = [&](unsigned lane) {
    return at.CreateGEP(structures.type, structures.array,
                        at.CreateExtractElement(structures.places, std::uint64_t(lane)));
  };
  llvm::Value* const begin = structures.areNeighbours() ? structureAt(0) : nullptr;
  const auto structure = [&](unsigned lane) -> llvm::Value* {
    llvm::Value* const from =
        begin ? at.CreateConstGEP1_64(at.getInt8Ty(), begin, std::uint64_t(lane) * size + window)
              : at.CreateConstGEP1_64(at.getInt8Ty(), structureAt(lane), window);
    llvm::LoadInst* const out = at.CreateAlignedLoad(four, from, llvm::Align(wordBytes(first)));
    out->copyMetadata(*first, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                               llvm::LLVMContext::MD_access_group});
    return out;
  };
  const auto joined = [&](llvm::Value* a, llvm::Value* b) {
    const int words = 2 * int(llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements());
    std::vector<int> all;
    for (int word = 0; word < words; ++word)
      all.push_back(word);
    return at.CreateShuffleVector(a, b, all);
  };
  Four rows;
  for (unsigned row = 0; row < parts; ++row) {
    rows[row] = count == 4 ? structure(row) : joined(structure(row), structure(row + half));
    if (count == 16)
      rows[row] = joined(rows[row], joined(structure(row + 2 * half), structure(row + 3 * half)));
  }
  const Four found = transposed(at, rows);
  for (const MemberGather& member : gathers)
    member.gather->replaceAllUsesWith(at.CreateBitCast(
        found[(member.offset - window) / wordBytes(first)], member.gather->getType()));
  for (const MemberGather& member : gathers)
    member.gather->eraseFromParent();
}

/// Loads structures of which a block gathers several words side by side.
bool rewriteGathers(llvm::BasicBlock& block) {
  std::vector<std::pair<Structures, std::vector<MemberGather>>> found;
  bool changed = false;
  const auto flush = [&] {
    for (const auto& [structures, members] : found) {
      const unsigned size =
          unsigned(block.getModule()->getDataLayout().getTypeAllocSize(structures.type));
      // By the words' size and how many are gathered, and where they begin.
      std::map<std::array<unsigned, 3>, std::vector<MemberGather>> windows;
      for (const MemberGather& member : members) {
        const unsigned bytes = wordBytes(member.gather), four = bytes * half;
        const unsigned window = member.offset / four * four;
        if (member.offset % bytes == 0 && size % bytes == 0 && window + four <= size)
          windows[{bytes,
                   llvm::cast<llvm::FixedVectorType>(member.gather->getType())->getNumElements(),
                   window}]
              .push_back(member);
      }
      // Of structures that are no neighbours each place is a number of its own.
      const unsigned least = structures.areNeighbours() ? 2 : 3;
      for (const auto& [window, gathers] : windows)
        if (gathers.size() >= least) {
          loadWindow(structures, size, window[2], gathers);
          changed = true;
        }
    }
    found.clear();
  };
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& i : block)
    all.push_back(&i);
  for (llvm::Instruction* i : all) {
    auto* gather = llvm::dyn_cast<llvm::IntrinsicInst>(i);
    if (gather && gather->getIntrinsicID() == llvm::Intrinsic::masked_gather) {
      unsigned offset = 0;
      if (const auto structures = structuresOf(gather, offset)) {
        auto known = std::find_if(found.begin(), found.end(),
                                  [&](const auto& one) { return one.first == *structures; });
        if (known == found.end())
          known = found.insert(found.end(), {*structures, {}});
        known->second.push_back({gather, offset});
      }
    } else if (i->mayWriteToMemory()) {
      flush();
    }
  }
  flush();
  return changed;
}

} // namespace

llvm::PreservedAnalyses cu2cpp::StructuresOfFour::run(llvm::Function& f,
                                                      llvm::FunctionAnalysisManager&) {
  bool gathered = false;
  for (llvm::BasicBlock& block : f)
    gathered |= rewriteGathers(block);
  if (!hasPoorStores(f))
    return gathered ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::StoreInst*> stores;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
        loads.push_back(load);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        stores.push_back(store);
  bool changed = gathered;
  for (llvm::StoreInst* store : stores)
    changed |= rewriteStore(store);
  for (llvm::LoadInst* load : loads)
    changed |= rewriteLoad(load);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

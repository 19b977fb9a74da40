// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that takes a structure, changes some of it and stores it again stores all of it:
//
//   Particle q = p[i]; q.v = q.v + dt * a; p[i] = q;
//
// What it did not change compilers leave out, and the rest has a gap: in vectors each number would
// be stored alone. Complete structures are shuffled and stored as they lie. So that nothing is
// stored that the program does not store (another thread may change it), each structure that is
// stored is noted while it is one, and completed before the vectorisers.
#include "kernel_passes.h"

#include <map>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace {

constexpr const char noteName[] = "cu2cpp.stored_whole";
constexpr std::uint64_t largest = 64;

/// A call that touches no memory of the program's, but does not go away either.
llvm::FunctionCallee noteFunction(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionCallee note = module.getOrInsertFunction(noteName, llvm::Type::getVoidTy(context),
                                                         llvm::PointerType::getUnqual(context),
                                                         llvm::Type::getInt64Ty(context));
  auto* function = llvm::cast<llvm::Function>(note.getCallee());
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::Mod));
  for (const auto kind : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn,
                          llvm::Attribute::NoCallback, llvm::Attribute::NoSync})
    function->addFnAttr(kind);
  function->addParamAttr(0, llvm::Attribute::NoCapture);
  function->addParamAttr(0, llvm::Attribute::ReadNone);
  return note;
}

std::vector<llvm::CallInst*> notesIn(llvm::Function& f) {
  std::vector<llvm::CallInst*> notes;
  const llvm::Function* const note = f.getParent()->getFunction(noteName);
  if (note)
    for (const llvm::User* user : note->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getFunction() == &f)
        notes.push_back(const_cast<llvm::CallInst*>(call));
  return notes;
}

/// An element of an array that a pointer of the program's points to. One of a variable's own must
/// not be named by a call: it could not stay in registers.
bool isElement(llvm::Value* place) {
  bool varies = false;
  while (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(place)) {
    varies |= !element->hasAllConstantIndices();
    place = const_cast<llvm::Value*>(element->getPointerOperand());
  }
  const auto* pointer = llvm::dyn_cast<llvm::LoadInst>(place);
  return varies && pointer &&
         llvm::isa<llvm::AllocaInst, llvm::LoadInst>(pointer->getPointerOperand());
}

bool noteAll(llvm::Function& f) {
  std::vector<llvm::MemCpyInst*> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block)
      if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&i); copy && !copy->isVolatile())
        if (const auto* size = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
            size && size->getZExtValue() <= largest && isElement(copy->getRawDest()))
          found.push_back(copy);
  for (llvm::MemCpyInst* copy : found) {
    llvm::IRBuilder<> build(copy->getNextNode());
    build.CreateCall(noteFunction(*f.getParent()), {copy->getRawDest(), copy->getLength()});
  }
  return !found.empty();
}

bool forgetOwn(llvm::Function& f) {
  bool any = false;
  for (llvm::CallInst* note : notesIn(f))
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(note->getArgOperand(0), 0))) {
      note->eraseFromParent();
      any = true;
    }
  return any;
}

/// A place as a number of bytes from another.
struct Place {
  const llvm::Value* from;
  std::int64_t bytes;
};
Place placeOf(const llvm::Value* pointer, const llvm::DataLayout& layout) {
  llvm::APInt bytes(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* from = pointer->stripAndAccumulateConstantOffsets(layout, bytes, true);
  return {from, bytes.getSExtValue()};
}

/// Stores what a noted structure's stores leave out, if they are the most of it. All threads store
/// it: under a condition vectors would not store it as it lies.
void complete(llvm::CallInst* note, const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  const llvm::DataLayout& layout = note->getDataLayout();
  const Place whole = placeOf(note->getArgOperand(0), layout);
  const auto size =
      std::int64_t(llvm::cast<llvm::ConstantInt>(note->getArgOperand(1))->getZExtValue());
  std::map<std::int64_t, llvm::StoreInst*> stores;
  std::map<std::int64_t, llvm::LoadInst*> loads;
  bool others = false;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : *block) {
      if (&i != note && i.mayWriteToMemory() && !llvm::isa<llvm::StoreInst>(i))
        others = true;
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i);
      if (!pointer)
        continue;
      const Place place = placeOf(pointer, layout);
      const bool inside = place.from == whole.from && place.bytes >= whole.bytes &&
                          place.bytes < whole.bytes + size;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
        others |= !inside;
        if (inside && (!store->isSimple() || block != note->getParent()))
          return;
        if (inside)
          stores[place.bytes - whole.bytes] = store;
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
                 inside && load && load->isSimple() && tree.dominates(load, note)) {
        loads[place.bytes - whole.bytes] = load;
      }
    }
  if (stores.empty())
    return;
  const auto bytesOf = [&](llvm::Type* type) {
    return std::int64_t(layout.getTypeStoreSize(type));
  };
  llvm::StoreInst* const like = stores.begin()->second;
  const std::int64_t part = bytesOf(like->getValueOperand()->getType());
  const auto missing = size / part - std::int64_t(stores.size());
  if ((part != 4 && part != 8) || size % part != 0 || missing <= 0 ||
      missing > std::int64_t(stores.size()))
    return;
  for (const auto& [at, store] : stores)
    if (at % part != 0 || bytesOf(store->getValueOperand()->getType()) != part)
      return;
  llvm::IRBuilder<> build(note);
  const auto asPeers = [&](llvm::Instruction* i) {
    i->setMetadata(llvm::LLVMContext::MD_access_group,
                   like->getMetadata(llvm::LLVMContext::MD_access_group));
  };
  for (std::int64_t at = 0; at < size; at += part) {
    if (stores.count(at))
      continue;
    llvm::Value* const place =
        build.CreateConstGEP1_64(build.getInt8Ty(), note->getArgOperand(0), std::uint64_t(at));
    const auto known = loads.find(at);
    llvm::LoadInst* value = known == loads.end() ? nullptr : known->second;
    if (others || !value || bytesOf(value->getType()) != part) {
      value = build.CreateAlignedLoad(build.getIntNTy(unsigned(part) * 8), place, llvm::Align(4));
      asPeers(value);
    }
    asPeers(build.CreateAlignedStore(value, place, llvm::Align(4)));
  }
}

bool completeAll(llvm::Function& f, const llvm::LoopInfo& loops, const llvm::DominatorTree& tree) {
  const std::vector<llvm::CallInst*> notes = notesIn(f);
  for (llvm::CallInst* note : notes)
    if (const llvm::Loop* loop = loops.getLoopFor(note->getParent());
        loop && loop->isInnermost() && !cu2cpp::hasPoorStores(f) &&
        llvm::getBooleanLoopAttribute(loop, "llvm.loop.vectorize.enable") && loop->getLoopLatch() &&
        tree.dominates(note->getParent(), loop->getLoopLatch()))
      complete(note, *loop, tree);
  for (llvm::CallInst* note : notes)
    note->eraseFromParent();
  return !notes.empty();
}

} // namespace

llvm::PreservedAnalyses cu2cpp::WholeStructures::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  switch (stage_) {
  case Stage::Note:
    changed = noteAll(f);
    break;
  case Stage::Forget:
    changed = forgetOwn(f);
    break;
  case Stage::Complete:
    changed = completeAll(f, analyses.getResult<llvm::LoopAnalysis>(f),
                          analyses.getResult<llvm::DominatorTreeAnalysis>(f));
    break;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

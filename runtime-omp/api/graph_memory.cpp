// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of allocation nodes. Their addresses are reserved when the node is made, and stay with the
// node; pages come when a launch touches them.
//
// CUDA C++ Programming Guide, 'Graph Memory Nodes'.
#include <algorithm>

#include <sys/mman.h>

#include "api/graph_nodes.h"

namespace cu2cpp::rt {
namespace {

constexpr std::size_t pageBytes = std::size_t(2) << 20; // in which a GPU maps memory

struct GraphMemory {
  std::mutex mutex; // a leaf
  std::map<std::uintptr_t, std::weak_ptr<GraphBlock>> blocks;
  std::map<int, std::size_t> usedHigh, reservedHigh;
};

GraphMemory& graphMemory() {
  static GraphMemory& theMemory = *new GraphMemory;
  return theMemory;
}

std::shared_ptr<GraphBlock> findBlock(const void* pointer) {
  GraphMemory& memory = graphMemory();
  std::lock_guard lock(memory.mutex);
  const auto found = memory.blocks.find(reinterpret_cast<std::uintptr_t>(pointer));
  return found == memory.blocks.end() ? nullptr : found->second.lock();
}

// With the mutex held.
std::size_t sum(GraphMemory& memory, int device, bool used) {
  std::size_t bytes = 0;
  for (const auto& entry : memory.blocks)
    if (const std::shared_ptr<GraphBlock> block = entry.second.lock())
      if (block->device == device && (used ? block->live : block->reserved))
        bytes += block->bytes;
  return bytes;
}

void raise(std::size_t& high, std::size_t now) { high = std::max(high, now); }

void giveBackPages(GraphBlock& block) {
  madvise(block.address, block.bytes, MADV_DONTNEED);
  block.reserved = false;
}

} // namespace

GraphBlock::~GraphBlock() {
  if (!address)
    return;
  GraphMemory& memory = graphMemory();
  {
    std::lock_guard lock(memory.mutex);
    memory.blocks.erase(reinterpret_cast<std::uintptr_t>(address));
  }
  (void)process().allocations.remove(address, MemoryKind::Graph, MemoryKind::Graph);
  munmap(address, bytes);
}

bool AllocateBody::mayBecome(const NodeBody& other) const {
  const auto* const allocate = dynamic_cast<const AllocateBody*>(&other);
  return allocate && allocate->block_->bytes == block_->bytes;
}

Status makeAllocateBody(cudaMemAllocNodeParams& params, std::shared_ptr<const NodeBody>& out) {
  if (params.bytesize == 0 || params.poolProps.allocType != cudaMemAllocationTypePinned ||
      params.poolProps.location.type != cudaMemLocationTypeDevice ||
      params.poolProps.location.id < 0 || params.poolProps.location.id >= process().deviceCount())
    return Status::InvalidValue;
  auto block = std::make_shared<GraphBlock>();
  const std::size_t bytes = (params.bytesize + pageBytes - 1) / pageBytes * pageBytes;
  if (bytes < params.bytesize || bytes > machine().memoryBytes)
    return Status::OutOfMemory;
  void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return Status::OutOfMemory;
  block->address = params.dptr = address;
  block->bytes = bytes;
  block->device = params.poolProps.location.id;
  if (const Status status =
          process().allocations.insert({reinterpret_cast<std::uintptr_t>(address), params.bytesize,
                                        MemoryKind::Graph, block->device, 0});
      status != Status::Ok)
    return status;
  GraphMemory& memory = graphMemory();
  {
    std::lock_guard lock(memory.mutex);
    memory.blocks[reinterpret_cast<std::uintptr_t>(address)] = block;
  }
  out = std::make_shared<AllocateBody>(std::move(block), params);
  return Status::Ok;
}

Status makeFreeBody(void* pointer, std::shared_ptr<const NodeBody>& out) {
  std::shared_ptr<GraphBlock> block = findBlock(pointer);
  if (!block)
    return Status::InvalidValue;
  out = std::make_shared<FreeBody>(std::move(block));
  return Status::Ok;
}

bool freeGraphBlock(void* pointer, Status& status) {
  const std::shared_ptr<GraphBlock> block = findBlock(pointer);
  if (!block)
    return false;
  status = block->live.exchange(false) ? Status::Ok : Status::InvalidValue;
  return true;
}

// Who allocates and who frees is known when the graph is launched: what a launch leaves allocated
// must be freed before the next one (Programming Guide, 'Graph Memory Nodes').
Status accountLaunch(const std::vector<std::shared_ptr<GraphBlock>>& allocated,
                     const std::vector<std::shared_ptr<GraphBlock>>& freed, bool autoFree) {
  for (const std::shared_ptr<GraphBlock>& block : allocated)
    if (block->live && !autoFree)
      return Status::InvalidValue;
  for (const std::shared_ptr<GraphBlock>& block : freed)
    if (!block->live && std::find(allocated.begin(), allocated.end(), block) == allocated.end())
      return Status::InvalidValue; // freed twice
  for (const std::shared_ptr<GraphBlock>& block : allocated)
    block->live = block->reserved = true;
  if (!allocated.empty()) {
    GraphMemory& memory = graphMemory();
    std::lock_guard lock(memory.mutex);
    const int device = allocated.front()->device;
    raise(memory.usedHigh[device], sum(memory, device, true));
    raise(memory.reservedHigh[device], sum(memory, device, false));
  }
  for (const std::shared_ptr<GraphBlock>& block : freed)
    block->live = false;
  return Status::Ok;
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

extern "C" cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                                      void* value) {
  return deviceCall([=] {
    if (device < 0 || device >= process().deviceCount())
      return Status::InvalidDevice;
    if (!value)
      return Status::InvalidValue;
    GraphMemory& memory = graphMemory();
    std::lock_guard lock(memory.mutex);
    auto& out = *static_cast<unsigned long long*>(value);
    switch (attr) {
    // What is reserved counts as used until it is trimmed, as on a GPU.
    case cudaGraphMemAttrUsedMemCurrent:
      out = sum(memory, device, false);
      return Status::Ok;
    case cudaGraphMemAttrUsedMemHigh:
      out = memory.usedHigh[device];
      return Status::Ok;
    case cudaGraphMemAttrReservedMemCurrent:
      out = sum(memory, device, false);
      return Status::Ok;
    case cudaGraphMemAttrReservedMemHigh:
      out = memory.reservedHigh[device];
      return Status::Ok;
    }
    return Status::InvalidValue;
  });
}

// Only the high-water marks can be set, and only to 0.
extern "C" cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                                      void* value) {
  return deviceCall([=] {
    if (device < 0 || device >= process().deviceCount())
      return Status::InvalidDevice;
    if (!value || *static_cast<unsigned long long*>(value) != 0)
      return Status::InvalidValue;
    GraphMemory& memory = graphMemory();
    std::lock_guard lock(memory.mutex);
    switch (attr) {
    case cudaGraphMemAttrUsedMemHigh:
      memory.usedHigh[device] = sum(memory, device, true);
      return Status::Ok;
    case cudaGraphMemAttrReservedMemHigh:
      memory.reservedHigh[device] = sum(memory, device, false);
      return Status::Ok;
    default:
      return Status::InvalidValue;
    }
  });
}

extern "C" cudaError_t cudaDeviceGraphMemTrim(int device) {
  return deviceCall([=] {
    if (device < 0 || device >= process().deviceCount())
      return Status::InvalidDevice;
    if (const Status status = waitForDevice(*process().devices[std::size_t(device)]);
        status != Status::Ok)
      return status;
    GraphMemory& memory = graphMemory();
    std::lock_guard lock(memory.mutex);
    for (const auto& entry : memory.blocks)
      if (const std::shared_ptr<GraphBlock> block = entry.second.lock())
        if (block->device == device && !block->live && block->reserved)
          giveBackPages(*block);
    return Status::Ok;
  });
}

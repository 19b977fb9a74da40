// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Best fit, neighbours joined when blocks come back; of chunks that are wholly free one is kept.
#include "core/small_blocks.h"

#include <sys/mman.h>

namespace cu2cpp::rt {

SmallBlocks& SmallBlocks::instance() {
  static SmallBlocks* const all = new SmallBlocks; // blocks may outlive static objects
  return *all;
}

void SmallBlocks::addFree(std::uintptr_t address, std::size_t bytes) {
  free_[address] = bytes;
  bySize_.insert({bytes, address});
}

void SmallBlocks::removeFree(std::map<std::uintptr_t, std::size_t>::iterator block) {
  bySize_.erase({block->second, block->first});
  free_.erase(block);
}

bool SmallBlocks::addChunk() {
  // Twice as much, of which the aligned half stays.
  void* const wide = mmap(nullptr, 2 * chunkBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (wide == MAP_FAILED)
    return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(wide);
  const std::uintptr_t aligned = (begin + chunkBytes - 1) / chunkBytes * chunkBytes;
  if (aligned != begin)
    munmap(wide, aligned - begin);
  const std::uintptr_t end = begin + 2 * chunkBytes;
  if (aligned + chunkBytes != end)
    munmap(reinterpret_cast<void*>(aligned + chunkBytes), end - aligned - chunkBytes);
  addFree(aligned, chunkBytes);
  return true;
}

void* SmallBlocks::take(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  for (bool fresh = false;; fresh = true) {
    for (auto fit = bySize_.lower_bound({bytes, 0}); fit != bySize_.end(); ++fit) {
      const auto [size, begin] = *fit;
      const std::uintptr_t at = (begin + alignment - 1) / alignment * alignment;
      if (at + bytes > begin + size)
        continue;
      removeFree(free_.find(begin));
      if (at != begin)
        addFree(begin, at - begin);
      if (at + bytes != begin + size)
        addFree(at + bytes, begin + size - at - bytes);
      taken_[at] = bytes;
      return reinterpret_cast<void*>(at);
    }
    if (fresh || !addChunk())
      return nullptr;
  }
}

bool SmallBlocks::giveBack(void* p) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(reinterpret_cast<std::uintptr_t>(p));
  if (found == taken_.end())
    return false;
  std::uintptr_t address = found->first;
  std::size_t bytes = found->second;
  taken_.erase(found);
  // Chunks that happen to lie side by side stay apart: each can be given back alone.
  const auto sameChunk = [](std::uintptr_t a, std::uintptr_t b) {
    return a / chunkBytes == b / chunkBytes;
  };
  const auto after = free_.lower_bound(address);
  if (after != free_.end() && after->first == address + bytes && sameChunk(address, after->first)) {
    bytes += after->second;
    removeFree(after);
  }
  const auto before = free_.lower_bound(address);
  if (before != free_.begin()) {
    const auto previous = std::prev(before);
    if (previous->first + previous->second == address && sameChunk(previous->first, address)) {
      address = previous->first;
      bytes += previous->second;
      removeFree(previous);
    }
  }
  if (bytes == chunkBytes && bySize_.lower_bound({chunkBytes, 0}) != bySize_.end()) {
    munmap(reinterpret_cast<void*>(address), chunkBytes);
    return true;
  }
  addFree(address, bytes);
  return true;
}

} // namespace cu2cpp::rt

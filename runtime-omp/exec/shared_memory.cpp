// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arenas of shared memory and the offsets of SharedSlots. Offsets only grow: libraries opened later
// add their slots.
#include "exec/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <cu2cpp/block.h>

namespace cu2cpp::rt {
namespace {

constexpr std::size_t arenaAlignment = 1024;

// Constant-initialised: slots of translated code register during dynamic initialisation, in any
// order.
std::atomic<std::size_t> slotBytes{0};

class Arena {
public:
  ~Arena() { std::free(memory_); }

  void* get(std::size_t bytes) noexcept {
    if (bytes > size_) {
      std::free(memory_);
      size_ = (bytes + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
      memory_ = std::aligned_alloc(arenaAlignment, size_);
      if (!memory_)
        size_ = 0;
      else // A context's first kernel finds zeros on a GPU, and programs have come to rely on it.
        std::memset(memory_, 0, size_);
    }
    return bytes == 0 ? nullptr : memory_;
  }

private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace

std::size_t staticSharedBytes() noexcept { return slotBytes.load(std::memory_order_relaxed); }

void* dynamicArena(std::size_t bytes) noexcept {
  thread_local Arena arena;
  return arena.get(bytes == 0 ? 0 : bytes + dynamicSharedSlack);
}

void* staticArena(std::size_t bytes) noexcept {
  thread_local Arena arena;
  return arena.get(bytes);
}

} // namespace cu2cpp::rt

namespace cu2cpp::detail {

SharedSlot::SharedSlot(std::size_t bytes, std::size_t alignment) noexcept {
  // Arrays begin where lines of the cache do: vectors that straddle two lines cost twice as much.
  if (bytes >= 128)
    alignment = std::max<std::size_t>(alignment, 64);
  std::size_t before = rt::slotBytes.load(std::memory_order_relaxed);
  do
    offset_ = (before + alignment - 1) / alignment * alignment;
  while (!rt::slotBytes.compare_exchange_weak(before, offset_ + bytes, std::memory_order_relaxed));
}

} // namespace cu2cpp::detail

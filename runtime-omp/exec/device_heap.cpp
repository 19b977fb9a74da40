// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of device code: the C library's, with the count of bytes that kernels hold of it.
#include "exec/device_heap.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <malloc.h>

#include <cu2cpp/block.h>
#include <cu2cpp/device/heap.h>

namespace cu2cpp {
namespace {

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> limit{std::size_t(8) << 20}; // CUDA's default

} // namespace

void rt::setHeapLimit(std::size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }

void* deviceHeap::malloc(std::size_t bytes) noexcept {
  if (!detail::context.block)
    return std::malloc(bytes);
  if (bytes > limit.load(std::memory_order_relaxed))
    return nullptr;
  void* const memory = std::malloc(bytes);
  if (!memory)
    return nullptr;
  const std::size_t size = malloc_usable_size(memory);
  if (held.fetch_add(size, std::memory_order_relaxed) + size <=
      limit.load(std::memory_order_relaxed))
    return memory;
  held.fetch_sub(size, std::memory_order_relaxed);
  std::free(memory);
  return nullptr;
}

void* deviceHeap::calloc(std::size_t count, std::size_t bytes) noexcept {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all))
    return nullptr;
  void* const memory = deviceHeap::malloc(all);
  return memory ? std::memset(memory, 0, all) : nullptr;
}

void deviceHeap::free(void* memory) noexcept {
  if (memory && detail::context.block) {
    // What was never counted, such as memory of the C library's malloc(), makes no room.
    const std::size_t bytes = malloc_usable_size(memory);
    auto now = held.load(std::memory_order_relaxed);
    while (!held.compare_exchange_weak(now, now - std::min<decltype(now)>(now, bytes),
                                       std::memory_order_relaxed)) {
    }
  }
  std::free(memory);
}

} // namespace cu2cpp

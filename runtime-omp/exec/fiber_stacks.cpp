// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of fibers: see fiber_stacks.h.
#include "exec/fiber_stacks.h"

#include <algorithm>
#include <atomic>

#include <sys/mman.h>

// Valgrind takes a change of stacks for a huge frame unless it knows the stacks. Outside of it
// these are a few instructions without effect.
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0u
#define VALGRIND_STACK_DEREGISTER(number) (void)(number)
#endif

// There when the program is built with AddressSanitizer, whether the runtime is or not.
extern "C" __attribute__((weak)) void __asan_unpoison_memory_region(const volatile void*,
                                                                    std::size_t);

namespace cu2cpp::rt {
namespace {

// A GPU thread has 512 KB of local memory whatever cudaLimitStackSize says (CUDA C++ Programming
// Guide, 'Technical Specifications per Compute Capability'); the rest is for what host functions
// such as printf need.
constexpr std::size_t leastBytes = std::size_t(576) << 10;
constexpr std::size_t slackBytes = std::size_t(64) << 10;
// Wide, because a frame that holds arrays steps over a narrow one; it is address space only.
constexpr std::size_t guardBytes = std::size_t(64) << 10;
constexpr unsigned stacksPerChunk = 32;
// Stacks of equal alignment would all compete for the same sets of the caches: shift each by some
// lines more.
constexpr std::size_t colourBytes = 320;
constexpr unsigned colours = 12;

std::atomic<std::size_t> wantedBytes{leastBytes};

} // namespace

void setFiberStackBytes(std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  const std::size_t wanted = (bytes + slackBytes + page - 1) / page * page;
  wantedBytes.store(std::max(leastBytes, wanted), std::memory_order_relaxed);
}

std::size_t fiberStackBytes() noexcept { return wantedBytes.load(std::memory_order_relaxed); }

FiberStacks::~FiberStacks() { unmap(); }

void FiberStacks::unmap() {
  for (const unsigned number : known_)
    VALGRIND_STACK_DEREGISTER(number);
  known_.clear();
  for (const Chunk& chunk : chunks_)
    munmap(chunk.base, chunk.bytes);
  chunks_.clear();
  tops_.clear();
  free_.clear();
}

void FiberStacks::reset() {
  if (bytes_ != fiberStackBytes()) {
    unmap();
    bytes_ = fiberStackBytes();
  }
  if (free_.size() != tops_.size()) // the last block was left early
    free_.assign(tops_.rbegin(), tops_.rend());
}

char* FiberStacks::take() {
  if (free_.empty() && !grow())
    return nullptr;
  char* top = free_.back();
  free_.pop_back();
  // Frames that were left and not returned from have left their marks.
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(top - bytes_ + colours * colourBytes,
                                  bytes_ - colours * colourBytes);
  return top;
}

bool FiberStacks::grow() {
  const std::size_t stride = guardBytes + bytes_;
  const std::size_t chunkBytes = stride * stacksPerChunk;
  void* memory = mmap(nullptr, chunkBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  char* base = static_cast<char*>(memory);
  chunks_.push_back({base, chunkBytes});
  bool grown = false;
  for (unsigned i = 0; i < stacksPerChunk; ++i) {
    char* low = base + i * stride + guardBytes;
    if (mprotect(low, bytes_, PROT_READ | PROT_WRITE) != 0)
      break; // too many mappings (vm.max_map_count): use what there is
    char* top = low + bytes_ - (tops_.size() % colours) * colourBytes;
    tops_.push_back(top);
    known_.push_back(unsigned(VALGRIND_STACK_REGISTER(low, top)));
    grown = true;
  }
  // Low addresses first, so that small blocks keep using the same stacks.
  const std::size_t added = std::size_t(std::count_if(tops_.begin(), tops_.end(), [&](char* top) {
    return top > base && top <= base + chunkBytes;
  }));
  free_.insert(free_.end(), tops_.rbegin(), tops_.rbegin() + std::ptrdiff_t(added));
  return grown;
}

bool FiberStacks::guards(const void* address) const {
  const char* at = static_cast<const char*>(address);
  const std::size_t stride = guardBytes + bytes_;
  for (const Chunk& chunk : chunks_)
    if (at >= chunk.base && at < chunk.base + chunk.bytes)
      return std::size_t(at - chunk.base) % stride < guardBytes;
  return false;
}

} // namespace cu2cpp::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small blocks of device, managed and page-locked memory, apart from the program's heap. As on a
// GPU, they lie side by side in pages of 2 MiB: a kernel that writes a little beyond its array, for
// want of a bound, hits free memory or another array there as it does on the GPU, and not the
// heap's own records.
#ifndef CU2CPP_CORE_SMALL_BLOCKS_H
#define CU2CPP_CORE_SMALL_BLOCKS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace cu2cpp::rt {

class SmallBlocks {
public:
  static constexpr std::size_t chunkBytes = std::size_t(2) << 20;
  /// What is larger has pages of its own.
  static constexpr std::size_t largest = std::size_t(1) << 20;

  static SmallBlocks& instance();

  /// take() gives `bytes` (a multiple of 512) at a multiple of `alignment`; null if there is no
  /// memory. What it holds is not defined.
  void* take(std::size_t bytes, std::size_t alignment);
  /// giveBack() returns a block; false if it is none.
  bool giveBack(void* p);

private:
  void addFree(std::uintptr_t address, std::size_t bytes);
  void removeFree(std::map<std::uintptr_t, std::size_t>::iterator block);
  bool addChunk();

  std::mutex mutex_; // a leaf: nothing else is locked under it
  std::map<std::uintptr_t, std::size_t> free_;
  std::set<std::pair<std::size_t, std::uintptr_t>> bySize_;
  std::map<std::uintptr_t, std::size_t> taken_;
};

} // namespace cu2cpp::rt

#endif

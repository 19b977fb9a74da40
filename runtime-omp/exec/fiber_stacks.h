// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of fibers: pooled per OS thread, each above an unmapped guard region. Memory is reserved,
// not touched, so that a thousand stacks of half a megabyte cost only the pages that kernels really
// use.
#ifndef CU2CPP_EXEC_FIBER_STACKS_H
#define CU2CPP_EXEC_FIBER_STACKS_H

#include <cstddef>
#include <vector>

namespace cu2cpp::rt {

/// setFiberStackBytes() is the size that a thread of a kernel may use on its stack
/// (cudaLimitStackSize). Blocks that start later get it. Never less than a GPU's local memory of a
/// thread.
void setFiberStackBytes(std::size_t bytes) noexcept;
std::size_t fiberStackBytes() noexcept;

/// FiberStacks is one OS thread's pool. Stacks are named by their upper end, as contexts want it.
class FiberStacks {
public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  /// reset() declares all stacks free, before a block; maps anew if the wanted size has changed.
  void reset();
  /// take() returns a stack's upper end; null when the system gives no more memory.
  char* take();
  void give(char* top) { free_.push_back(top); }
  std::size_t bytes() const { return bytes_; }
  /// guards() says whether the address lies in the guard below some stack of this pool.
  bool guards(const void* address) const;

private:
  struct Chunk {
    char* base;
    std::size_t bytes;
  };
  bool grow();
  void unmap();

  std::size_t bytes_ = 0; // usable bytes of each stack
  std::vector<Chunk> chunks_;
  std::vector<char*> tops_; // all stacks, in order of creation
  std::vector<char*> free_;
  std::vector<unsigned> known_; // numbers of stacks that valgrind knows
};

} // namespace cu2cpp::rt

#endif

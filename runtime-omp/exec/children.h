// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels launch. Work that a grid asks for while it runs starts when its last block has
// ended, in the order in which it was asked for; the grid is complete when all of it is. A kernel
// cannot wait for its children, so it cannot tell the difference.
//
//   parent: launches A, launches B, tail-launches T       A, what A launched, B, T     parent
//   complete
//
// CUDA C++ Programming Guide, 'CUDA Dynamic Parallelism'.
#ifndef CU2CPP_EXEC_CHILDREN_H
#define CU2CPP_EXEC_CHILDREN_H

#include <atomic>
#include <list>
#include <memory>
#include <mutex>

#include <cuda_runtime_api.h>

namespace cu2cpp::rt {

class Work;

class Children {
public:
  ~Children();
  /// add() may be called by several blocks at once. `tail`: after all others.
  void add(std::unique_ptr<Work> work, bool tail);
  /// any() is true when something was added, ever.
  bool any() const { return used_.load(std::memory_order_relaxed); }
  /// next() is what runs next; null when nothing is left. Called when the parent's blocks have
  /// ended.
  std::unique_ptr<Work> next();

  /// takeOver() puts what a child has asked for before all that is left here: a child is complete
  /// with its own children only.
  void takeOver(Children& ofChild);

  /// finish() runs what is left on the calling thread; false if some of it failed.
  bool finish();

private:
  std::mutex mutex_;              // a leaf
  std::atomic<bool> used_{false}; // read when the parent's blocks have ended: most add nothing
  std::list<std::unique_ptr<Work>> works_, tails_; // nothing to allocate for grids without children
};

/// InKernel is what an OS thread knows of the grid whose blocks it runs; set around each of them.
struct InKernel {
  Children* children = nullptr;
  cudaError_t lastError = cudaSuccess; ///< of functions that the kernel called
};
extern thread_local InKernel inKernel;

} // namespace cu2cpp::rt

#endif

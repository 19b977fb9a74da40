// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a block, memory fences and __nanosleep(). A barrier counts the threads that have not
// exited: one that returned early counts as arrived from then on.
//
// CUDA C++ Programming Guide, 'Synchronization Functions', 'Memory Fence Functions', 'Nanosleep
// Function'.
#ifndef CU2CPP_DEVICE_SYNC_H
#define CU2CPP_DEVICE_SYNC_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/turn.h>

namespace cu2cpp {
namespace detail {

/// BarrierResult says how many threads met at a barrier and for how many of them the predicate
/// held.
struct BarrierResult {
  unsigned arrived;
  unsigned trueCount;
};

/// syncBlock() waits at barrier `id` (0 to 15) for `count` threads of the block; 0 stands for all
/// that have not exited.
BarrierResult syncBlock(bool predicate, const char* name, unsigned id = 0, unsigned count = 0);

/// sleepThread() lets the other threads of the block run for about as long as asked.
void sleepThread(unsigned nanoseconds) noexcept;

} // namespace detail
} // namespace cu2cpp

CU2CPP_SYNC(block) CU2CPP_BARRIER inline void __syncthreads() {
  cu2cpp::detail::syncBlock(false, "__syncthreads()");
}
/// Each returns its verdict over the predicates of all threads, after a barrier.
CU2CPP_SYNC(block) CU2CPP_TOGETHER inline int __syncthreads_count(int predicate) {
  return int(cu2cpp::detail::syncBlock(predicate != 0, "__syncthreads_count()").trueCount);
}
CU2CPP_SYNC(block) CU2CPP_TOGETHER inline int __syncthreads_and(int predicate) {
  const auto r = cu2cpp::detail::syncBlock(predicate != 0, "__syncthreads_and()");
  return r.trueCount == r.arrived;
}
CU2CPP_SYNC(block) CU2CPP_TOGETHER inline int __syncthreads_or(int predicate) {
  return cu2cpp::detail::syncBlock(predicate != 0, "__syncthreads_or()").trueCount != 0;
}
/// Named barriers: of all threads of the block, or of the first `count` (a multiple of 32) that
/// arrive.
CU2CPP_SYNC(block) inline void __barrier_sync(unsigned id) {
  cu2cpp::detail::syncBlock(false, "__barrier_sync()", id);
}
CU2CPP_SYNC(block) inline void __barrier_sync_count(unsigned id, unsigned count) {
  cu2cpp::detail::syncBlock(false, "__barrier_sync_count()", id, count);
}

// A block stays on one OS thread, so ordering within it needs the compiler only.
inline void __threadfence_block() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  cu2cpp::detail::giveTurn();
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  cu2cpp::detail::giveTurn();
}
inline void __threadfence_system() { __threadfence(); }
inline void __threadfence_cluster() { __threadfence(); }

inline void __nanosleep(unsigned int nanoseconds) { cu2cpp::detail::sleepThread(nanoseconds); }

#endif

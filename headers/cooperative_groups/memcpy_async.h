// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::memcpy_async() and wait(). The copy is done when it is asked for, by the
// group's first thread; waiting is a barrier of the group.
//
// CUDA C++ Programming Guide, 'memcpy_async', 'wait and wait_prior'.
#ifndef CU2CPP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CU2CPP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cstring>

#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cooperative_groups {

/// memcpy_async() copies `size` bytes (a number or cuda::aligned_size_t).
template <class Group, class To, class From, class Size>
CU2CPP_THREAD inline void memcpy_async(const Group& group, To* __restrict__ to,
                                       const From* __restrict__ from, Size size) {
  if (group.thread_rank() == 0)
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), std::size_t(size));
}
/// The same with both sides' numbers of elements: copies as many as both have.
template <class Group, class Type, class ToLayout, class FromLayout>
CU2CPP_THREAD inline void memcpy_async(const Group& group, Type* __restrict__ to,
                                       const ToLayout& toCount, const Type* __restrict__ from,
                                       const FromLayout& fromCount) {
  const std::size_t a = std::size_t(toCount), b = std::size_t(fromCount);
  if (group.thread_rank() == 0)
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from),
                (a < b ? a : b) * sizeof(Type));
}

CU2CPP_SYNC(block) CU2CPP_BARRIER inline void wait(const thread_block&) { thread_block::sync(); }
template <unsigned Size, class Parent, std::enable_if_t<(Size <= 32), int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_BARRIER inline void wait(const thread_block_tile<Size, Parent>& tile) {
  tile.sync();
}
template <class Group> CU2CPP_SYNC(tile) inline void wait(const Group& group) { group.sync(); }
template <unsigned stages>
CU2CPP_SYNC(block)
CU2CPP_BARRIER inline void wait_prior(const thread_block&) {
  thread_block::sync();
}
template <unsigned stages, class Group>
CU2CPP_SYNC(tile)
inline void wait_prior(const Group& group) {
  group.sync();
}

} // namespace cooperative_groups

#endif

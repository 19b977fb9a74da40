// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads do whose number within a block of several rows is such and such:
//
//   const int tid = threadIdx.y * 16 + threadIdx.x;
//   if (tid == 0) ...
#ifndef CU2CPP_BLOCK_RANKS_H
#define CU2CPP_BLOCK_RANKS_H

#include <cu2cpp/rare_block.h>

namespace cu2cpp {
namespace detail {

/// Whether place(threadIdx), which follows threadIdx linearly, is the thread's number.
template <class Place>
__attribute__((always_inline)) inline bool isRank(const ::dim3& size, Place& place) {
  const auto isNumber = [&](unsigned x, unsigned y, unsigned z) __attribute__((always_inline)) {
    return static_cast<unsigned long long>(place(::uint3{x, y, z})) ==
           x + size.x * (y + size.y * z);
  };
  return isNumber(0, 0, 0) && (size.x == 1 || isNumber(1, 0, 0)) &&
         (size.y == 1 || isNumber(0, 1, 0)) && (size.z == 1 || isNumber(0, 0, 1));
}

} // namespace detail

/// eachThreadOfRank() is eachThread() for bodies in which only threads do anything for which
/// place(threadIdx) is `index`.
template <class OneBlock, class Place, class Index, class Body>
__attribute__((always_inline)) inline void eachThreadOfRank(const OneBlock& block, Place&& place,
                                                            Index index, Body&& body) {
  const ::dim3 size = block.blockDim;
  if (!detail::isRank(size, place))
    return eachThread(block, body);
  if (index < 0 || static_cast<unsigned long long>(index) >= threadsIn(size))
    return;
  const unsigned rank = unsigned(index), row = rank / size.x;
  body(Thread{::uint3{rank % size.x, row % size.y, row / size.y}, &block, rank});
}

/// eachThreadBelowRank() is the same for those for which it is less than `bound`.
template <class OneBlock, class Place, class Bound, class Body>
__attribute__((always_inline)) inline void eachThreadBelowRank(const OneBlock& block, Place&& place,
                                                               Bound bound, Body&& body) {
  const ::dim3 size = block.blockDim;
  if (!detail::isRank(size, place))
    return eachThread(block, body);
  const unsigned end = detail::countBelow(bound, threadsIn(size));
  unsigned row = 0;
  for (; (row + 1) * size.x <= end; ++row) {
    CU2CPP_EACH_LANE
    for (std::size_t x = 0; x < size.x; ++x)
      CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), row % size.y, row / size.y}, &block,
                                 row * size.x + unsigned(x)});
  }
  const std::size_t rest = end - row * size.x;
  CU2CPP_EACH_LANE
  for (std::size_t x = 0; x < rest; ++x)
    CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), row % size.y, row / size.y}, &block,
                               row * size.x + unsigned(x)});
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block whose body asks for each thread whether its place lies within
// bounds: `if (i < n)`. It does for a range of each row's threads. Those run as whole vectors that
// ask nothing, since what is stored under a condition takes a mask, which AVX2 is slow at.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_BLOCK_GUARDED_H
#define CU2CPP_BLOCK_GUARDED_H

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/block_row.h>

namespace cu2cpp {

namespace detail {

/// The loops of eachThreadGuarded(). Blocks of SizeX threads along x (0: none is usual) have a loop
/// with constant bounds for rows that lie in their range. A row's first `few` threads run on their
/// own, see runLong().
template <bool othersRun, unsigned SizeX, class Bounds, class Body>
__attribute__((always_inline)) inline void runGuarded(const Block& block, Bounds& bounds,
                                                      Body& body, unsigned countX, unsigned countY,
                                                      unsigned countZ, unsigned few) {
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      const Inside range = bounds(::uint3{0, y, z});
      if constexpr (SizeX != 0)
        if (countX == SizeX && range.begin() == 0 && range.end() >= SizeX) {
          CU2CPP_EACH_LANE
          for (std::size_t x = 0; x < SizeX; ++x)
            CU2CPP_IN_LOOP body(std::true_type(),
                                Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          continue;
        }
      const std::size_t end = range.end() < countX ? range.end() : countX;
      const std::size_t begin = range.begin() < end ? range.begin() : end;
      // Those before the range, it, and those behind it: the body stands once for each kind.
      for (bool behind = false;; behind = true) {
        if constexpr (othersRun) {
          const std::size_t last = behind ? countX : begin;
          CU2CPP_EACH_LANE
          for (std::size_t x = behind ? end : 0; x < last; ++x)
            CU2CPP_IN_LOOP body(std::false_type(),
                                Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        }
        if (behind)
          break;
        std::size_t from = begin, to = few != 0 && few < end - begin ? begin + few : end;
        do {
          if constexpr (SizeX != 0) {
            CU2CPP_EACH_OF_RANGE
            for (std::size_t x = from; x < to; ++x)
              CU2CPP_IN_LOOP body(std::true_type(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          } else {
            CU2CPP_EACH_LANE
            for (std::size_t x = from; x < to; ++x)
              CU2CPP_IN_LOOP body(std::true_type(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          }
          from = to;
          to = end;
        } while (from < end);
        if (!othersRun)
          break;
      }
      if constexpr (!othersRun)
        if (!range.isKnown() || range.restAsks()) {
          CU2CPP_ONE_BY_ONE_LOOP
          for (std::size_t x = range.isKnown() ? end : 0; x < countX; ++x)
            body(std::false_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        }
    }
}

} // namespace detail

/// eachThreadGuarded<othersRun>() is eachThread() for body(isInside, thread), where isInside is
/// std::true_type for threads of the range bounds(threadIdx) in the row that begins with that
/// thread. The others run with std::false_type, unless they are known to do nothing (othersRun:
/// false).
template <bool othersRun, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadGuarded(const Block& block, Bounds&& bounds,
                                                             Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runGuarded<othersRun, 0>(block, bounds, body, size.x, size.y, size.z, 0);
}
template <bool othersRun, unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain,
          class Bounds, class Body>
__attribute__((always_inline)) inline void
eachThreadGuarded(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Bounds&& bounds,
                  Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runGuarded<othersRun, (SizeX > 1 ? SizeX : 0)>(block, bounds, body, size.x, size.y,
                                                         size.z, 0);
}
template <bool othersRun, class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadGuarded(const LongRow<OneBlock>& row,
                                                             Bounds&& bounds, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runGuarded<othersRun, 0>(row.first(), bounds, body, row.count() * size.x, size.y, size.z,
                                   row.first().blockIdx.x == 0 ? 16 : 0);
}

} // namespace cu2cpp

#endif

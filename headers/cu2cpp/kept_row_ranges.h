// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of several blocks that run as one with long rows, for which it is known
// beforehand where conditions hold.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_KEPT_ROW_RANGES_H
#define CU2CPP_KEPT_ROW_RANGES_H

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/block_row.h>

namespace cu2cpp {

namespace detail {

/// A row that is longer than an Inside: the range is asked for piece by piece. (For clang++. GCC
/// 12's vectors of a long stencil without conditions computed something else.)
#if defined(__clang__)
template <class Bounds, class Body, class BeforeRow>
__attribute__((always_inline)) inline void runInPieces(const Block& block, Bounds& bounds,
                                                       Body& body, ::dim3 size,
                                                       BeforeRow&& beforeRow) {
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y) {
      const unsigned index = (z * size.y + y) * size.x;
      beforeRow(y);
      for (unsigned piece = 0; piece < size.x; piece += Inside::longestRow) {
        const unsigned rest = size.x - piece;
        const unsigned length = rest < Inside::longestRow ? rest : Inside::longestRow;
        const Inside range = bounds(::uint3{piece, y, z});
        const unsigned last = range.end() < length ? range.end() : length;
        const unsigned first = range.begin() < last ? range.begin() : last;
        const std::size_t begin = piece + first, end = piece + last, behind = piece + length;
        CU2CPP_EACH_LANE
        for (std::size_t x = begin; x < end; ++x)
          CU2CPP_IN_LOOP body(std::true_type(),
                              Thread{::uint3{unsigned(x), y, z}, &block, index + unsigned(x)});
        // Those before the range, then those behind it: the body stands once for both.
        for (std::size_t from = piece, to = begin;; from = end, to = behind) {
          // What a mask keeps from happening is dear, above all where no memory is.
          if (range.hasOneCondition()) {
            CU2CPP_EACH_LANE
            for (std::size_t x = from; x < to; ++x)
              CU2CPP_IN_LOOP body(Outside(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, index + unsigned(x)});
            if (to == behind)
              break;
            continue;
          }
#if defined(__AVX2__) && !defined(__AVX512F__)
          // A few threads: less than masks would take.
          constexpr std::size_t few = 16;
          if (to - from <= few) {
            CU2CPP_ONE_BY_ONE_LOOP
            for (std::size_t x = from; x < to; ++x)
              body(std::false_type(),
                   Thread{::uint3{unsigned(x), y, z}, &block, index + unsigned(x)});
            if (to == behind)
              break;
            continue;
          }
#endif
          CU2CPP_EACH_LANE
          for (std::size_t x = from; x < to; ++x)
            CU2CPP_IN_LOOP body(std::false_type(),
                                Thread{::uint3{unsigned(x), y, z}, &block, index + unsigned(x)});
          if (to == behind)
            break;
        }
      }
    }
}
#endif

} // namespace detail

/// eachThreadInside() of several blocks that are one row.
#if defined(__clang__)
template <class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadInside(const KeptRow<OneBlock>& row,
                                                            Bounds&& bounds, Body&& body) {
  detail::runInPieces(row.first(), bounds, body, row.size(), row.fetchingAhead());
}
template <class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadInside(const LongRow<OneBlock>& row,
                                                            Bounds&& bounds, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runInPieces(row.first(), bounds, body, ::dim3(row.count() * size.x, size.y, size.z),
                      [](unsigned) {});
}
#endif

} // namespace cu2cpp

#endif

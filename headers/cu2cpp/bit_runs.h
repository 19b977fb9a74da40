// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions in which threads find their partners by bits of their places, as sorting networks and
// fast transforms do: `2 * t - (t & (stride - 1))`, `t ^ stride`. Runs of threads whose places
// differ in lower bits only have neighbours in memory for partners.
#ifndef CU2CPP_BIT_RUNS_H
#define CU2CPP_BIT_RUNS_H

#include <cu2cpp/rare_block.h>

namespace cu2cpp {

/// BitRuns is what a region's places and masks are for the first thread of a block; alike() tells
/// whether the masks' bits below a run's length are alike, so that a run can be followed.
class BitRuns {
public:
  static constexpr unsigned length = 16;
  /// `place & (power - 1)`
  template <class Place, class Mask> constexpr BitRuns low(Place place, Mask mask) const {
    return {alike_ && isFirst(place) && unsigned(mask) % length == length - 1};
  }
  /// `place ^ power`
  template <class Place, class Mask> constexpr BitRuns partner(Place place, Mask mask) const {
    return {alike_ && isFirst(place) && unsigned(mask) % length == 0};
  }
  constexpr bool alike() const { return alike_; }
  constexpr BitRuns() = default;

private:
  constexpr BitRuns(bool alike) : alike_(alike) {}
  template <class Place> static constexpr bool isFirst(Place place) {
    return unsigned(place) % length == 0;
  }
  bool alike_ = true;
};

namespace detail {

/// What a region reads for its operators where threads are taken as they come ...
struct AnyThread {
  template <class Place, class Mask> static auto low(Place place, Mask mask) {
    return place & mask;
  }
  template <class Place, class Mask> static auto partner(Place place, Mask mask) {
    return place ^ mask;
  }
  /// `(place ^ mask) > place`, which the region has computed already
  template <class Place, class Mask> static bool rises(bool computed, Place, Mask) {
    return computed;
  }
};
/// ... and in runs: the operators on what a run shares, and the thread's number in the run.
struct RunThread {
  unsigned lane;
  template <class Place, class Mask> auto low(Place place, Mask mask) const {
    using Result = decltype(place & mask);
    return Result(((Result(place) - Result(lane)) & Result(mask)) + Result(lane));
  }
  template <class Place, class Mask> auto partner(Place place, Mask mask) const {
    using Result = decltype(place ^ mask);
    return Result(((Result(place) - Result(lane)) ^ Result(mask)) + Result(lane));
  }
  template <class Place, class Mask> bool rises(bool, Place place, Mask mask) const {
    using Result = decltype(place ^ mask);
    const Result first = Result(Result(place) - Result(lane));
    return (first ^ Result(mask)) > first;
  }
};

} // namespace detail

/// eachThreadByBits() is eachThread() for such regions: body(bits, thread) asks `bits` for the
/// operators' results.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachThreadByBits(const OneBlock& block, BitRuns runs,
                                                            Body&& body) {
  constexpr unsigned length = BitRuns::length;
  const ::dim3 size = block.blockDim;
  if (runs.alike() && size.x % length == 0 && size.y * size.z == 1) {
    for (unsigned first = 0; first < size.x; first += length) {
      CU2CPP_EACH_LANE
      for (std::size_t lane = 0; lane < length; ++lane) {
        const unsigned x = first + unsigned(lane);
        CU2CPP_IN_LOOP body(detail::RunThread{unsigned(lane)}, Thread{::uint3{x, 0, 0}, &block, x});
      }
    }
    return;
  }
  eachThread(block, [&](const Thread thread)
                        __attribute__((always_inline)) { body(detail::AnyThread(), thread); });
}
template <class Body>
__attribute__((always_inline)) inline void eachThreadByBits(const RareBlock& block, BitRuns,
                                                            Body&& body) {
  detail::runOneByOne(block, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}

} // namespace cu2cpp

#endif

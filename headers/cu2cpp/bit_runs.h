// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions in which threads find their partners by bits of their places, as sorting networks and
// fast transforms do: `2 * t - (t & (stride - 1))`, `t ^ stride`. Runs of threads whose places
// differ in lower bits only have neighbours in memory for partners.
#ifndef CU2CPP_BIT_RUNS_H
#define CU2CPP_BIT_RUNS_H

#include <type_traits>
#include <utility>

#include <cu2cpp/block_row.h>
#include <cu2cpp/rare_block.h>

namespace cu2cpp {

/// BitRuns is what a region's places and masks are for the first thread of a block; it tells
/// whether the masks' bits below a run's length are alike, so that a run can be followed, or
/// whether all stand for the same power, and that is less than a run.
class BitRuns {
public:
  static constexpr unsigned length = 16;
  /// `place & (power - 1)`
  template <class Place, class Mask> constexpr BitRuns low(Place place, Mask mask) const {
    return with(isFirst(place), unsigned(mask) % length == length - 1, unsigned(mask) + 1, false);
  }
  /// `place ^ power`
  template <class Place, class Mask> constexpr BitRuns partner(Place place, Mask mask) const {
    return with(isFirst(place), unsigned(mask) % length == 0, unsigned(mask), true);
  }
  constexpr bool alike() const { return alike_; }
  /// shortPower() is 1, 2, 4 or 8 if that is each mask's power.
  constexpr unsigned shortPower() const { return alike_ ? 0 : power_; }
  constexpr bool ofPartners() const { return partners_; }
  constexpr BitRuns() = default;

private:
  constexpr BitRuns(bool alike, unsigned power, bool partners)
      : alike_(alike), power_(power), partners_(partners) {}
  constexpr BitRuns with(bool first, bool alike, unsigned power, bool partners) const {
    const bool isShort = first && power < length && (power & (power - 1)) == 0 &&
                         (isNew() || (power == power_ && partners == partners_));
    return {alike_ && first && alike, isShort ? power : 0, partners};
  }
  constexpr bool isNew() const { return alike_ && power_ == unknown; }
  template <class Place> static constexpr bool isFirst(Place place) {
    return unsigned(place) % length == 0;
  }
  static constexpr unsigned unknown = ~0u;
  bool alike_ = true;
  unsigned power_ = unknown;
  bool partners_ = false;
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

/// ... and where all masks stand for the power `power`: the operators' results are constants for
/// the thread in each place of a group. Compilers see which elements a group of threads reaches,
/// and load and store them side by side.
template <unsigned power, unsigned place> struct GroupThread {
  template <class Place, class Mask> static auto low(Place, Mask mask) {
    if (unsigned(mask) != power - 1)
      __builtin_unreachable();
    return decltype(Place() & mask)(place % power);
  }
  template <class Place, class Mask> static auto partner(Place where, Mask mask) {
    using Result = decltype(where ^ mask);
    if (unsigned(mask) != power)
      __builtin_unreachable();
    return Result(place & power ? Result(where) - Result(power) : Result(where) + Result(power));
  }
  template <class Place, class Mask> static constexpr bool rises(bool, Place, Mask) {
    return (place & power) == 0;
  }
};

template <unsigned power, class Body, unsigned... place>
__attribute__((always_inline)) inline void runGroups(const Block& block, unsigned threads,
                                                     Body& body,
                                                     std::integer_sequence<unsigned, place...>) {
  constexpr unsigned size = sizeof...(place);
  CU2CPP_EACH_LANE
  for (std::size_t group = 0; group < threads / size; ++group) {
    const unsigned first = unsigned(group) * size;
    CU2CPP_IN_LOOP(body(GroupThread<power, place>(),
                        Thread{::uint3{first + place, 0, 0}, &block, first + place}),
                   ...);
  }
}
template <unsigned power, class Body>
__attribute__((always_inline)) inline void runGroups(const Block& block, unsigned threads,
                                                     bool partners, Body& body) {
  if (partners)
    runGroups<power>(block, threads, body, std::make_integer_sequence<unsigned, 2 * power>());
  else
    runGroups<power>(block, threads, body, std::make_integer_sequence<unsigned, power>());
}

template <unsigned length, class Body>
__attribute__((always_inline)) inline void runRuns(const Block& block, unsigned threads,
                                                   Body& body) {
  for (unsigned first = 0; first < threads; first += length) {
    CU2CPP_EACH_LANE
    for (std::size_t lane = 0; lane < length; ++lane) {
      const unsigned x = first + unsigned(lane);
      CU2CPP_IN_LOOP body(RunThread{unsigned(lane)}, Thread{::uint3{x, 0, 0}, &block, x});
    }
  }
}

/// Runs body for the first `threads` threads of a row, a multiple of BitRuns::length, if the masks
/// let runs or groups be followed; else it does nothing, and returns false.
template <class Body>
__attribute__((always_inline)) inline bool runByBits(const Block& block, unsigned threads,
                                                     BitRuns runs, Body& body) {
  if (runs.alike()) {
    runRuns<BitRuns::length>(block, threads, body);
    return true;
  }
  const bool partners = runs.ofPartners();
  switch (runs.shortPower()) {
  case 8:
    runRuns<8>(block, threads, body);
    return true;
  case 4:
    runGroups<4>(block, threads, partners, body);
    return true;
  case 2:
    runGroups<2>(block, threads, partners, body);
    return true;
  case 1:
    runGroups<1>(block, threads, partners, body);
    return true;
  default:
    return false;
  }
}

/// The threads of a row of `threads` for which holds(thread): those up to the last such one.
template <class Holds, class Body>
__attribute__((always_inline)) inline bool runRisingByBits(const Block& block, unsigned threads,
                                                           BitRuns runs, Holds& holds, Body& body) {
  const auto threadAt = [&](unsigned x) { return Thread{::uint3{x, 0, 0}, &block, x}; };
  if (!holds(threadAt(0)))
    return false;
  if (!holds(threadAt(threads - 1)))
    threads = countRising(block, holds, threads, 0, 0, 0);
  const unsigned inRuns = threads - threads % BitRuns::length;
  const unsigned rest = runByBits(block, inRuns, runs, body) ? inRuns : 0;
  CU2CPP_EACH_NEIGHBOUR
  for (std::size_t x = rest; x < threads; ++x)
    body(AnyThread(), threadAt(unsigned(x)));
  return true;
}

} // namespace detail

/// eachThreadByBits() is eachThread() for such regions: body(bits, thread) asks `bits` for the
/// operators' results.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachThreadByBits(const OneBlock& block, BitRuns runs,
                                                            Body&& body) {
  const ::dim3 size = block.blockDim;
  if (size.x % BitRuns::length == 0 && size.y * size.z == 1 &&
      detail::runByBits(block, size.x, runs, body))
    return;
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

/// eachThreadRisingByBits() is, likewise, eachThreadRising(): one step of a loop in which the
/// threads share the pairs, `for (p = threadIdx.x; p < pairs; p += blockDim.x)`.
template <class OneBlock, class Holds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingByBits(const OneBlock& block, Holds&& holds, BitRuns runs, Body&& body) {
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value)
    if (size.y * size.z == 1)
      return detail::runRisingByBits(block, size.x, runs, holds, body);
  return eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}
template <class OneBlock, class Holds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingByBits(const LongRow<OneBlock>& row, Holds&& holds, BitRuns runs, Body&& body) {
  const ::dim3 size = row.blockDim;
  if (size.y * size.z == 1)
    return detail::runRisingByBits(row.first(), row.count() * size.x, runs, holds, body);
  return eachThreadRising(row, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}

} // namespace cu2cpp

#endif

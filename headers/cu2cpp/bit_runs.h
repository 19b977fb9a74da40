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
/// how long runs of threads are below whose length the masks' bits are alike, so that a run can be
/// followed, or whether all stand for the same power, and that is less than the shortest run. With
/// `others` the region asks for other bits, too.
template <bool others> class BitRunsOf {
public:
  static constexpr unsigned length = 16; ///< of the shortest run
  /// `place & (power - 1)`
  template <class Place, class Mask> constexpr BitRunsOf low(Place place, Mask mask) const {
    return with(unsigned(place), unsigned(mask) + 1, false);
  }
  /// `((place & ~(power - 1)) << 1) | (place & (power - 1))`
  template <class Place, class Mask> constexpr BitRunsOf pair(Place place, Mask mask) const {
    const auto bits = static_cast<unsigned long long>(mask);
    return low(place, mask).onlyIf((bits & (bits + 1)) == 0);
  }
  /// `place ^ power`
  template <class Place, class Mask> constexpr BitRunsOf partner(Place place, Mask mask) const {
    return with(unsigned(place), unsigned(mask), true);
  }
  /// `place & size`
  template <class Place, class Mask> constexpr BitRunsOf<true> above(Place place, Mask mask) const {
    return {ends_, isKnown_, power_, partners_, bits_ | unsigned(mask) | unsigned(place)};
  }
  /// `place & (power - 1)`, of which the place in `place & size` is made
  template <class Place, class Mask> constexpr BitRunsOf<true> below(Place place, Mask mask) const {
    return {ends_, isKnown_, power_, partners_, bits_ | unsigned(place) | (unsigned(mask) + 1)};
  }
  /// runOf() is how long runs of a row of so many threads are that can be followed: a power of two.
  constexpr unsigned runOf(unsigned threads) const {
    return isKnown_ ? lowestBit(ends_ | threads) : 1;
  }
  /// Likewise, of those in which the other bits are one value.
  constexpr unsigned evenRunOf(unsigned threads) const { return runOf(threads | bits_); }
  /// shortPower() is 1, 2, 4 or 8 if that is each mask's power.
  constexpr unsigned shortPower() const { return power_; }
  constexpr bool ofPartners() const { return partners_; }
  constexpr BitRunsOf() = default;

private:
  template <bool> friend class BitRunsOf;
  constexpr BitRunsOf(unsigned ends, bool isKnown, unsigned power, bool partners, unsigned bits)
      : ends_(ends), isKnown_(isKnown), power_(power), partners_(partners), bits_(bits) {}
  constexpr BitRunsOf with(unsigned place, unsigned power, bool partners) const {
    const bool isShort = place % length == 0 && power < length && (power & (power - 1)) == 0 &&
                         (power_ == unknown || (power == power_ && partners == partners_));
    return {ends_ | place | power, isKnown_, isShort ? power : 0, partners, bits_};
  }
  constexpr BitRunsOf onlyIf(bool holds) const {
    return {ends_, isKnown_ && holds, holds ? power_ : 0, partners_, bits_};
  }
  static constexpr unsigned lowestBit(unsigned bits) { return bits & (0 - bits); }
  static constexpr unsigned unknown = ~0u;
  unsigned ends_ = 0; ///< all bits at which what threads share may change
  bool isKnown_ = true;
  unsigned power_ = unknown;
  bool partners_ = false;
  unsigned bits_ = 0; ///< that else is asked for
};
using BitRuns = BitRunsOf<false>;

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
  template <class Place, class Mask> static auto pair(Place place, Mask mask) {
    using Result = decltype(place & mask);
    return Result(((place & ~mask) << 1) | (place & mask));
  }
  template <class Lower, class Power> static auto upper(Lower lower, Power power) {
    return lower | power;
  }
  template <class Place, class Mask> static auto above(Place place, Mask mask) {
    return place & mask;
  }
};
/// What lies in pairs, where masks are those of powers.
template <class Result> constexpr Result pairOf(Result place, Result low) {
  return Result(place + (place - low));
}
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
  template <class Place, class Mask> auto pair(Place place, Mask mask) const {
    using Result = decltype(place & mask);
    return pairOf<Result>(place, low(place, mask));
  }
  template <class Lower, class Power> static auto upper(Lower lower, Power power) {
    return lower + power;
  }
  template <class Place, class Mask> static auto above(Place place, Mask mask) {
    return place & mask;
  }
};
/// Likewise, where other bits are one value for a run.
struct EvenRunThread : RunThread {
  template <class Place, class Mask> auto above(Place place, Mask mask) const {
    using Result = decltype(place & mask);
    return Result((Result(place) - Result(lane)) & Result(mask));
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
  template <class Place, class Mask> static auto pair(Place where, Mask mask) {
    using Result = decltype(where & mask);
    return pairOf<Result>(where, low(where, mask));
  }
  template <class Lower, class Power> static auto upper(Lower lower, Power) {
    return lower + decltype(lower | Power())(power);
  }
  template <class Place, class Mask> static auto above(Place where, Mask mask) {
    return where & mask;
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

constexpr unsigned shortRun = 8;
// No vector is longer than the shortest run.
#if defined(__clang__) && defined(__AVX512F__)
#define CU2CPP_EACH_OF_RUN                                                                         \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) interleave_count(1)")           \
      _Pragma("clang loop unroll(disable)")
#elif defined(__clang__)
#define CU2CPP_EACH_OF_RUN                                                                         \
  _Pragma("clang loop vectorize(assume_safety) interleave_count(1) unroll(disable)")
#else
#define CU2CPP_EACH_OF_RUN CU2CPP_EACH_LANE
#endif
#if defined(__clang__)
#define CU2CPP_EACH_OF_SHORT_RUN                                                                   \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(1)")            \
      _Pragma("clang loop unroll(disable)")
#else
#define CU2CPP_EACH_OF_SHORT_RUN CU2CPP_EACH_LANE
#endif

/// `run` is a multiple of BitRuns::length.
template <class OneThread, class Body>
__attribute__((always_inline)) inline void runRuns(const Block& block, unsigned threads,
                                                   unsigned run, Body& body) {
  const std::size_t count = run / BitRuns::length * BitRuns::length;
  for (unsigned first = 0; first < threads; first += run) {
    CU2CPP_EACH_OF_RUN
    for (std::size_t lane = 0; lane < count; ++lane) {
      const unsigned x = first + unsigned(lane);
      CU2CPP_IN_LOOP body(OneThread{unsigned(lane)}, Thread{::uint3{x, 0, 0}, &block, x});
    }
  }
}
/// Runs of 8, which compilers are not to know: of loops that are as short they make no vectors
/// where they would have to ask first whether places wrap around.
template <class OneThread, class Body>
__attribute__((always_inline)) inline void runShortRuns(const Block& block, unsigned threads,
                                                        Body& body) {
  std::size_t count = shortRun;
#if defined(__GNUC__)
  __asm__("" : "+r"(count));
#endif
  for (unsigned first = 0; first < threads; first += shortRun) {
    CU2CPP_EACH_OF_SHORT_RUN
    for (std::size_t lane = 0; lane < count; ++lane) {
      const unsigned x = first + unsigned(lane);
      CU2CPP_IN_LOOP body(OneThread{unsigned(lane)}, Thread{::uint3{x, 0, 0}, &block, x});
    }
  }
}

/// Runs body for the first `threads` threads of a row, a multiple of BitRuns::length, if the masks
/// let runs or groups be followed; else it does nothing, and returns false.
template <bool others, class Body>
__attribute__((always_inline)) inline bool runByBits(const Block& block, unsigned threads,
                                                     BitRunsOf<others> runs, Body& body) {
  const unsigned run = runs.runOf(threads), evenRun = others ? runs.evenRunOf(threads) : 0;
  if (others && evenRun >= BitRuns::length) {
    runRuns<EvenRunThread>(block, threads, evenRun, body);
    return true;
  }
  if (run >= BitRuns::length) {
    runRuns<RunThread>(block, threads, run, body);
    return true;
  }
  const bool partners = runs.ofPartners();
  switch (runs.shortPower()) {
  case shortRun:
    if (others && evenRun == shortRun)
      runShortRuns<EvenRunThread>(block, threads, body);
    else
      runShortRuns<RunThread>(block, threads, body);
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
template <bool others, class Holds, class Body>
__attribute__((always_inline)) inline bool runRisingByBits(const Block& block, unsigned threads,
                                                           BitRunsOf<others> runs, Holds& holds,
                                                           Body& body) {
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
template <class OneBlock, bool others, class Body>
__attribute__((always_inline)) inline void eachThreadByBits(const OneBlock& block,
                                                            BitRunsOf<others> runs, Body&& body) {
  const ::dim3 size = block.blockDim;
  if (size.x % BitRuns::length == 0 && size.y * size.z == 1 &&
      detail::runByBits(block, size.x, runs, body))
    return;
  eachThread(block, [&](const Thread thread)
                        __attribute__((always_inline)) { body(detail::AnyThread(), thread); });
}
template <bool others, class Body>
__attribute__((always_inline)) inline void eachThreadByBits(const RareBlock& block,
                                                            BitRunsOf<others>, Body&& body) {
  detail::runOneByOne(block, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}

/// eachThreadRisingByBits() is, likewise, eachThreadRising(): one step of a loop in which the
/// threads share the pairs, `for (p = threadIdx.x; p < pairs; p += blockDim.x)`.
template <class OneBlock, class Holds, bool others, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingByBits(const OneBlock& block, Holds&& holds, BitRunsOf<others> runs, Body&& body) {
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value)
    if (size.y * size.z == 1)
      return detail::runRisingByBits(block, size.x, runs, holds, body);
  return eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}
template <class OneBlock, class Holds, bool others, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingByBits(const LongRow<OneBlock>& row, Holds&& holds, BitRunsOf<others> runs,
                       Body&& body) {
  const ::dim3 size = row.blockDim;
  if (size.y * size.z == 1)
    return detail::runRisingByBits(row.first(), row.count() * size.x, runs, holds, body);
  return eachThreadRising(row, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(detail::AnyThread(), thread);
  });
}

} // namespace cu2cpp

#endif

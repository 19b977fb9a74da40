// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp compute for the warp: the set of those for which a condition holds, a
// value for each of them, and one value on which all agree.
#ifndef CU2CPP_LANE_VALUES_H
#define CU2CPP_LANE_VALUES_H

#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <cu2cpp/each_lane.h>

namespace cu2cpp {

namespace detail {

/// setLanes() is a set with those of the first `count` lanes (4, 8, 16 or 32) whose values are not
/// 0: one instruction or two for a vector.
template <unsigned count = warpLanes>
__attribute__((always_inline)) inline unsigned setLanes(const PerLane<unsigned>& values) {
#if defined(__clang__)
  typedef unsigned Values __attribute__((ext_vector_type(count)));
  typedef bool Bits __attribute__((ext_vector_type(count)));
  Values all;
  std::memcpy(&all, &values.at(0), sizeof all);
  const Bits set = __builtin_convertvector(all, Bits);
  unsigned bits = 0;
  std::memcpy(&bits, &set, (count + 7) / 8);
  if constexpr (count < 8)
    bits &= (1u << count) - 1;
#else
  unsigned bits = 0;
  for (unsigned lane = 0; lane < count; ++lane)
    bits |= unsigned(values.at(lane) != 0) << lane;
#endif
  return bits;
}

#if defined(CU2CPP_LANE_SETS)
/// Likewise with those of a whole warp whose words are ones.
__attribute__((always_inline)) inline unsigned setWords(const PerLane<unsigned>& words) {
  typedef float Part __attribute__((vector_size(32)));
  unsigned bits = 0;
  for (unsigned lane = 0; lane < warpLanes; lane += 8) {
    Part part;
    std::memcpy(&part, &words.at(lane), sizeof part);
    bits |= unsigned(__builtin_ia32_movmskps256(part)) << lane;
  }
  return bits;
}
#endif

/// Likewise with those of a pair of rows.
__attribute__((always_inline)) inline unsigned setPair(const PerLane<unsigned>& values) {
  PerLane<unsigned> second;
  std::memcpy(&second.at(0), &values.at(16), 16 * sizeof(unsigned));
  return setLanes<16>(values) | setLanes<16>(second) << 16;
}
template <class OneWarp>
__attribute__((always_inline)) inline unsigned setOfNarrow(const PerLane<unsigned>& values) {
  if constexpr (isRowPair<OneWarp>)
    return setPair(values);
  else
    return setLanes<OneWarp::width>(values);
}

} // namespace detail

/// lanesWhere() is the set of those lanes for which body(lane) holds.
template <class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline auto lanesWhere(const OneWarp& warp, const Set lanes,
                                                      Body&& body) {
  using namespace detail;
  if constexpr (isNarrowRow<OneWarp> && hasRunning<OneWarp>) {
    PerLane<unsigned> holds;
    const auto running = runningLanes<OneWarp>(lanes);
    eachOfNarrow(warp, [&](const Lane lane) CU2CPP_INLINE {
      unsigned here = 0;
      if (running.has(lane.lane))
        here = bool(body(lane));
#if defined(CU2CPP_LANE_SETS)
      here = -here;
#endif
      holds[lane] = here;
    });
#if defined(CU2CPP_LANE_SETS)
    return setOf(warp, holds);
#else
    return Lanes(setOfNarrow<OneWarp>(holds));
#endif
  } else {
    if constexpr (isWholeRow<OneWarp> || isAnyWarp<OneWarp>)
      if (warp.isRow && warp.width == lanesTogether<OneWarp>) {
        PerLane<unsigned> holds;
        const auto running = runningLanes<OneWarp>(lanes);
        eachOfRow<true>(warp, [&](const Lane lane) CU2CPP_INLINE {
          unsigned here = 0;
          if (running.has(lane.lane))
            here = bool(body(lane));
#if defined(CU2CPP_LANE_SETS)
          if constexpr (lanesTogether<OneWarp> == warpLanes)
            here = -here;
#endif
          holds[lane] = here;
        });
#if defined(CU2CPP_LANE_SETS)
        if constexpr (lanesTogether<OneWarp> == warpLanes)
          return Lanes(setWords(holds));
        else
#endif
          return Lanes(setLanes<lanesTogether<OneWarp>>(holds));
      }
    if constexpr (isOfRows<OneWarp>)
      if (lanes.all()) {
        PerLane<unsigned> holds;
        eachOfRows(warp, [&](const Lane lane) CU2CPP_INLINE { holds[lane] = bool(body(lane)); });
        return Lanes(setLanes(holds));
      }
    unsigned bits = 0;
    if constexpr (!isWholeRow<OneWarp>)
      eachLane(warp, lanes,
               [&](const Lane lane) { bits |= unsigned(bool(body(lane))) << lane.lane; });
    return Lanes(bits);
  }
}
/// lanesWhereEvenPastExits() is lanesWhere() for conditions that only compute: they do no harm in
/// lanes that do not run, and what those answer is left out. So no comparison waits for the set.
template <class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline auto lanesWhereEvenPastExits(const OneWarp& warp,
                                                                   const Set lanes, Body&& body) {
#if defined(__AVX512F__)
  using namespace detail;
  if constexpr (isNarrowRow<OneWarp> && hasRunning<OneWarp>) {
    PerLane<unsigned> holds;
    eachOfNarrow(warp, [&](const Lane lane) CU2CPP_INLINE { holds[lane] = bool(body(lane)); });
    unsigned bits = setOfNarrow<OneWarp>(holds);
    asm("" : "+r"(bits));
    return Lanes(bits) & lanes;
  } else if constexpr (isWholeRow<OneWarp>) {
    PerLane<unsigned> holds;
    eachOfRow<true>(warp, [&](const Lane lane) CU2CPP_INLINE { holds[lane] = bool(body(lane)); });
    return Lanes(setLanes<OneWarp::width>(holds)) & lanes;
  }
#elif defined(CU2CPP_LANE_SETS)
  using namespace detail;
  if constexpr (isNarrowRow<OneWarp> && hasRunning<OneWarp>) {
    PerLane<unsigned> holds;
    eachOfNarrow(warp,
                 [&](const Lane lane) CU2CPP_INLINE { holds[lane] = -unsigned(bool(body(lane))); });
    return setOf(warp, holds) & setOf(warp, lanes);
  }
#endif
  return lanesWhere(warp, lanes, body);
}

/// lanesWhereAlike() is lanesWhere() for a condition that all lanes of a warp agree on where the
/// block's rows are whole warps: threadIdx.x / 32 == 0.
template <class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline auto lanesWhereAlike(const OneWarp& warp, const Set lanes,
                                                           Body&& body) {
  if constexpr (detail::isWholeRow<OneWarp>)
    if (warp.block->blockDim.x % OneWarp::width == 0 && lanes.any()) {
      const unsigned lane = lanes.first();
      detail::assumeRow(warp);
      return body(Lane{{::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, warp.block,
                        warp.rank + lane},
                       lane})
                 ? setOf(warp, lanes)
                 : setOf(warp);
    }
  return lanesWhere(warp, lanes, body);
}
/// lanesWhereRank() is lanesWhere() for `place < limit`, where place(lane) is a sum of multiples of
/// threadIdx's parts. Of a place that counts the block's threads all lanes of a warp are below a
/// multiple of 32, or none is: compilers see that, and keep what all lanes have in registers.
template <class OneWarp, class Set, class Place, class Body>
__attribute__((always_inline)) inline auto lanesWhereRank(const OneWarp& warp, const Set lanes,
                                                          Place&& place, const unsigned limit,
                                                          Body&& body) {
  if constexpr (detail::isFullRow<OneWarp> || detail::isOfRows<OneWarp>) {
    constexpr unsigned length = detail::rowLengthOf<OneWarp>;
    constexpr unsigned most = 1u << 20;
    detail::assumeRow(warp);
    const auto placeOf = [&](unsigned lane) CU2CPP_INLINE {
      const ::uint3 thread{warp.first.x + lane % length, warp.first.y + lane / length,
                           warp.first.z};
      return place(Lane{{thread, warp.block, warp.rank + lane}, lane});
    };
    const auto first = placeOf(0);
    using Value = std::decay_t<decltype(first)>;
    const bool counts = first >= 0 && first <= Value(most) && first % Value(warpLanes) == 0 &&
                        placeOf(length - 1) - first == Value(length - 1) &&
                        (length == warpLanes || placeOf(length) - first == Value(length));
    if (counts && limit % warpLanes == 0)
      return static_cast<unsigned>(first) < limit ? setOf(warp, lanes) : setOf(warp);
  }
  return lanesWhere(warp, lanes, body);
}
/// lanesWhereRising() is lanesWhere() for a condition that holds in all lanes of a row if it holds
/// in the last: i < n, where i is one more in each lane.
template <class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline auto lanesWhereRising(const OneWarp& warp, const Set lanes,
                                                            Body&& body) {
  if constexpr (!detail::isOtherWarp<OneWarp>)
    if (warp.isRow && warp.isWhole(lanes)) {
      const unsigned last = warp.width - 1;
      detail::assumeRow(warp);
      if (body(Lane{{::uint3{warp.first.x + last, warp.first.y, warp.first.z}, warp.block,
                     warp.rank + last},
                    last}))
        return setOf(warp, lanes);
    }
  return lanesWhere(warp, lanes, body);
}

namespace detail {

/// Whether the lanes of a row that count on from a value would pass the end of its type.
template <unsigned lanes = warpLanes, class Type> inline bool endsInRow(const Type first) {
  return first > std::numeric_limits<Type>::max() - Type(lanes);
}
/// Whether lanes that count on from a value are certain not to start anew at 0.
template <class Base> inline constexpr bool risesInRow = true;

/// The variable of a loop in the lanes of a row: one more in each.
template <class Type, bool certain> struct RowValues {
  Type first;
  Type operator[](const Lane& lane) const { return Type(first + Type(lane.lane)); }
  template <class Step> void operator+=(const Step step) { first += step; }
};
template <unsigned lanes = warpLanes, class Type, bool certain>
inline bool endsInRow([[maybe_unused]] const RowValues<Type, certain>& values) {
  if constexpr (sizeof(Type) >= sizeof(int))
    return endsInRow<lanes>(values.first);
  return false;
}
template <class Type, bool certain>
inline constexpr bool risesInRow<RowValues<Type, certain>> = certain;

/// The same where lanes are no row, or their values none.
template <class Type> struct OtherValues {
  PerLane<Type> start;
  Type moved;
  Type operator[](const Lane& lane) const { return Type(start[lane] + moved); }
  template <class Step> void operator+=(const Step step) { moved += step; }
};
template <unsigned lanes = warpLanes, class Type> inline bool endsInRow(const OtherValues<Type>&) {
  return false;
}
template <class Type> inline constexpr bool risesInRow<OtherValues<Type>> = false;

} // namespace detail

/// With what the lanes count from, in a loop of which no lane that runs is past the end of its
/// type, and so none behind the first.
template <class OneWarp, class Set, class Base, class Body>
__attribute__((always_inline)) inline auto lanesWhereRising(const OneWarp& warp, const Set lanes,
                                                            const Base base, Body&& body) {
  using namespace detail;
  if constexpr (!risesInRow<Base>) {
    return lanesWhere(warp, lanes, body);
  } else if constexpr (isWholeRow<OneWarp>) {
    assumeRow(warp);
    const auto holdsIn = [&](unsigned lane) CU2CPP_INLINE {
      return bool(body(Lane{
          {::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, warp.block, warp.rank + lane},
          lane}));
    };
    const bool ends = endsInRow<OneWarp::width>(base);
    const bool all = warp.isWhole(lanes);
    if (all && holdsIn(OneWarp::width - 1)) {
      if (ends)
        __builtin_unreachable();
      return lanes;
    }
    // Nor does it hold in any lane if it does not in the first.
    if (!lanes.any() || !holdsIn(lanes.first()))
      return Lanes();
    // Compilers see that these are not all lanes, and keep the two loops over lanes apart: the one
    // for all of them then needs no version for places that wrap around.
#if defined(CU2CPP_LANE_SETS)
    // Nor is it asked which of them run if all do.
    constexpr unsigned whole = unsigned((1ull << OneWarp::width) - 1);
    const Lanes found = all ? lanesWhere(warp, Lanes(whole), body) & Lanes(whole >> 1)
                            : lanesWhere(warp, lanes, body) & lanes;
#else
    const Lanes found = lanesWhere(warp, lanes, body) &
                        Lanes(all ? (1u << (OneWarp::width - 1)) - 1 : lanes.bits());
#endif
    if (ends || warp.isWhole(found))
      __builtin_unreachable();
    return found;
  } else {
    const auto found = lanesWhereRising(warp, lanes, body);
    // Other warps may be what is left of a tile, whose steps are shorter than a warp.
    if constexpr (!isOtherWarp<OneWarp>)
      if (found.any() && endsInRow(base))
        __builtin_unreachable();
    return found;
  }
}
template <class Body>
inline Lanes lanesWherePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  unsigned bits = 0;
  eachLanePublished(warp, lanes,
                    [&](const Lane& lane) { bits |= unsigned(bool(body(lane))) << lane.lane; });
  return Lanes(bits);
}

/// perLane<Type>() is what body(lane) gives for each of the lanes; Type is the result's own type if
/// none is named: the array's, of a reference to one.
template <
    class Type = void, class OneWarp, class Set, class Body,
    class Value = detail::Kept<Type, decltype(std::declval<Body&>()(std::declval<const Lane&>()))>>
__attribute__((always_inline)) inline PerLane<Value> perLane(const OneWarp& warp, const Set lanes,
                                                             Body&& body) {
  PerLane<Value> out;
  eachLane(warp, lanes, [&](const Lane lane) { detail::construct(out[lane], body(lane)); });
  return out;
}
template <
    class Type = void, class Body,
    class Value = detail::Kept<Type, decltype(std::declval<Body&>()(std::declval<const Lane&>()))>>
inline PerLane<Value> perLanePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  PerLane<Value> out;
  eachLanePublished(warp, lanes,
                    [&](const Lane& lane) { detail::construct(out[lane], body(lane)); });
  return out;
}

/// Said of values without sign that are sums of such as no program makes so large.
inline constexpr bool neverWraps = true;

/// risingInRow() is what a loop's variable is in each lane when the loop starts: body(lane), which
/// is one more from lane to lane of a row. Loops add their step to all of them.
template <class Type = void, bool certain = false, class OneWarp, class Body>
__attribute__((always_inline)) inline auto risingInRow(const OneWarp& warp, const Lanes lanes,
                                                       Body&& body) {
  using Value = decltype(body(std::declval<const Lane&>()));
  using Counter = std::conditional_t<std::is_void<Type>::value, std::decay_t<Value>, Type>;
  // A narrower sum may wrap around before it is widened.
  if constexpr ((detail::isWholeRow<OneWarp> ||
                 (detail::isNarrowRow<OneWarp> && !detail::isRowPair<OneWarp>)) &&
                (certain || sizeof(Value) >= sizeof(Counter))) {
    detail::assumeRow(warp);
    return detail::RowValues<Counter, certain || std::is_signed<Counter>::value>{
        static_cast<Counter>(body(Lane{{warp.first, warp.block, warp.rank}, 0}))};
  } else {
    return detail::OtherValues<Counter>{perLane<Counter>(warp, lanes, body), Counter()};
  }
}

/// eachLaneThen() is eachLane() for bodies that compute which places of shared memory to update:
/// body(lane, update...), see eachThreadThen().
template <class OneWarp, class Set, class Body, class... OneUpdate>
__attribute__((always_inline)) inline void eachLaneThen(const OneWarp& warp, const Set lanes,
                                                        Body&& body, const OneUpdate&... updates) {
  using namespace detail;
  if constexpr (isWholeRow<OneWarp>)
    if (warp.isWhole(lanes))
      return computeThen(
          OneWarp::width,
          [&](auto&& one) __attribute__((always_inline)) {
            eachOfRow<true>(warp, [&](const Lane lane)
                                      __attribute__((always_inline)) { one(lane.lane, lane); });
          },
          body, updates...);
  const auto now = [&](const Lane lane)
                       __attribute__((always_inline)) { body(lane, Now<OneUpdate>{updates}...); };
  // Two lanes may update the same.
  if constexpr (isOfRows<OneWarp>)
    eachOneByOne(warp, lanes, now);
  else
    eachLane(warp, lanes, now);
}

/// prefetchLanes() fetches what a row of lanes will load from an array some steps later:
/// index(lane) is one more from lane to lane, and a step goes `step` elements ahead.
template <class OneWarp, class Element, class Index, class Step>
__attribute__((always_inline)) inline void prefetchLanes(const OneWarp& warp, const Element* array,
                                                         Index&& index, Step step) {
  constexpr std::uintptr_t line = 64, stepsAhead = 4, width = warpLanes * sizeof(Element);
  const std::uintptr_t distance = static_cast<std::uintptr_t>(step) * sizeof(Element);
  if (!detail::isFullRow<OneWarp> || distance <= width)
    return;
  const std::uintptr_t first =
      reinterpret_cast<std::uintptr_t>(array) +
      static_cast<std::uintptr_t>(index(Lane{{warp.first, warp.block, warp.rank}, 0})) *
          sizeof(Element) +
      stepsAhead * distance;
  for (std::uintptr_t at = 0; at < width; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(first + at));
}

/// prefetchBehind() fetches what lies behind a row of an array that a row of lanes has come
/// through: rows of sparse matrices are as long as they like, follow each other, and end before a
/// processor foresees them. start(lane) is where a lane began, and `end`, an integer, where the
/// first lane would have gone on.
template <class OneWarp, class Array, class Start, class End>
__attribute__((always_inline)) inline void prefetchBehind(const OneWarp& warp, const Array array,
                                                          Start&& start, [[maybe_unused]] End end) {
  if constexpr (std::is_pointer<Array>::value && detail::isFullRow<OneWarp>) {
    constexpr std::uintptr_t line = 64, ahead = 2048, fewest = 256;
    detail::assumeRow(warp);
    auto place = start(Lane{{warp.first, warp.block, warp.rank}, 0});
    std::uintptr_t bytes = fewest;
    if constexpr (std::is_integral<End>::value)
      bytes =
          (static_cast<std::uintptr_t>(end) - static_cast<std::uintptr_t>(place)) * sizeof(*array);
    // Compilers are not to compute this and the lanes' places together: they would keep a version
    // of the loop over lanes for places that wrap around.
    asm("" : "+r"(place));
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(array) +
                                 static_cast<std::uintptr_t>(place) * sizeof(*array) + ahead;
    const auto fetch = [&](std::uintptr_t from, std::uintptr_t to) CU2CPP_INLINE {
      for (std::uintptr_t at = from; at < to; at += line)
        __builtin_prefetch(reinterpret_cast<const void*>(first + at));
    };
    // In two pieces: a loop for each row's own length would end otherwise than foreseen.
    fetch(0, fewest);
    if (bytes > fewest)
      fetch(fewest, 2 * fewest);
  }
}

/// placeIn() is where an element of an array lies; of what a template only uses like an array
/// nobody knows.
template <class Element, class Index>
__attribute__((always_inline)) inline Element* placeIn(Element* array, Index index) {
  return array + index;
}
template <class Array, class Index>
__attribute__((always_inline)) inline std::nullptr_t placeIn(const Array&, Index) {
  return nullptr;
}

/// prefetchRowsAhead() fetches where a row of memory begins that a warp comes to some steps later:
/// address(threadIdx, row). Steps go by the grid, to places that no processor foresees; the address
/// may be loaded, as the warp will do it.
template <class OneWarp, class Row, class Step, class Bound, class Address>
__attribute__((always_inline)) inline void prefetchRowsAhead(const OneWarp& warp, const Row row,
                                                             const Step step, const Bound bound,
                                                             Address&& address) {
  if constexpr (detail::isFullRow<OneWarp>) {
    constexpr long long stepsAhead = 4;
    constexpr std::uintptr_t line = 64, linesOfRow = 5;
    const auto next = static_cast<long long>(row) + stepsAhead * static_cast<long long>(step);
    // Past the end of its type a row would seem to be one again.
    if (step <= 0 || next < 0 || static_cast<long long>(static_cast<Row>(next)) != next ||
        !(static_cast<Row>(next) < bound))
      return;
    detail::assumeRow(warp);
    const auto first =
        reinterpret_cast<std::uintptr_t>(address(warp.first, static_cast<Row>(next)));
    for (std::uintptr_t at = 0; at < linesOfRow * line; at += line)
      __builtin_prefetch(reinterpret_cast<const void*>(first + at));
  }
}

/// StretchesAhead fetches what the lanes of a row will load or store side by side in the next row:
/// add(warp, row, address), where that begins at address(threadIdx, row). Where a row of memory is
/// written out as many single vectors, processors do not see that it is one. Nor do they by
/// themselves where it is fetched piece by piece: pieces that lie side by side are fetched at once.
/// (Rows of 768 floats took 1.5 times as long with a loop for each piece.) Without AVX-512 vectors
/// are as long as those that processors follow, and fetching a row took as long as computing it.
class StretchesAhead {
public:
  StretchesAhead() = default;
  StretchesAhead(const StretchesAhead&) = delete;
  StretchesAhead& operator=(const StretchesAhead&) = delete;
  __attribute__((always_inline)) ~StretchesAhead() { fetch(); }

  template <class OneWarp, class Row, class Address>
  __attribute__((always_inline)) void add([[maybe_unused]] const OneWarp& warp,
                                          [[maybe_unused]] const Row next,
                                          [[maybe_unused]] Address&& address) {
    if constexpr (detail::isFullRow<OneWarp>) {
      detail::assumeRow(warp);
      const auto addressIn = [&](unsigned lane) CU2CPP_INLINE {
        return address(::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, next);
      };
      using Element = std::remove_pointer_t<decltype(addressIn(0))>;
      const auto first = reinterpret_cast<std::uintptr_t>(addressIn(0)),
                 last = reinterpret_cast<std::uintptr_t>(addressIn(warpLanes - 1));
      if (last - first != (warpLanes - 1) * sizeof(Element))
        return;
      if (first != end_) {
        fetch();
        begin_ = first;
      }
      end_ = last + sizeof(Element);
      stores_ = !std::is_const<Element>::value;
    }
  }

private:
  __attribute__((always_inline)) void fetch() const {
#if !defined(__AVX2__) || defined(__AVX512F__)
    constexpr std::uintptr_t line = 64;
    if (stores_) {
      CU2CPP_ROLLED
      for (std::uintptr_t at = begin_; at < end_; at += line)
        __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
    } else {
      CU2CPP_ROLLED
      for (std::uintptr_t at = begin_; at < end_; at += line)
        __builtin_prefetch(reinterpret_cast<const void*>(at));
    }
#endif
  }
  std::uintptr_t begin_ = 0, end_ = 0;
  bool stores_ = false;
};

namespace detail {
template <class Type>
__attribute__((always_inline)) inline Type oneValue(const PerLane<Type>& all, Lanes lanes,
                                                    const char* file, int line) {
  if (!lanes.any())
    return Type();
  const Type value = all.at(lanes.first());
  const unsigned bits = lanes.bits();
  PerLane<unsigned> differ;
  CU2CPP_EACH_OF_WARP
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    differ.at(lane) = bits >> lane & unsigned(!(all.at(lane) == value));
  if (setLanes(differ) != 0)
    valuesDiffer("warp", file, line);
  return value;
}

template <class Value> struct Agreed;
template <class Value> constexpr bool isAgreed = false;
template <class Value> constexpr bool isAgreed<Agreed<Value>> = true;

/// agreedValue() is what body(lane) gives for one of the lanes: all have the same (agreed()).
template <class OneWarp, class Body>
__attribute__((always_inline)) inline auto agreedValue(const OneWarp& warp, const Lanes lanes,
                                                       Body&& body) {
  using Value = decltype(body(std::declval<const Lane&>()).value);
  const unsigned lane = warp.isWhole(lanes) || !lanes.any() ? 0 : lanes.first();
  return Value(body(
      Lane{{::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, warp.block, warp.rank + lane},
           lane}));
}
} // namespace detail

/// agreedOf() is what one of the lanes keeps: all have the same (agreed()).
template <class OneWarp, class Value>
__attribute__((always_inline)) inline Value agreedOf(const OneWarp& warp, const Lanes lanes,
                                                     const PerLane<Value>& values) {
  return values.at(warp.isWhole(lanes) || !lanes.any() ? 0 : lanes.first());
}

/// sameInWarp() is what body(lane) gives for every one of the lanes; the program stops if they
/// disagree.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline auto
sameInWarp(const OneWarp& warp, const Lanes lanes, Body&& body, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
  if constexpr (detail::isAgreed<decltype(body(std::declval<const Lane&>()))>)
    return detail::agreedValue(warp, lanes, body);
  else
    return detail::oneValue(perLane(warp, lanes, body), lanes, file, line);
}
/// sameInRow() is sameInWarp() for what should be one value where the block's rows are whole warps:
/// threadIdx.x / 32. There the first of the lanes and the last one are asked.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline auto
sameInRow(const OneWarp& warp, const Lanes lanes, Body&& body, const char* file = __builtin_FILE(),
          int line = __builtin_LINE()) {
  using Given = decltype(body(std::declval<const Lane&>()));
  using Value = detail::Kept<void, Given>;
  if constexpr (detail::isAgreed<Given>)
    return detail::agreedValue(warp, lanes, body);
  else if constexpr (detail::isWholeRow<OneWarp> && std::is_arithmetic<Value>::value)
    if (lanes.any() && warp.block->blockDim.x % OneWarp::width == 0) {
      detail::assumeRow(warp);
      const auto valueOf = [&](unsigned lane) CU2CPP_INLINE {
        return body(Lane{{::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, warp.block,
                          warp.rank + lane},
                         lane});
      };
      const bool whole = warp.isWhole(lanes);
      const Value value = valueOf(whole ? 0 : lanes.first());
      if (value == valueOf(whole ? OneWarp::width - 1 : lanes.last()))
        return value;
    }
  if constexpr (!detail::isAgreed<Given>)
    return detail::oneValue(perLane(warp, lanes, body), lanes, file, line);
}
template <class Body>
inline auto sameInWarpPublished(const Warp& warp, const Lanes lanes, Body&& body,
                                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if constexpr (detail::isAgreed<decltype(body(std::declval<const Lane&>()))>)
    return detail::agreedValue(warp, lanes, body);
  else
    return detail::oneValue(perLanePublished(warp, lanes, body), lanes, file, line);
}

} // namespace cu2cpp

#endif

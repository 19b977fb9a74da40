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

/// setLanes() is a set with those of the first `count` lanes (8, 16 or 32) whose values are not 0:
/// one instruction or two for a vector.
template <unsigned count = warpLanes>
__attribute__((always_inline)) inline unsigned setLanes(const PerLane<unsigned>& values) {
#if defined(__clang__)
  typedef unsigned Values __attribute__((ext_vector_type(count)));
  typedef bool Bits __attribute__((ext_vector_type(count)));
  Values all;
  std::memcpy(&all, &values.at(0), sizeof all);
  const Bits set = __builtin_convertvector(all, Bits);
  unsigned bits = 0;
  std::memcpy(&bits, &set, count / 8);
#else
  unsigned bits = 0;
  for (unsigned lane = 0; lane < count; ++lane)
    bits |= unsigned(values.at(lane) != 0) << lane;
#endif
  return bits;
}

} // namespace detail

/// lanesWhere() is the set of those lanes for which body(lane) holds.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline Lanes lanesWhere(const OneWarp& warp, const Lanes lanes,
                                                       Body&& body) {
  if constexpr (!detail::isOtherWarp<OneWarp>)
    if (warp.isRow && warp.width == warpLanes) {
      PerLane<unsigned> holds;
      const auto running = detail::runningLanes<OneWarp>(lanes);
      detail::eachOfRow<true>(warp, [&](const Lane lane) CU2CPP_INLINE {
        unsigned here = 0;
        if (running.has(lane.lane))
          here = bool(body(lane));
        holds[lane] = here;
      });
      return Lanes(detail::setLanes(holds));
    }
  if constexpr (detail::isNarrowRow<OneWarp>)
    if constexpr (OneWarp::width == 8 || OneWarp::width == 16) {
      PerLane<unsigned> holds;
      const auto running = detail::runningLanes<OneWarp>(lanes);
      detail::eachOfNarrow(warp, [&](const Lane lane) CU2CPP_INLINE {
        unsigned here = 0;
        if (running.has(lane.lane))
          here = bool(body(lane));
        holds[lane] = here;
      });
      return Lanes(detail::setLanes<OneWarp::width>(holds));
    }
  unsigned bits = 0;
  if constexpr (!detail::isFullRow<OneWarp>)
    eachLane(warp, lanes,
             [&](const Lane lane) { bits |= unsigned(bool(body(lane))) << lane.lane; });
  return Lanes(bits);
}
/// lanesWhereAlike() is lanesWhere() for a condition that all lanes of a warp agree on where the
/// block's rows are whole warps: threadIdx.x / 32 == 0.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline Lanes lanesWhereAlike(const OneWarp& warp, const Lanes lanes,
                                                            Body&& body) {
  if constexpr (detail::isFullRow<OneWarp>)
    if (warp.block->blockDim.x % warpLanes == 0 && lanes.any()) {
      const unsigned lane = lanes.first();
      detail::assumeRow(warp.first.x);
      return body(Lane{{::uint3{warp.first.x + lane, warp.first.y, warp.first.z}, warp.block,
                        warp.rank + lane},
                       lane})
                 ? lanes
                 : Lanes();
    }
  return lanesWhere(warp, lanes, body);
}
/// lanesWhereRising() is lanesWhere() for a condition that holds in all lanes of a row if it holds
/// in the last: i < n, where i is one more in each lane.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline Lanes lanesWhereRising(const OneWarp& warp, const Lanes lanes,
                                                             Body&& body) {
  if constexpr (!detail::isOtherWarp<OneWarp>)
    if (warp.isRow && warp.isWhole(lanes)) {
      const unsigned last = warp.width - 1;
      detail::assumeRow(warp.first.x);
      if (body(Lane{{::uint3{warp.first.x + last, warp.first.y, warp.first.z}, warp.block,
                     warp.rank + last},
                    last}))
        return lanes;
    }
  return lanesWhere(warp, lanes, body);
}
/// With the value of the loop's variable from which the lanes count, in a loop that steps by a warp
/// at least. A lane that is in it will have stepped further than that value + 32, so that does not
/// overflow.
template <class OneWarp, class Base, class Body>
__attribute__((always_inline)) inline Lanes lanesWhereRising(const OneWarp& warp, const Lanes lanes,
                                                             const Base base, Body&& body) {
  const Lanes found = lanesWhereRising(warp, lanes, body);
  if (found.any() && base > std::numeric_limits<Base>::max() - Base(warpLanes))
    __builtin_unreachable();
  return found;
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
template <class Type = void, class OneWarp, class Body>
__attribute__((always_inline)) inline auto perLane(const OneWarp& warp, const Lanes lanes,
                                                   Body&& body) {
  using Value = detail::Kept<Type, decltype(body(std::declval<const Lane&>()))>;
  PerLane<Value> out;
  eachLane(warp, lanes, [&](const Lane lane) { detail::construct(out[lane], body(lane)); });
  return out;
}
template <class Type = void, class Body>
inline auto perLanePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  using Value = detail::Kept<Type, decltype(body(std::declval<const Lane&>()))>;
  PerLane<Value> out;
  eachLanePublished(warp, lanes,
                    [&](const Lane& lane) { detail::construct(out[lane], body(lane)); });
  return out;
}

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
} // namespace detail

/// sameInWarp() is what body(lane) gives for every one of the lanes; the program stops if they
/// disagree.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline auto
sameInWarp(const OneWarp& warp, const Lanes lanes, Body&& body, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
  return detail::oneValue(perLane(warp, lanes, body), lanes, file, line);
}
template <class Body>
inline auto sameInWarpPublished(const Warp& warp, const Lanes lanes, Body&& body,
                                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return detail::oneValue(perLanePublished(warp, lanes, body), lanes, file, line);
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a warp walks along a row of its own: the steps that all its lanes take, and what
// is left of the row behind them.
#ifndef CU2CPP_LANE_STEPS_H
#define CU2CPP_LANE_STEPS_H

#include <type_traits>

#include <cu2cpp/each_lane.h>
#include <cu2cpp/lane_values.h>

namespace cu2cpp {

#if defined(CU2CPP_LANE_SETS)
/// FirstLanes is the set of the first lanes of a full row or a tile, fewer than all and at least
/// one: those for which holds(number) does. It is Lanes to loops that do not run it vector by
/// vector.
template <class OneWarp, class Holds> class FirstLanes {
public:
  FirstLanes(const OneWarp& warp, const Holds& holds) : warp_(warp), holds_(holds) {}
  bool has(unsigned lane) const { return holds_(lane); }
  __attribute__((always_inline)) operator Lanes() const {
    constexpr unsigned all = ~0u >> (warpLanes - OneWarp::width);
    return lanesWhere(warp_, Lanes(all),
                      [&](const Lane lane) CU2CPP_INLINE { return holds_(lane.lane); }) &
           Lanes(all >> 1);
  }

private:
  const OneWarp& warp_;
  const Holds& holds_;
};

#define CU2CPP_EACH_OF_VECTOR                                                                      \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(vector) unroll(disable)")

namespace detail {

/// What `visit` does in the first lanes of a row, from lane `at` on, vector by vector: visit(lane,
/// true) in those that are full, and visit(lane, runs) in the last one. Each branch has a
/// comparison of its own, and none waits for a set of all lanes. With AVX2 a mask is as wide as
/// what it chooses: vectors have 8 lanes, or 4 where something that lanes keep has 8 bytes.
template <unsigned vector, unsigned at = 0, class OneWarp, class Set, class Visit>
__attribute__((always_inline)) inline void eachOfFirstLanes(const OneWarp& warp, const Set& lanes,
                                                            Visit&& visit) {
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  if (lanes.has(at + vector - 1)) {
    CU2CPP_EACH_OF_VECTOR
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane}, true);
    if constexpr (at + vector < OneWarp::width)
      eachOfFirstLanes<vector, at + vector>(warp, lanes, visit);
  } else if (lanes.has(at)) {
    CU2CPP_EACH_OF_VECTOR
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane},
          lanes.has(lane));
  }
}

} // namespace detail

template <bool whole = true, class OneWarp, class Holds, class Body>
__attribute__((always_inline)) inline void
eachLane(const OneWarp& warp, const FirstLanes<OneWarp, Holds>& lanes, Body&& body) {
  eachLane<whole>(warp, Lanes(lanes), body);
}
template <bool whole = true, class OneWarp, class Holds, class Body, class First, class... More>
__attribute__((always_inline)) inline void
eachLane(const OneWarp& warp, const FirstLanes<OneWarp, Holds>& lanes, Body&& body,
         PerLane<First>& first, PerLane<More>&... more) {
  if constexpr (!whole) {
    eachLane<whole>(warp, Lanes(lanes), body, first, more...);
  } else {
    constexpr bool isWide = sizeof(First) > 4 || ((sizeof(More) > 4) || ...);
    constexpr unsigned width = OneWarp::width;
    constexpr unsigned vector = isWide || width < 8 ? 4 : 8;
    // On copies, as in eachLane() of other sets.
    [&](detail::TileCopy<width, First> copy, detail::TileCopy<width, More>... copies)
        CU2CPP_INLINE {
          const auto visit = [&](const Lane lane, bool runs) CU2CPP_INLINE {
            detail::runKeeping(runs, lane, body, copy[lane], copies[lane]...);
          };
          detail::eachOfFirstLanes<vector>(warp, lanes, visit);
          copy.store(first);
          (copies.store(more), ...);
        }(detail::TileCopy<width, First>(first), detail::TileCopy<width, More>(more)...);
  }
}
#endif

/// eachStepRising() runs body(lanes) in each step of a loop for the lanes in which holds(lane)
/// still does, as lanesWhereRising() tells them, and next() behind it; `base` is what lanes count
/// from, and `step` by how much next() moves that. Rows are as long as they like: with AVX2 alone,
/// whose masks are dear, the steps of all lanes are a loop of their own, and what is left of a row
/// is one step behind it, if each step is as long as the row of lanes.
template <class OneWarp, class Base, class Step, class Next, class Holds, class Body>
__attribute__((always_inline)) inline void
eachStepRising(const OneWarp& warp, const Lanes lanes, const Base& base,
               [[maybe_unused]] const Step step, Next&& next, Holds&& holds, Body&& body) {
#if defined(CU2CPP_LANE_SETS)
  if constexpr (detail::isWholeRow<OneWarp> && detail::risesInRow<Base>)
    if (warp.isWhole(lanes) && __builtin_constant_p(step) && step >= Step(OneWarp::width)) {
      constexpr unsigned width = OneWarp::width;
      detail::assumeRow(warp);
      const auto holdsIn = [&](unsigned lane) CU2CPP_INLINE {
        return bool(holds(Lane{{::uint3{warp.first.x + lane, warp.first.y, warp.first.z},
                                warp.block, warp.rank + lane},
                               lane}));
      };
      for (; holdsIn(width - 1); next()) {
        if (detail::endsInRow<width>(base))
          __builtin_unreachable();
        body(Lanes(~0u >> (warpLanes - width)));
      }
      if (holdsIn(0)) {
        if (detail::endsInRow<width>(base))
          __builtin_unreachable();
        body(FirstLanes<OneWarp, decltype(holdsIn)>(warp, holdsIn));
        next();
      }
      return;
    }
#endif
  for (Lanes left = lanes; (left = lanesWhereRising(warp, left, base, holds)).any(); next())
    body(left);
}

} // namespace cu2cpp

#endif

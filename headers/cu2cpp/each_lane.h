// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over the lanes of a warp, and the loop over the warps of a block.
//
// CUDA C++ Programming Guide, 'SIMT Architecture'.
#ifndef CU2CPP_EACH_LANE_H
#define CU2CPP_EACH_LANE_H

#include <cstring>
#include <type_traits>

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/lanes.h>

namespace cu2cpp {

namespace detail {

/// Lane numbers of a row start at a multiple of 32 (of 16 in parts that are shorter than a warp, of
/// their width in tiles): said to the compiler, which then sees threadIdx.x % 32.
template <class OneWarp> inline void assumeRow(const OneWarp& warp) {
  if constexpr (isAnyWarp<OneWarp>) {
    if (warp.width >= warpLanes / 2 && warp.first.x % (warpLanes / 2) != 0)
      __builtin_unreachable();
  } else if constexpr (isWholeRow<OneWarp>) {
    if (warp.first.x % OneWarp::width != 0)
      __builtin_unreachable();
  } else {
    if (warp.first.x % (warpLanes / 2) != 0)
      __builtin_unreachable();
  }
}

} // namespace detail

// As CU2CPP_EACH_LANE in block.h. A warp is one vector of 32: loops over it vanish, and what lanes
// keep stays in registers from one to the next. Bodies that call the library's mathematical
// functions take as many lanes at a time as those. With AVX2 it is four vectors of 8: sets of 32
// lanes would be kept as bytes and widened in each loop.
#if defined(__clang__) && defined(__AVX2__) && !defined(__AVX512F__)
#define CU2CPP_EACH_OF_WARP                                                                        \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(4)")            \
      _Pragma("clang loop unroll(disable)")
#define CU2CPP_EACH_OF_HALF                                                                        \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(2)")            \
      _Pragma("clang loop unroll(disable)")
#define CU2CPP_EACH_OF_PART                                                                        \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(vectors)")      \
      _Pragma("clang loop unroll(disable)")
#define CU2CPP_EACH_OF_QUARTER                                                                     \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) unroll(disable)")
#define CU2CPP_EACH_IN_PARTS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__clang__)
#define CU2CPP_EACH_OF_WARP                                                                        \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(32) unroll(disable)")
#define CU2CPP_EACH_OF_HALF                                                                        \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) unroll(disable)")
#define CU2CPP_EACH_OF_QUARTER                                                                     \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) unroll(disable)")
#define CU2CPP_EACH_IN_PARTS _Pragma("clang loop vectorize(assume_safety)")
#else
#define CU2CPP_EACH_OF_WARP CU2CPP_EACH_LANE
#define CU2CPP_EACH_IN_PARTS CU2CPP_EACH_LANE
#endif
#if !defined(CU2CPP_EACH_OF_HALF)
#define CU2CPP_EACH_OF_HALF CU2CPP_EACH_LANE
#endif
#if defined(__clang__)
#define CU2CPP_EACH_OF_EIGHTH                                                                      \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(4) unroll(disable)")
#define CU2CPP_EACH_OF_LINE _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define CU2CPP_EACH_OF_LINE CU2CPP_EACH_LANE
#define CU2CPP_EACH_OF_QUARTER CU2CPP_EACH_LANE
#define CU2CPP_EACH_OF_EIGHTH CU2CPP_EACH_LANE
#endif

// A lambda that is always inlined, though it is called in two places.
#define CU2CPP_INLINE __attribute__((always_inline))

namespace detail {

#if defined(__clang__)
/// Running says for each of a row's first `count` lanes whether it runs. Compilers keep that as a
/// mask from one loop over the lanes to the next, and make no vector of the bits each time.
template <unsigned count> class Running {
public:
  __attribute__((always_inline)) explicit Running(Lanes lanes) {
    typedef unsigned Values __attribute__((ext_vector_type(count)));
    typedef bool Bits __attribute__((ext_vector_type(count)));
    const unsigned bits = lanes.bits();
    Bits set;
    std::memcpy(&set, &bits, (count + 7) / 8);
#if defined(CU2CPP_LANE_SETS)
    const Values all = -__builtin_convertvector(set, Values);
#else
    const Values all = __builtin_convertvector(set, Values);
#endif
    std::memcpy(values_, &all, sizeof all);
  }
#if defined(CU2CPP_LANE_SETS)
  template <unsigned lanes>
  __attribute__((always_inline)) explicit Running(const LaneSet<lanes>& set) {
    static_assert(lanes == count, "a set of other lanes");
    std::memcpy(values_, &set.words(), sizeof values_);
  }
  bool has(unsigned lane) const { return int(values_[lane]) < 0; }
#else
  bool has(unsigned lane) const { return values_[lane] != 0; }
#endif

private:
  alignas(64) unsigned values_[count];
};
template <class OneWarp> constexpr bool isRowOfRunning() {
  if constexpr (isWholeRow<OneWarp> || isRowPair<OneWarp>)
    return true;
  else if constexpr (isNarrowRow<OneWarp>) // others' width may be no constant
    return OneWarp::width == 8 || OneWarp::width == 16;
  else
    return false;
}
template <class OneWarp> inline constexpr bool hasRunning = isRowOfRunning<OneWarp>();

/// The same of a pair of rows: each is asked by itself.
class RunningPair {
public:
  __attribute__((always_inline)) explicit RunningPair(Lanes lanes)
      : rows_{Running<16>(lanes), Running<16>(Lanes(lanes.bits() >> 16))} {}
  bool has(unsigned lane) const { return rows_[lane / 16].has(lane % 16); }

private:
  Running<16> rows_[2];
};
#else
using RunningPair = Lanes;
template <unsigned> using Running = Lanes;
template <class> inline constexpr bool hasRunning = false;
#endif

/// runningLanes() is the set of lanes in the form in which loops over a warp's lanes ask for them.
template <class OneWarp, class Set>
__attribute__((always_inline)) inline auto runningLanes(const Set lanes) {
  if constexpr (isRowPair<OneWarp>)
    return RunningPair(lanes);
  else if constexpr (hasRunning<OneWarp>)
    return Running<OneWarp::width>(lanes);
  else
    return lanes;
}

#if defined(CU2CPP_LANE_SETS)
/// The first vectors of 8 lanes of a row.
template <unsigned vectors, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfFirst(const OneWarp& warp, Visit&& visit) {
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  CU2CPP_EACH_OF_PART
  for (unsigned lane = 0; lane < vectors * 8; ++lane)
    visit(Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
}
#endif

#if defined(CU2CPP_LANE_SETS)
/// Eight lanes that run, and eight that do not: from 8 - n on, those of a vector whose first n do.
alignas(64) inline constexpr int firstOfVector[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

/// The first `count` lanes of a row, vector by vector of 8: visit(lane, true) for those that are
/// full, and visit(lane, runs) for the last one. Nothing is asked where all lanes of a vector run,
/// and nothing is done where none does.
template <unsigned at = 0, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfPrefix(const OneWarp& warp, unsigned count,
                                                        Visit&& visit) {
  constexpr unsigned vector = 8;
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  if (count >= at + vector) {
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane}, true);
    if constexpr (at + vector < OneWarp::width)
      eachOfPrefix<at + vector>(warp, count, visit);
  } else if (count > at) {
    const int* const runs = firstOfVector + (at + vector - count);
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane},
          runs[lane - at] < 0);
  }
}

/// A row vector by vector of 8: visit(isInside, lane), where isInside is as in eachLaneInside(),
/// for the vector.
template <unsigned at = 0, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfRange(const OneWarp& warp, const Inside& range,
                                                       Visit&& visit) {
  constexpr unsigned vector = 8;
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  const auto run = [&](const auto isInside) CU2CPP_INLINE {
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          isInside, Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  };
  const unsigned from = first.x + at, to = from + vector;
  if (range.begin() <= from && range.end() >= to)
    run(std::true_type());
  else if (range.hasOneCondition() && !range.restAsks() &&
           (range.begin() >= to || range.end() <= from))
    run(Outside());
  else
    run(std::false_type());
  if constexpr (at + vector < OneWarp::width)
    eachOfRange<at + vector>(warp, range, visit);
}
#endif

#if defined(CU2CPP_LANE_SETS)
/// A row vector by vector of 8: visit(lane, true) for those of which all lanes are in the set, and
/// visit(lane, runs) for those of which some are.
template <unsigned at = 0, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfVectors(const OneWarp& warp, const unsigned bits,
                                                         Visit&& visit) {
  constexpr unsigned vector = 8;
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank, here = bits >> at & 0xff;
  assumeRow(warp);
  if (here == 0xff) {
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane}, true);
  } else if (here != 0) {
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = at; lane < at + vector; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane},
          (here >> (lane - at) & 1) != 0);
  }
  if constexpr (at + vector < OneWarp::width)
    eachOfVectors<at + vector>(warp, bits, visit);
}
#endif

/// A pair of rows, one after the other.
template <class Visit>
__attribute__((always_inline)) inline void eachOfPair(const RowPair& pair, Visit&& visit) {
  const unsigned y = pair.first.y, z = pair.first.z, rank = pair.rank;
  const Block* const block = pair.block;
  CU2CPP_EACH_OF_HALF
  for (unsigned x = 0; x < 16; ++x)
    visit(Lane{{::uint3{x, y, z}, block, rank + x}, x});
  CU2CPP_EACH_OF_HALF
  for (unsigned x = 0; x < 16; ++x)
    visit(Lane{{::uint3{x, y + 1, z}, block, rank + 16 + x}, 16 + x});
}

/// A part of a row that is shorter than a warp. Compilers would write out so short a loop before
/// they think of vectors.
template <bool whole = true, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfNarrow(const OneWarp& warp, Visit&& visit) {
  if constexpr (isRowPair<OneWarp>)
    return eachOfPair(warp, visit);
#if defined(CU2CPP_LANE_SETS)
  // One or two vectors of 8: no loop is left, and what lanes keep stays in registers.
  if constexpr (hasRunning<OneWarp>)
    return eachOfFirst<OneWarp::width / 8>(warp, visit);
#endif
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank, width = warp.width;
  assumeRow(warp);
#if defined(__clang__) && defined(__AVX512F__)
  // One vector: sets of lanes are stored and loaded in one piece, whatever the widest type is.
  if constexpr (whole && std::is_same<OneWarp, RowWarp<16>>::value) {
    CU2CPP_EACH_OF_HALF
    for (unsigned lane = 0; lane < 16; ++lane)
      visit(Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
    return;
  }
#endif
  CU2CPP_EACH_LANE
  for (unsigned lane = 0; lane < width; ++lane)
    visit(Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
}

/// The loop over the lanes of a warp that is a row: visit(lane) for all of them.
template <bool whole, class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfRow(const OneWarp& warp, Visit&& visit) {
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  constexpr unsigned width = OneWarp::width;
  if constexpr (!whole) {
    CU2CPP_EACH_IN_PARTS
    for (unsigned lane = 0; lane < width; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  } else if constexpr (width == warpLanes) {
    CU2CPP_EACH_OF_WARP
    for (unsigned lane = 0; lane < width; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  } else if constexpr (width == warpLanes / 2) {
    CU2CPP_EACH_OF_HALF
    for (unsigned lane = 0; lane < width; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  } else if constexpr (width == warpLanes / 4) {
    CU2CPP_EACH_OF_QUARTER
    for (unsigned lane = 0; lane < width; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  } else {
    CU2CPP_EACH_OF_EIGHTH
    for (unsigned lane = 0; lane < width; ++lane)
      CU2CPP_IN_LOOP visit(
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
  }
}

/// The same in parts, up to the last of some lanes and no further than a vector of 8 goes: short
/// rows end somewhere, and mathematical functions take their time where no lane runs, too.
template <class OneWarp, class Visit>
__attribute__((always_inline)) inline void eachOfRowUpTo(const OneWarp& warp, const Lanes lanes,
                                                         Visit&& visit) {
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank;
  assumeRow(warp);
  constexpr unsigned vector = 8;
  const unsigned end = lanes.any() ? warpLanes - unsigned(__builtin_clz(lanes.bits())) : 0;
  CU2CPP_EACH_IN_PARTS
  for (unsigned lane = 0; lane < (end + vector - 1) / vector * vector; ++lane)
    CU2CPP_IN_LOOP visit(
        Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
}

/// The loop over the lanes of a warp that is several rows.
template <unsigned rowLength, class Visit>
__attribute__((always_inline)) inline void eachOfRows(const RowsWarp<rowLength>& warp,
                                                      Visit&& visit) {
  const unsigned y = warp.first.y, z = warp.first.z, rank = warp.rank;
  const Block* const block = warp.block;
  CU2CPP_EACH_OF_WARP
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    CU2CPP_IN_LOOP visit(
        Lane{{::uint3{lane % rowLength, y + lane / rowLength, z}, block, rank + lane}, lane});
}

/// The lanes of any warp, one after the other.
template <class OneWarp, class Body>
__attribute__((always_inline)) inline void eachOneByOne(const OneWarp& warp, const Lanes lanes,
                                                        const Body& body) {
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    body(Lane{{warp.threadOf(lane), warp.block, warp.rank + lane}, lane});
  }
}

/// TileCopy is a copy of what the lanes of a tile keep, and of no more: a load of a whole warp's
/// values would wait for the store of a tile's.
template <unsigned lanes, class Type> class TileCopy {
public:
  __attribute__((always_inline)) explicit TileCopy(const PerLane<Type>& all) {
    std::memcpy(static_cast<void*>(values_), all.values(), sizeof values_);
  }
  __attribute__((always_inline)) void store(PerLane<Type>& all) const {
    std::memcpy(static_cast<void*>(all.values()), values_, sizeof values_);
  }
  ~TileCopy() {}
  Type& operator[](const Lane& lane) { return values_[lane.lane]; }

private:
  union {
    alignas(sizeof(Type) % 2 == 0 ? 64 : 32) Type values_[lanes];
  };
};

template <class Body, class... Type>
__attribute__((always_inline)) inline void runKeeping(bool runs, const Lane& lane, Body& body,
                                                      Type&... kept) {
  [&](Type... values) CU2CPP_INLINE {
    if (runs)
      CU2CPP_IN_LOOP body(lane, values...);
    ((kept = values), ...);
  }(kept...);
}

} // namespace detail

/// eachLane() runs body(lane) for the given lanes of a warp, in ascending order; `whole`: as one
/// vector, where lanes are neighbours.
template <bool whole = true, class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline void eachLane(const OneWarp& warp, const Set lanes,
                                                    Body&& body) {
  using namespace detail;
  const auto running = runningLanes<OneWarp>(lanes);
  const auto ofSome = [&](const Lane lane) CU2CPP_INLINE {
    if (running.has(lane.lane))
      CU2CPP_IN_LOOP body(lane);
  };
  if constexpr (isOtherWarp<OneWarp>) {
    eachOneByOne(warp, lanes, body);
  } else if constexpr (isOfRows<OneWarp>) {
    if (lanes.all())
      eachOfRows(warp, body);
    else
      eachOneByOne(warp, lanes, body);
  } else if constexpr (isNarrowRow<OneWarp>) {
    // Stores under a mask are dear, and what they store has to arrive before it is loaded again.
    if constexpr (hasRunning<OneWarp>)
      if (warp.isWhole(lanes))
        return eachOfNarrow<whole>(warp, body);
    eachOfNarrow<whole>(warp, ofSome);
  } else if constexpr (isWholeRow<OneWarp>) {
    if (warp.isWhole(lanes))
      eachOfRow<whole>(warp, body);
    else
      eachOfRow<whole>(warp, ofSome);
  } else if (warp.width < warpLanes) {
    eachOfNarrow(warp, ofSome);
  } else if (warp.isRow) {
    eachLane<whole>(static_cast<const RowWarp<warpLanes>&>(warp), lanes, body);
  } else {
    eachOneByOne(warp, lanes, body);
  }
}

/// eachLaneWithin() is eachThreadWithin() for lanes: bounds(threadIdx) is the range in the row of
/// the block that begins with that thread, or an Inside for all rows. What is one value for all
/// lanes is loaded once, and not under each lane's condition.
template <class OneWarp, class Bounds, class Body>
__attribute__((always_inline)) inline void eachLaneWithin(const OneWarp& warp, const Lanes lanes,
                                                          Bounds&& bounds, Body&& body) {
  using namespace detail;
  if constexpr (isWholeRow<OneWarp>) {
    const ::uint3 first = warp.first;
    const Inside range = rangeOfRow(bounds, first.y, first.z);
    if (warp.isWhole(lanes) && range.isKnown()) {
      assumeRow(warp);
      const Block* const block = warp.block;
      const unsigned rank = warp.rank;
      const auto laneAt = [&](unsigned x) { return x < first.x ? 0 : x - first.x; };
      const std::size_t begin = laneAt(range.begin()), end = laneAt(range.end()) < OneWarp::width
                                                                 ? laneAt(range.end())
                                                                 : OneWarp::width;
      CU2CPP_EACH_OF_RANGE
      for (std::size_t at = begin; at < end; ++at) {
        const unsigned lane = unsigned(at);
        body(std::true_type(),
             Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
      }
      return;
    }
  }
  eachLane(warp, lanes, [&](const Lane lane) CU2CPP_INLINE { body(std::false_type(), lane); });
}

/// eachLane() with values that lanes keep: body(lane, value...) changes copies of them, which are
/// stored in lanes that do not run too. So they are whole vectors, which live in registers.
template <bool whole = true, class OneWarp, class Set, class Body, class First, class... More>
__attribute__((always_inline)) inline void eachLane(const OneWarp& warp, const Set lanes,
                                                    Body&& body, PerLane<First>& first,
                                                    PerLane<More>&... more) {
  using namespace detail;
  const auto running = runningLanes<OneWarp>(lanes);
  const auto direct = [&](const Lane lane) CU2CPP_INLINE {
    runKeeping(true, lane, body, first[lane], more[lane]...);
  };
  const auto onSome = [&](const Lane lane) CU2CPP_INLINE {
    runKeeping(running.has(lane.lane), lane, body, first[lane], more[lane]...);
  };
  if constexpr (isOtherWarp<OneWarp>) {
    eachOneByOne(warp, lanes, direct);
  } else if constexpr (isOfRows<OneWarp>) {
    if (lanes.all())
      eachOfRows(warp, direct);
    else
      eachOneByOne(warp, lanes, direct);
  } else if constexpr (isNarrowRow<OneWarp>) {
    eachOfNarrow<whole>(warp, onSome);
  } else if constexpr (isWholeRow<OneWarp>) {
    if (warp.isWhole(lanes))
      return eachOfRow<whole>(warp, direct);
    if constexpr (isLaneTile<OneWarp>)
      return [&](TileCopy<OneWarp::width, First> copy, TileCopy<OneWarp::width, More>... copies)
                 CU2CPP_INLINE {
                   eachOfRow<whole>(warp, [&](const Lane lane) CU2CPP_INLINE {
                     runKeeping(running.has(lane.lane), lane, body, copy[lane], copies[lane]...);
                   });
                   copy.store(first);
                   (copies.store(more), ...);
                 }(TileCopy<OneWarp::width, First>(first), TileCopy<OneWarp::width, More>(more)...);
    // On copies: should a compiler keep a version of this loop for one lane at a time, then only
    // those must lie in memory.
    [&](PerLane<First> copy, PerLane<More>... copies) CU2CPP_INLINE {
      const auto visit = [&](const Lane lane) CU2CPP_INLINE {
        runKeeping(running.has(lane.lane), lane, body, copy[lane], copies[lane]...);
      };
#if defined(CU2CPP_LANE_SETS)
      const auto visitPrefix = [&](const Lane lane, bool runs) CU2CPP_INLINE {
        runKeeping(runs, lane, body, copy[lane], copies[lane]...);
      };
      // Short rows end here, and what is left of long ones. Vectors of which no lane runs would
      // take as long as others, and masked gathers take longer than loads of all lanes.
      if constexpr (whole && isFullRow<OneWarp>) {
        const unsigned bits = lanes.bits();
        if ((bits & (bits + 1)) == 0)
          eachOfPrefix(warp, unsigned(__builtin_popcount(bits)), visitPrefix);
        else
          eachOfRow<whole>(warp, visit);
      } else
#endif
        if constexpr (!whole && isFullRow<OneWarp>)
        eachOfRowUpTo(warp, lanes, visit);
      else
        eachOfRow<whole>(warp, visit);
      first = copy;
      ((more = copies), ...);
    }(first, more...);
  } else if (warp.width < warpLanes) {
    eachOfNarrow(warp, onSome);
  } else if (warp.isRow) {
    eachLane<whole>(static_cast<const RowWarp<warpLanes>&>(warp), lanes, body, first, more...);
  } else {
    eachOneByOne(warp, lanes, direct);
  }
}

/// eachLaneEvenPastExits() is eachLane() for bodies that do no harm in lanes which have left, as
/// nobody reads there what they make of the values: nothing has to be chosen.
template <class OneWarp, class Set, class Body, class... Type>
__attribute__((always_inline)) inline void
eachLaneEvenPastExits(const OneWarp& warp, const Set lanes, Body&& body, PerLane<Type>&... kept) {
  using namespace detail;
  const auto direct = [&](const Lane lane)
                          CU2CPP_INLINE { runKeeping(true, lane, body, kept[lane]...); };
  if constexpr (isNarrowRow<OneWarp>)
    eachOfNarrow(warp, direct);
  else if constexpr (isWholeRow<OneWarp>)
    eachOfRow<true>(warp, direct);
  else
    eachLane(warp, lanes, body, kept...);
}

/// eachLaneInside() is eachThreadInside() for lanes: body(isInside, lane, value...), where isInside
/// is std::true_type if bounds(threadIdx), the range in the row of the block that begins with that
/// thread (or an Inside for all rows), has all lanes of the warp, and Outside if a condition fails
/// in all of them: what they would load where it holds, mostly what the first warp gathers, is
/// left alone. Structures that some lanes load or store are taken one by one, where all lanes' are
/// in vectors: also where masks are cheap.
template <class OneWarp, class Set, class Bounds, class Body, class... Type>
__attribute__((always_inline)) inline void eachLaneInside(const OneWarp& warp, const Set lanes,
                                                          Bounds&& bounds, Body&& body,
                                                          PerLane<Type>&... kept) {
  using namespace detail;
  const auto run = [&](const auto isInside) CU2CPP_INLINE {
    eachLane(
        warp, lanes,
        [&](const Lane lane, Type&... values) CU2CPP_INLINE { body(isInside, lane, values...); },
        kept...);
  };
  if constexpr (isWholeRow<OneWarp>) {
    const ::uint3 first = warp.first;
    const unsigned end = first.x + OneWarp::width;
    const Inside range = rangeOfRow(bounds, first.y, first.z);
    if (range.begin() <= first.x && range.end() >= end)
      return run(std::true_type());
    if (range.hasOneCondition() && (range.begin() >= end || range.end() <= first.x))
      return run(Outside());
  }
  run(std::false_type());
}

/// eachLaneInsideByVectors() is eachLaneInside() for bodies that only change values which they are
/// given, or memory. With AVX2 each vector of 8 lanes is asked by itself whether it lies in the
/// range: masks are dear there, and so are gathers under them.
template <class OneWarp, class Set, class Bounds, class Body, class... Type>
__attribute__((always_inline)) inline void
eachLaneInsideByVectors(const OneWarp& warp, const Set lanes, Bounds&& bounds, Body&& body,
                        PerLane<Type>&... kept) {
#if defined(CU2CPP_LANE_SETS)
  using namespace detail;
  if constexpr (isFullRow<OneWarp>)
    if (warp.isWhole(lanes))
      return eachOfRange(warp, rangeOfRow(bounds, warp.first.y, warp.first.z),
                         [&](const auto isInside, const Lane lane) CU2CPP_INLINE {
                           const auto one = [&](const Lane at, Type&... values)
                                                CU2CPP_INLINE { body(isInside, at, values...); };
                           runKeeping(true, lane, one, kept[lane]...);
                         });
#endif
  eachLaneInside(warp, lanes, bounds, body, kept...);
}

/// eachLaneByVectors() is eachLane() for bodies that change memory by rows, under a condition on
/// the lanes. With AVX2 vectors without a lane that runs are left out: each would load and store
/// all the same, and what it stores may be what the row behind begins with, which would wait for
/// it.
template <class OneWarp, class Set, class Body>
__attribute__((always_inline)) inline void eachLaneByVectors(const OneWarp& warp, const Set lanes,
                                                             Body&& body) {
#if defined(CU2CPP_LANE_SETS)
  using namespace detail;
  if constexpr (isFullRow<OneWarp>)
    if (!warp.isWhole(lanes))
      return eachOfVectors(warp, lanes.bits(), [&](const Lane lane, bool runs) CU2CPP_INLINE {
        if (runs)
          CU2CPP_IN_LOOP body(lane);
      });
#endif
  eachLane(warp, lanes, body);
}

namespace detail {
/// One value in the place of what each lane keeps.
template <class Value> struct AlikeValue {
  const Value value;
  const Value& operator[](const Lane&) const { return value; }
};
} // namespace detail

/// eachAlike() is body(kept) for a body that runs the lanes and only reads what they keep of that
/// variable: where all lanes have the same, the body's text stands for one value.
template <class OneWarp, class Set, class Value, class Body>
__attribute__((always_inline)) inline void eachAlike(const OneWarp& warp, const Set lanes,
                                                     const PerLane<Value>& kept, Body&& body) {
  static_assert(std::is_integral<Value>::value, "compared bit by bit");
  if constexpr (detail::isFullRow<OneWarp>)
    if (warp.isWhole(lanes)) {
      const Value value = kept.at(0);
      Value differ = 0;
      CU2CPP_EACH_OF_WARP
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        differ |= kept.at(lane) ^ value;
      if (differ == 0)
        return body(detail::AlikeValue<Value>{value});
    }
  body(kept);
}

/// eachLaneInParts() is eachLane() for bodies that call mathematical functions, whose versions for
/// several lanes are not as wide as a warp.
template <class OneWarp, class Set, class Body, class... Type>
__attribute__((always_inline)) inline void eachLaneInParts(const OneWarp& warp, const Set lanes,
                                                           Body&& body, PerLane<Type>&... kept) {
  eachLane<false>(warp, lanes, body, kept...);
}

/// eachLaneOfStructures() is eachLane() for bodies that load or store structures. With AVX-512
/// compilers gather their parts for 32 lanes at once and shuffle them for fewer; with AVX2 they
/// shuffle in both cases, and better if they see the whole row.
template <class OneWarp, class Set, class Body, class... Type>
__attribute__((always_inline)) inline void
eachLaneOfStructures(const OneWarp& warp, const Set lanes, Body&& body, PerLane<Type>&... kept) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  eachLane(warp, lanes, body, kept...);
#else
  eachLane<false>(warp, lanes, body, kept...);
#endif
}

/// eachLaneBelow() is eachLane() for bodies that do nothing in lanes from `bound` on.
template <class OneWarp, class Bound, class Body>
__attribute__((always_inline)) inline void eachLaneBelow(const OneWarp& warp, const Lanes lanes,
                                                         Bound bound, Body&& body) {
  if (!warp.isRow)
    return detail::eachOneByOne(warp, lanes, body);
  const ::uint3 first = warp.first;
  detail::assumeRow(warp);
  // One lane for all: no loop, that what lanes keep may stay in registers.
  if (__builtin_constant_p(bound) && bound == 1) {
    if (lanes.has(0))
      body(Lane{{first, warp.block, warp.rank}, 0});
    return;
  }
  const unsigned end = detail::countBelow(bound, warp.width);
  for (unsigned lane = 0; lane < end; ++lane)
    if (lanes.has(lane))
      body(Lane{{::uint3{first.x + lane, first.y, first.z}, warp.block, warp.rank + lane}, lane});
}

/// eachLaneAt() is eachLane() for bodies that do nothing in lanes other than that of the thread
/// whose threadIdx.x is `at`.
template <class OneWarp, class Set, class Place, class Body>
__attribute__((always_inline)) inline void eachLaneAt(const OneWarp& warp, const Set lanes,
                                                      const Place at, Body&& body) {
  if constexpr (detail::isWholeRow<OneWarp>) {
    const ::uint3 first = warp.first;
    detail::assumeRow(warp);
    const auto only = [&](unsigned lane) CU2CPP_INLINE {
      if (lanes.has(lane))
        body(Lane{{::uint3{first.x + lane, first.y, first.z}, warp.block, warp.rank + lane}, lane});
    };
    // What lanes keep may stay in registers.
    if (__builtin_constant_p(at) && at == 0) {
      if (first.x == 0)
        only(0);
      return;
    }
    const auto lane = static_cast<unsigned long long>(at) - first.x;
    if (lane < OneWarp::width)
      only(unsigned(lane));
  } else {
    eachLane(warp, lanes, body);
  }
}

namespace detail {

/// Stores what one lane keeps as a line of the cache, together with what its neighbours do: loads
/// of their vectors would wait for the store of a single value.
template <class OneWarp, class Type>
__attribute__((always_inline)) inline void storeInLine(PerLane<Type>& kept, unsigned lane,
                                                       const Type& value) {
  constexpr std::size_t line = 64;
  if constexpr (isFullRow<OneWarp> && std::is_arithmetic<Type>::value &&
                !std::is_same<Type, bool>::value && (sizeof(Type) == 4 || sizeof(Type) == 8)) {
    constexpr unsigned count = line / sizeof(Type);
    Type* const values = &kept.at(lane / count * count);
    const unsigned place = lane % count;
    CU2CPP_EACH_OF_LINE
    for (unsigned at = 0; at < count; ++at)
      values[at] = at == place ? value : values[at];
  } else {
    kept.at(lane) = value;
  }
}

/// Runs one lane by itself, on copies of what it keeps.
template <class OneWarp, class Body, class... Type>
__attribute__((always_inline)) inline void runOneLane(const OneWarp& warp, unsigned lane,
                                                      Body&& body, PerLane<Type>&... kept) {
  const ::uint3 first = warp.first;
  [&](Type... values) CU2CPP_INLINE {
    body(Lane{{::uint3{first.x + lane, first.y, first.z}, warp.block, warp.rank + lane}, lane},
         values...);
    (storeInLine<OneWarp>(kept, lane, values), ...);
  }(kept.at(lane)...);
}

} // namespace detail

/// The same with values that lanes keep.
template <class OneWarp, class Set, class Place, class Body, class First, class... More>
__attribute__((always_inline)) inline void
eachLaneAt(const OneWarp& warp, const Set lanes, const Place at, Body&& body, PerLane<First>& first,
           PerLane<More>&... more) {
  if constexpr (detail::isWholeRow<OneWarp>) {
    const ::uint3 place = warp.first;
    detail::assumeRow(warp);
    const auto distance = static_cast<unsigned long long>(at) - place.x;
    if (distance >= OneWarp::width)
      return;
    const auto lane = static_cast<unsigned>(distance);
    if (lanes.has(lane))
      detail::runOneLane(warp, lane, body, first, more...);
  } else {
    eachLane(warp, lanes, body, first, more...);
  }
}

/// eachLaneBelow() with values that lanes keep, for one lane.
template <class OneWarp, class Bound, class Body, class First, class... More>
__attribute__((always_inline)) inline void eachLaneBelow(const OneWarp& warp, const Lanes lanes,
                                                         Bound bound, Body&& body,
                                                         PerLane<First>& first,
                                                         PerLane<More>&... more) {
  if constexpr (detail::isFullRow<OneWarp>) {
    detail::assumeRow(warp);
    if (__builtin_constant_p(bound) && bound == 1) {
      if (lanes.has(0))
        detail::runOneLane(warp, 0, body, first, more...);
      return;
    }
  }
  eachLane(warp, lanes, body, first, more...);
}

namespace detail {

/// What place(lane), a sum of multiples of threadIdx's parts, is in a warp's first lane, and whether
/// it counts the block's threads from there on.
struct FirstPlace {
  bool counts;
  unsigned number;
};
template <class OneWarp, class Place>
__attribute__((always_inline)) inline FirstPlace firstPlace(const OneWarp& warp, Place&& place) {
  constexpr unsigned length = rowLengthOf<OneWarp>;
  constexpr unsigned most = 1u << 20;
  assumeRow(warp);
  const auto placeOf = [&](unsigned lane) CU2CPP_INLINE {
    const ::uint3 thread{warp.first.x + lane % length, warp.first.y + lane / length, warp.first.z};
    return place(Lane{{thread, warp.block, warp.rank + lane}, lane});
  };
  const auto first = placeOf(0);
  using Value = std::decay_t<decltype(first)>;
  return {first >= 0 && first <= Value(most) && first % Value(warpLanes) == 0 &&
              placeOf(length - 1) - first == Value(length - 1) &&
              (length == warpLanes || placeOf(length) - first == Value(length)),
          static_cast<unsigned>(first)};
}

} // namespace detail

/// eachLaneOfRank() is eachLane() for bodies that do nothing in lanes other than that of the
/// block's first thread, where place(lane), a sum of multiples of threadIdx's parts, is 0.
template <class OneWarp, class Set, class Place, class Body>
__attribute__((always_inline)) inline void eachLaneOfRank(const OneWarp& warp, const Set lanes,
                                                          Place&& place, const int, Body&& body) {
  if constexpr (detail::isFullRow<OneWarp> || detail::isOfRows<OneWarp>) {
    if (const auto first = detail::firstPlace(warp, place); first.counts) {
      if (first.number == 0 && lanes.has(0))
        body(Lane{{warp.first, warp.block, warp.rank}, 0});
      return;
    }
  }
  eachLane(warp, lanes, body);
}

/// eachLanePublished() is eachLane() for bodies that reach functions which ask for thisThread().
template <class Body>
inline void eachLanePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  Lane lane{{{}, warp.block, 0}, 0};
  detail::context.thread = &lane;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    lane.lane = unsigned(__builtin_ctz(left));
    lane.index = warp.rank + lane.lane;
    lane.threadIdx = warp.threadOf(lane.lane);
    body(static_cast<const Lane&>(lane));
  }
  detail::context.thread = nullptr;
}

namespace detail {

/// The warp whose first thread is `first`, number `rank` of the block: a full row, or a tile.
template <class Row = RowWarp<warpLanes>>
inline Row rowWarp(const Block& block, unsigned rank, const ::uint3& first) {
  Row warp;
  warp.block = &block;
  warp.index = rank / Row::width;
  warp.rank = rank;
  warp.first = first;
  return warp;
}

/// Likewise a warp whose lanes run one after the other.
inline OtherWarp otherWarp(const Block& block, unsigned rank) {
  const ::dim3 size = block.blockDim;
  OtherWarp warp;
  warp.block = &block;
  warp.index = rank / warpLanes;
  warp.rank = rank;
  warp.first = ::uint3{rank % size.x, rank / size.x % size.y, rank / size.x / size.y};
  return warp;
}

/// And one of several whole rows.
template <unsigned rowLength>
inline RowsWarp<rowLength> rowsWarp(const Block& block, unsigned rank) {
  const ::dim3 size = block.blockDim;
  RowsWarp<rowLength> warp;
  warp.block = &block;
  warp.index = rank / warpLanes;
  warp.rank = rank;
  warp.first = ::uint3{0, rank / size.x % size.y, rank / size.x / size.y};
  return warp;
}

/// The place where the warp after that one begins, or the tile of so many lanes.
inline ::uint3 nextRow(::uint3 first, const ::dim3& size, unsigned lanes = warpLanes) {
  first.x += lanes;
  if (first.x == size.x) {
    first.x = 0;
    if (++first.y == size.y) {
      first.y = 0;
      ++first.z;
    }
  }
  return first;
}

inline Lanes withoutExited(Lanes lanes, unsigned rank, const Exited& exited) {
  unsigned gone = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    gone |= unsigned(lanes.has(lane) && exited.has(rank + lane)) << lane;
  return lanes - Lanes(gone);
}

/// The first `count` threads from `rank` on, but for those that have exited.
__attribute__((always_inline)) inline Lanes lanesLeft(unsigned rank, unsigned count,
                                                      const Exited& exited) {
  const Lanes lanes(count < warpLanes ? (1u << count) - 1 : ~0u);
  return exited.any() ? withoutExited(lanes, rank, exited) : lanes;
}

/// eachWarp() where some threads may have exited. The body stands here twice: for full rows of
/// threads compilers then know that no lane is missing. Other warps, and the end of a block that is
/// none, run lane after lane: to make vectors of those too would cost compilers as much time again.
/// So do all warps of `onlyWholeRows` in blocks whose rows are no whole warps.
template <bool onlyWholeRows = false, class Body>
__attribute__((always_inline)) inline void eachWarpOf(const Block& block, const Exited& exited,
                                                      Body&& body) {
  const ::dim3 size = block.blockDim;
  const unsigned threads = block.threadCount();
  unsigned rank = 0;
  if (size.x % warpLanes == 0 || (!onlyWholeRows && size.y == 1 && size.z == 1))
    for (::uint3 first{}; rank + warpLanes <= threads;
         rank += warpLanes, first = detail::nextRow(first, size)) {
      const Lanes lanes = detail::lanesLeft(rank, warpLanes, exited);
      if (lanes.any())
        body(detail::rowWarp(block, rank, first), lanes);
    }
  for (; rank < threads; rank += warpLanes) {
    const Lanes lanes = detail::lanesLeft(rank, threads - rank, exited);
    if (lanes.any())
      body(detail::otherWarp(block, rank), lanes);
  }
}
template <bool onlyWholeRows = false, class Body>
__attribute__((always_inline)) inline void eachWarpOf(const RareBlock& block, const Exited& exited,
                                                      Body&& body) {
  const unsigned threads = block.threadCount();
  for (unsigned rank = 0; rank < threads; rank += warpLanes) {
    const Lanes lanes = detail::lanesLeft(rank, threads - rank, exited);
    if (lanes.any())
      body(detail::otherWarp(block, rank), lanes);
  }
}
/// In blocks that are certain to consist of full rows the body stands once.
template <bool onlyWholeRows = false, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void
eachWarpOf(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const Exited& exited, Body&& body) {
  if constexpr (SizeX % warpLanes == 0) {
    ::uint3 first{};
    for (unsigned rank = 0; rank < SizeX * SizeY * SizeZ; rank += warpLanes) {
      const Lanes lanes = detail::lanesLeft(rank, warpLanes, exited);
      if (lanes.any())
        body(detail::rowWarp(block, rank, first), lanes);
      first = detail::nextRow(first, ::dim3{SizeX, SizeY, SizeZ});
      if constexpr (SizeX == warpLanes)
        first.x = 0; // as it is: compilers don't see it
    }
  } else if constexpr ((SizeX == 8 || SizeX == 16) && SizeY % (warpLanes / SizeX) == 0) {
    for (unsigned rank = 0; rank < SizeX * SizeY * SizeZ; rank += warpLanes) {
      const Lanes lanes = detail::lanesLeft(rank, warpLanes, exited);
      if (lanes.any())
        body(detail::rowsWarp<SizeX>(block, rank), lanes);
    }
  } else {
    eachWarpOf<onlyWholeRows>(static_cast<const Block&>(block), exited, body);
  }
}

} // namespace detail

/// eachWarp() runs body(warp, lanes) for the warps of a block; lanes are the threads that exist and
/// have not exited. Mostly all of a warp have exited or none, so bodies for warps of full rows
/// stand twice where threads exit: of a whole warp no loop asks which lanes run.
template <bool onlyWholeRows = false, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarp(const OneBlock& block, const Exited& exited,
                                                    Body&& body) {
  detail::eachWarpOf<onlyWholeRows>(
      block, exited, [&](const auto& warp, const Lanes lanes) CU2CPP_INLINE {
        if constexpr (!detail::isOtherWarp<std::decay_t<decltype(warp)>>)
          if (lanes.all())
            return body(warp, Lanes(~0u));
        body(warp, lanes);
      });
}
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarp(const OneBlock& block, Body&& body) {
  detail::eachWarpOf(block, noneExited, body);
}

/// eachWarpAlike() is eachWarp() for bodies that do the same for each warp and change nothing but
/// what threads keep: `each`, of which they read nothing older. The first warp does it for all.
template <class OneBlock, class Body, class... Element>
__attribute__((always_inline)) inline void eachWarpAlike(const OneBlock& block, Body&& body,
                                                         PerThread<Element>&...) {
  eachWarp(block, body);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body, class... Element>
__attribute__((always_inline)) inline void
eachWarpAlike(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Body&& body,
              PerThread<Element>&... each) {
  if constexpr (SizeX % warpLanes == 0) {
    body(detail::rowWarp(block, 0, ::uint3{}), Lanes(~0u));
    for (unsigned rank = warpLanes; rank < SizeX * SizeY * SizeZ; rank += warpLanes)
      (std::memcpy(&each.at(rank), &each.at(0), warpLanes * sizeof(Element)), ...);
  } else {
    eachWarp(block, body);
  }
}

/// eachWarpOfWholeRows() is eachWarp() for kernels that take lanes of the grid for those of a warp,
/// `(blockIdx.x * blockDim.x + threadIdx.x) % 32`: those are neighbours only in blocks of whole
/// warps.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpOfWholeRows(const OneBlock& block,
                                                               const Exited& exited, Body&& body) {
  eachWarp<true>(block, exited, body);
}
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpOfWholeRows(const OneBlock& block, Body&& body) {
  detail::eachWarpOf<true>(block, noneExited, body);
}

/// eachWarpOrThread() is eachWarp() for bodies in which lanes do not meet and that ask for what is
/// one value for a warp in blocks of whole warps only, `(blockIdx.x * blockDim.x + threadIdx.x) /
/// 32`. In other blocks each thread runs by itself. `inLines`: in blocks of one row it is one value
/// too, `threadIdx.x / 32`.
template <bool inLines, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpOrThread(const OneBlock& block,
                                                            const Exited& exited, Body&& body) {
  const ::dim3 size = block.blockDim;
  const bool agree = size.x % warpLanes == 0 || (inLines && size.y == 1 && size.z == 1);
  eachWarp<!inLines>(block, exited, [&](const auto& warp, const Lanes lanes) CU2CPP_INLINE {
    if constexpr (detail::isOtherWarp<std::decay_t<decltype(warp)>>) {
      for (unsigned left = lanes.bits(); left != 0;) {
        const unsigned together = agree ? left : left & -left;
        body(warp, Lanes(together));
        left &= ~together;
      }
    } else {
      body(warp, lanes);
    }
  });
}
template <bool inLines, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpOrThread(const OneBlock& block, Body&& body) {
  eachWarpOrThread<inLines>(block, noneExited, body);
}

namespace detail {

template <unsigned lanes, class Body>
__attribute__((always_inline)) inline void eachTileOf(const Block& block, const Exited& exited,
                                                      Body&& body) {
  const ::dim3 size = block.blockDim;
  const unsigned threads = block.threadCount();
  unsigned rank = 0;
  if (size.x % lanes == 0)
    for (::uint3 first{}; rank + lanes <= threads;
         rank += lanes, first = nextRow(first, size, lanes)) {
      const Lanes left = lanesLeft(rank, lanes, exited);
      if (left.any())
        body(rowWarp<LaneTile<lanes>>(block, rank, first), left);
    }
  for (; rank < threads; rank += lanes) {
    const Lanes left = lanesLeft(rank, threads - rank < lanes ? threads - rank : lanes, exited);
    if (left.any())
      body(otherWarp(block, rank), left);
  }
}
template <unsigned lanes, class Body>
__attribute__((always_inline)) inline void eachTileOf(const RareBlock& block, const Exited& exited,
                                                      Body&& body) {
  const unsigned threads = block.threadCount();
  for (unsigned rank = 0; rank < threads; rank += lanes) {
    const Lanes left = lanesLeft(rank, threads - rank < lanes ? threads - rank : lanes, exited);
    if (left.any())
      body(otherWarp(block, rank), left);
  }
}
template <unsigned lanes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void
eachTileOf(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const Exited& exited, Body&& body) {
  if constexpr (SizeX % lanes == 0) {
    ::uint3 first{};
    for (unsigned rank = 0; rank < SizeX * SizeY * SizeZ; rank += lanes) {
      const Lanes left = lanesLeft(rank, lanes, exited);
      if (left.any())
        body(rowWarp<LaneTile<lanes>>(block, rank, first), left);
      first = nextRow(first, ::dim3{SizeX, SizeY, SizeZ}, lanes);
      if constexpr (SizeX == lanes)
        first.x = 0; // as it is: compilers don't see it
    }
  } else {
    eachTileOf<lanes>(static_cast<const Block&>(block), exited, body);
  }
}

} // namespace detail

/// eachLaneTile() is eachWarp() for kernels in which only threads of a tile of so many lanes meet:
/// the tiles of a warp may go different ways, and each does so by itself.
template <unsigned lanes, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachLaneTile(const OneBlock& block, const Exited& exited,
                                                        Body&& body) {
  detail::eachTileOf<lanes>(block, exited, [&](const auto& tile, const Lanes left) CU2CPP_INLINE {
    if constexpr (!detail::isOtherWarp<std::decay_t<decltype(tile)>>)
      if (tile.isWhole(left))
        return body(tile, Lanes((1u << lanes) - 1));
    body(tile, left);
  });
}
template <unsigned lanes, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachLaneTile(const OneBlock& block, Body&& body) {
  detail::eachTileOf<lanes>(block, noneExited, body);
}

/// eachWarpFalling() is eachWarp() from the last warp of the block to its first.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpFalling(const OneBlock& block,
                                                           const Exited& exited, Body&& body) {
  const ::dim3 size = block.blockDim;
  const unsigned threads = block.threadCount();
  unsigned rank = (threads + warpLanes - 1) / warpLanes * warpLanes;
  const auto others = [&](unsigned last) __attribute__((always_inline)) {
    while (rank > last) {
      rank -= warpLanes;
      const Lanes lanes = detail::lanesLeft(rank, threads - rank, exited);
      if (lanes.any())
        body(detail::otherWarp(block, rank), lanes);
    }
  };
  if constexpr (!std::is_same<OneBlock, RareBlock>::value)
    if (size.x % warpLanes == 0 || (size.y == 1 && size.z == 1)) {
      others(threads / warpLanes * warpLanes);
      while (rank > 0) {
        rank -= warpLanes;
        const Lanes lanes = detail::lanesLeft(rank, warpLanes, exited);
        if (lanes.any())
          body(detail::rowWarp(
                   block, rank,
                   ::uint3{rank % size.x, rank / size.x % size.y, rank / size.x / size.y}),
               lanes);
      }
      return;
    }
  others(0);
}
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachWarpFalling(const OneBlock& block, Body&& body) {
  eachWarpFalling(block, noneExited, body);
}

namespace detail {

/// One part of a row, of `width` threads at most, but for those of them that have exited.
template <unsigned width, class Body>
__attribute__((always_inline)) inline void runPart(const Block& block, ::uint3 first, unsigned rank,
                                                   unsigned count, const Exited& exited,
                                                   Body& body) {
  RowWarp<width> warp;
  warp.block = &block;
  warp.rank = rank;
  warp.first = first;
  const Lanes lanes = lanesLeft(rank, count, exited);
  if (lanes.any())
    body(static_cast<const RowWarp<width>&>(warp), lanes);
}

/// SizeX is a constant: rows of 16 threads, say, then are loops of 16 steps. Of rows of unknown
/// size (0) the body stands once.
template <unsigned SizeX, unsigned most, class Body>
__attribute__((always_inline)) inline void runRows(const Block& block, const Exited& exited,
                                                   Body& body) {
  const unsigned countX = SizeX != 0 ? SizeX : static_cast<unsigned>(block.blockDim.x);
  const unsigned rows = block.blockDim.y * block.blockDim.z;
  constexpr unsigned end = SizeX % most;
  ::uint3 first{};
  for (unsigned row = 0; row < rows; ++row) {
    first.y = row % block.blockDim.y;
    first.z = row / block.blockDim.y;
    first.x = 0;
    if constexpr (SizeX == 0) {
      for (; first.x < countX; first.x += most)
        runPart<most>(block, first, row * countX + first.x,
                      countX - first.x < most ? countX - first.x : most, exited, body);
      continue;
    }
    for (; first.x + most <= countX; first.x += most)
      runPart<most>(block, first, row * countX + first.x, most, exited, body);
    if constexpr (end != 0)
      runPart<end>(block, first, row * countX + first.x, end, exited, body);
  }
}

// What lanes compute in 32 lanes, four vectors, would not find room in AVX2's 16 registers.
#if defined(CU2CPP_LANE_SETS)
inline constexpr unsigned shortPart = 16;
#else
inline constexpr unsigned shortPart = warpLanes;
#endif

} // namespace detail

/// eachPartOfRows() is eachWarp() for kernels in which no warp's threads meet: it runs body(warp,
/// lanes) for parts of the block's rows (threadIdx.x) instead of warps. Rows of 16 threads are most
/// frequent where launches do not show the size, next to those of whole warps.
template <unsigned most = warpLanes, class Body>
__attribute__((always_inline)) inline void eachPartOfRows(const Block& block, const Exited& exited,
                                                          Body&& body) {
  if constexpr (most > warpLanes / 2)
    if (block.blockDim.x == warpLanes / 2)
      return detail::runRows<warpLanes / 2, most>(block, exited, body);
  detail::runRows<0, most>(block, exited, body);
}
template <unsigned most = warpLanes, class Body>
__attribute__((always_inline)) inline void eachPartOfRows(const RareBlock& block,
                                                          const Exited& exited, Body&& body) {
  detail::runRows<0, most>(block, exited, body);
}
template <unsigned most = warpLanes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain,
          class Body>
__attribute__((always_inline)) inline void
eachPartOfRows(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, const Exited& exited,
               Body&& body) {
  if (block.asExpected())
    return detail::runRows<SizeX, most>(block, exited, body);
  if constexpr (!certain)
    eachPartOfRows<most>(static_cast<const Block&>(block), exited, body);
}
template <unsigned most = warpLanes, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachPartOfRows(const OneBlock& block, Body&& body) {
  eachPartOfRows<most>(block, noneExited, body);
}
/// eachShortPartOfRows() is eachPartOfRows() for kernels with loops that lanes leave one by one:
/// what those compute with should stay in registers.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachShortPartOfRows(const OneBlock& block, Body&& body) {
  eachPartOfRows<detail::shortPart>(block, body);
}
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachShortPartOfRows(const OneBlock& block,
                                                               const Exited& exited, Body&& body) {
  eachPartOfRows<detail::shortPart>(block, exited, body);
}

/// eachPairOfRows() is eachShortPartOfRows() for kernels in which nothing is one value for a row
/// only: blocks with rows of 16 threads take two at a time. Loops that lanes leave one by one are
/// chains of values, and processors have room for two.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachPairOfRows(const OneBlock& block, Body&& body) {
  eachShortPartOfRows(block, body);
}

namespace detail {
template <class OneBlock>
inline constexpr bool mayBePairs = !std::is_same<OneBlock, RareBlock>::value;
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain>
inline constexpr bool mayBePairs<SizedBlock<SizeX, SizeY, SizeZ, certain>> =
    !certain || (SizeX == warpLanes / 2 && SizeY % 2 == 0);
} // namespace detail

/// eachPairOrPartOfRows() is eachPartOfRows() for such kernels: two rows of 16 threads at a time
/// have two sums in the place of one, each step of which waits for the one before.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachPairOrPartOfRows(const OneBlock& block,
                                                                const Exited& exited, Body&& body) {
#if defined(__clang__) && defined(__AVX512F__)
  if constexpr (detail::mayBePairs<OneBlock>) {
    const ::dim3 size = block.blockDim;
    if (size.x == warpLanes / 2 && size.y % 2 == 0) {
      RowPair pair;
      pair.block = &block;
      for (const unsigned threads = size.x * size.y * size.z; pair.rank < threads;
           pair.rank += warpLanes) {
        const unsigned row = pair.rank / (warpLanes / 2);
        pair.first = ::uint3{0, row % size.y, row / size.y};
        const Lanes lanes = detail::lanesLeft(pair.rank, warpLanes, exited);
        if (lanes.any())
          body(static_cast<const RowPair&>(pair), lanes);
      }
      return;
    }
  }
#endif
  eachPartOfRows(block, exited, body);
}
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachPairOrPartOfRows(const OneBlock& block,
                                                                Body&& body) {
  eachPairOrPartOfRows(block, noneExited, body);
}
#if defined(__clang__) && defined(__AVX512F__)
template <unsigned SizeY, unsigned SizeZ, bool certain, class Body>
__attribute__((always_inline)) inline void
eachPairOfRows(const SizedBlock<16, SizeY, SizeZ, certain>& block, Body&& body) {
  if constexpr (SizeY % 2 != 0) {
    eachShortPartOfRows(block, body);
  } else if (block.asExpected()) {
    RowPair pair;
    pair.block = &block;
    for (; pair.rank < 16 * SizeY * SizeZ; pair.rank += warpLanes) {
      pair.first = ::uint3{0, pair.rank / 16 % SizeY, pair.rank / 16 / SizeY};
      body(static_cast<const RowPair&>(pair), Lanes(~0u));
    }
  } else if constexpr (!certain) {
    eachShortPartOfRows(static_cast<const Block&>(block), body);
  }
}
#endif

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps in the split form: the loop over the warps of a block, the loop over a warp's lanes, sets
// of lanes, and values that each lane keeps. The collectives that such code calls for a whole warp
// are in device/together.h.
//
// CUDA C++ Programming Guide, 'SIMT Architecture'.
#ifndef CU2CPP_LANES_H
#define CU2CPP_LANES_H

#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <cu2cpp/split.h>

namespace cu2cpp {

constexpr unsigned warpLanes = 32;

/// Lane is a thread as one of its warp.
struct Lane : Thread {
  unsigned lane = 0;
};

/// Lanes is a set of lanes of one warp.
class Lanes {
public:
  constexpr Lanes() = default;
  constexpr explicit Lanes(unsigned bits) : bits_(bits) {}
  constexpr unsigned bits() const { return bits_; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr bool all() const { return bits_ == ~0u; }
  constexpr bool has(unsigned lane) const { return bits_ >> lane & 1; }
  unsigned first() const { return unsigned(__builtin_ctz(bits_)); }
  unsigned count() const { return unsigned(__builtin_popcount(bits_)); }
  void add(const Lane& lane) { bits_ |= 1u << lane.lane; }
  friend constexpr Lanes operator-(Lanes a, Lanes b) { return Lanes(a.bits_ & ~b.bits_); }
  friend constexpr Lanes operator&(Lanes a, Lanes b) { return Lanes(a.bits_ & b.bits_); }

private:
  unsigned bits_ = 0;
};

/// Warp is one warp of the running block: 32 threads of consecutive rank, fewer in the last one.
/// Where no thread meets others it may be any piece of a row of the block (eachPartOfRows).
struct Warp {
  const Block* block = nullptr;
  unsigned index = 0;         ///< within the block
  unsigned rank = 0;          ///< of lane 0 within the block
  unsigned width = warpLanes; ///< no lane from this one on is ever active
  bool isRow = false; ///< its lanes differ in threadIdx.x only, and lane 0 is at a multiple of 32
  ::uint3 first{};    ///< threadIdx of lane 0

  /// threadOf() is threadIdx of a lane, for warps that are not rows too.
  ::uint3 threadOf(unsigned lane) const {
    if (isRow)
      return ::uint3{first.x + lane, first.y, first.z};
    const unsigned at = rank + lane;
    const ::dim3 size = block->blockDim;
    return ::uint3{at % size.x, at / size.x % size.y, at / size.x / size.y};
  }
  bool isWhole(Lanes lanes) const {
    return lanes.bits() == (width < warpLanes ? (1u << width) - 1 : ~0u);
  }
};

inline unsigned firstThread(const Warp& warp) { return warp.rank; }

/// PerLane<T> is a local variable of a kernel that is alive across a warp's collectives: one T for
/// each lane. A T without a constructor starts without a value; of others no constructor runs here,
/// but where the user's code makes the value.
template <class T> class PerLane {
public:
  PerLane() {}
  template <class V, class = std::enable_if_t<std::is_convertible<V, T>::value>>
  explicit PerLane(const V& value) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      new (&values_[lane]) T(value);
  }
  PerLane(const PerLane& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
  }
  template <class U, class = std::enable_if_t<!std::is_same<U, T>::value &&
                                              std::is_convertible<U, T>::value>>
  PerLane(const PerLane<U>& other) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      new (&values_[lane]) T(static_cast<T>(other.at(lane)));
  }
  PerLane& operator=(const PerLane& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
    return *this;
  }
  ~PerLane() {}
  T& operator[](const Lane& lane) { return values_[lane.lane]; }
  const T& operator[](const Lane& lane) const { return values_[lane.lane]; }
  T& at(unsigned lane) { return values_[lane]; }
  const T& at(unsigned lane) const { return values_[lane]; }

private:
  union {
    // Vectors of lanes lie within lines of the cache.
    alignas(sizeof(T) % 2 == 0 ? 64 : 32) T values_[warpLanes];
  };
};

namespace detail {

/// Lane numbers of a row start at a multiple of 32: said to the compiler, which then sees
/// threadIdx.x % 32.
inline void assumeRow(unsigned x) {
  if (x % warpLanes != 0)
    __builtin_unreachable();
}

} // namespace detail

// As CU2CPP_EACH_LANE in block.h. The compiler may unroll: values of 32 lanes then live in
// registers.
#if defined(__clang__)
#define CU2CPP_EACH_OF_WARP _Pragma("clang loop vectorize(assume_safety)")
#else
#define CU2CPP_EACH_OF_WARP CU2CPP_EACH_LANE
#endif

// A lambda that is always inlined, though it is called in two places.
#define CU2CPP_INLINE __attribute__((always_inline))

namespace detail {
/// A part of a row that is shorter than a warp. Compilers would write out so short a loop before
/// they think of vectors.
template <class Visit>
__attribute__((always_inline)) inline void eachOfNarrow(const Warp& warp, const Lanes lanes,
                                                        Visit&& visit) {
  const ::uint3 first = warp.first;
  const Block* const block = warp.block;
  const unsigned rank = warp.rank, width = warp.width, bits = lanes.bits();
  assumeRow(first.x);
  CU2CPP_EACH_LANE
  for (unsigned lane = 0; lane < width; ++lane)
    visit(bool(bits >> lane & 1),
          Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
}
} // namespace detail

/// eachLane() runs body(lane) for the given lanes of a warp, in ascending order.
template <class Body>
__attribute__((always_inline)) inline void eachLane(const Warp& warp, const Lanes lanes,
                                                    Body&& body) {
  if (warp.width < warpLanes)
    return detail::eachOfNarrow(warp, lanes, [&](bool runs, const Lane lane) CU2CPP_INLINE {
      if (runs)
        body(lane);
    });
  const unsigned rank = warp.rank;
  if (warp.isRow) {
    const ::uint3 first = warp.first;
    const Block* const block = warp.block;
    detail::assumeRow(first.x);
    if (lanes.all()) {
      CU2CPP_EACH_OF_WARP
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        body(Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
      return;
    }
    const unsigned bits = lanes.bits();
    CU2CPP_EACH_OF_WARP
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if (bits >> lane & 1)
        body(Lane{{::uint3{first.x + lane, first.y, first.z}, block, rank + lane}, lane});
    return;
  }
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    body(Lane{{warp.threadOf(lane), warp.block, rank + lane}, lane});
  }
}

/// eachLaneBelow() is eachLane() for bodies that do nothing in lanes from `bound` on.
template <class Bound, class Body>
__attribute__((always_inline)) inline void eachLaneBelow(const Warp& warp, const Lanes lanes,
                                                         Bound bound, Body&& body) {
  if (!warp.isRow)
    return eachLane(warp, lanes, body);
  const unsigned end = bound <= 0                                           ? 0
                       : static_cast<unsigned long long>(bound) < warpLanes ? unsigned(bound)
                                                                            : warpLanes;
  const ::uint3 first = warp.first;
  detail::assumeRow(first.x);
  for (unsigned lane = 0; lane < end; ++lane)
    if (lanes.has(lane))
      body(Lane{{::uint3{first.x + lane, first.y, first.z}, warp.block, warp.rank + lane}, lane});
}

namespace detail {
template <class Body, class... T>
__attribute__((always_inline)) inline void runKeeping(bool runs, const Lane& lane, Body& body,
                                                      T&... kept) {
  [&](T... values) {
    if (runs)
      body(lane, values...);
    ((kept = values), ...);
  }(kept...);
}
} // namespace detail

/// eachLane() with values that lanes keep: body(lane, value...) changes copies of them, which are
/// stored in lanes that do not run too. So they are whole vectors, which live in registers.
template <class Body, class First, class... More>
__attribute__((always_inline)) inline void eachLane(const Warp& warp, const Lanes lanes,
                                                    Body&& body, PerLane<First>& first,
                                                    PerLane<More>&... more) {
  if (!warp.isRow || lanes.all())
    return eachLane(warp, lanes,
                    [&](const Lane lane) CU2CPP_INLINE { body(lane, first[lane], more[lane]...); });
  if (warp.width < warpLanes)
    return detail::eachOfNarrow(warp, lanes, [&](bool runs, const Lane lane) CU2CPP_INLINE {
      detail::runKeeping(runs, lane, body, first.at(lane.lane), more.at(lane.lane)...);
    });
  const unsigned rank = warp.rank;
  const ::uint3 start = warp.first;
  const Block* const block = warp.block;
  detail::assumeRow(start.x);
  const unsigned bits = lanes.bits();
  CU2CPP_EACH_OF_WARP
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    detail::runKeeping(bits >> lane & 1,
                       Lane{{::uint3{start.x + lane, start.y, start.z}, block, rank + lane}, lane},
                       body, first.at(lane), more.at(lane)...);
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

/// eachWarp() runs body(warp, lanes) for the warps of a block; lanes are the threads that exist and
/// have not exited. The body stands here twice: for full rows of threads compilers then know that
/// no lane is missing.
template <class Body>
__attribute__((always_inline)) inline void eachWarp(const Block& block, Body&& body) {
  const ::dim3 size = block.blockDim;
  const unsigned threads = block.threadCount();
  const bool rows = size.x % warpLanes == 0 || (size.y == 1 && size.z == 1);
  unsigned done = 0;
  if (rows) {
    ::uint3 first{};
    for (; done + warpLanes <= threads; done += warpLanes) {
      Warp warp;
      warp.block = &block;
      warp.index = done / warpLanes;
      warp.rank = done;
      warp.isRow = true;
      warp.first = first;
      body(static_cast<const Warp&>(warp), Lanes(~0u));
      first.x += warpLanes;
      if (first.x == size.x) {
        first.x = 0;
        if (++first.y == size.y) {
          first.y = 0;
          ++first.z;
        }
      }
    }
  }
  for (; done < threads; done += warpLanes) {
    const unsigned count = threads - done < warpLanes ? threads - done : warpLanes;
    Warp warp;
    warp.block = &block;
    warp.index = done / warpLanes;
    warp.rank = done;
    warp.isRow = rows;
    warp.first = ::uint3{done % size.x, done / size.x % size.y, done / size.x / size.y};
    body(static_cast<const Warp&>(warp), Lanes(count == warpLanes ? ~0u : (1u << count) - 1));
  }
}
template <class Body>
__attribute__((always_inline)) inline void eachWarp(const Block& block, const Exited& exited,
                                                    Body&& body) {
  eachWarp(block, [&](const Warp& warp, Lanes lanes) CU2CPP_INLINE {
    if (exited.any()) {
      unsigned gone = 0;
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        gone |= unsigned(lanes.has(lane) && exited.has(warp.rank + lane)) << lane;
      lanes = lanes - Lanes(gone);
      if (!lanes.any())
        return;
    }
    body(warp, lanes);
  });
}

namespace detail {

/// One part of a row, of `width` threads at most.
template <class Body>
__attribute__((always_inline)) inline void runPart(const Block& block, ::uint3 first, unsigned rank,
                                                   unsigned width, unsigned count, Body& body) {
  Warp warp;
  warp.block = &block;
  warp.rank = rank;
  warp.width = width;
  warp.isRow = true;
  warp.first = first;
  body(static_cast<const Warp&>(warp), Lanes(count < warpLanes ? (1u << count) - 1 : ~0u));
}

/// X is unsigned, or a constant: rows of 16 threads, say, then are loops of 16 steps.
template <class Body, class X>
__attribute__((always_inline)) inline void runRows(const Block& block, Body& body, X sizeX) {
  const unsigned countX = sizeX, rows = block.blockDim.y * block.blockDim.z;
  constexpr bool isKnown = !std::is_same<X, unsigned>::value;
  const unsigned end = countX % warpLanes;
  ::uint3 first{};
  for (unsigned row = 0; row < rows; ++row) {
    first.y = row % block.blockDim.y;
    first.z = row / block.blockDim.y;
    for (first.x = 0; first.x + warpLanes <= countX; first.x += warpLanes)
      runPart(block, first, row * countX + first.x, warpLanes, warpLanes, body);
    if (end != 0)
      runPart(block, first, row * countX + first.x, isKnown ? end : warpLanes, end, body);
  }
}

} // namespace detail

/// eachPartOfRows() is eachWarp() for kernels whose threads meet nobody: it runs body(warp, lanes)
/// for parts of the block's rows (threadIdx.x) instead of warps.
template <class Body>
__attribute__((always_inline)) inline void eachPartOfRows(const Block& block, Body&& body) {
  detail::runRows(block, body, static_cast<unsigned>(block.blockDim.x));
}
template <unsigned X, unsigned Y, unsigned Z, class Body>
__attribute__((always_inline)) inline void eachPartOfRows(const SizedBlock<X, Y, Z>& block,
                                                          Body&& body) {
  if (block.asExpected())
    return detail::runRows(block, body, std::integral_constant<unsigned, X>());
  eachPartOfRows(static_cast<const Block&>(block), body);
}

/// ExitedLanes are the lanes of a warp that have returned from the kernel; its block learns of them
/// too.
class ExitedLanes : public Lanes {
public:
  ExitedLanes(Exited& block, const Warp&) : block_(block) {}
  void add(const Lane& lane) {
    Lanes::add(lane);
    block_.add(lane);
  }

private:
  Exited& block_;
};

/// lanesWhere() is the set of those lanes for which body(lane) holds.
template <class Body>
__attribute__((always_inline)) inline Lanes lanesWhere(const Warp& warp, const Lanes lanes,
                                                       Body&& body) {
  unsigned bits = 0;
  eachLane(warp, lanes, [&](const Lane lane) { bits |= unsigned(bool(body(lane))) << lane.lane; });
  return Lanes(bits);
}
/// lanesWhereRising() is lanesWhere() for a condition that holds in all lanes of a row if it holds
/// in the last: i < n, where i is one more in each lane.
template <class Body>
__attribute__((always_inline)) inline Lanes lanesWhereRising(const Warp& warp, const Lanes lanes,
                                                             Body&& body) {
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
template <class Body>
inline Lanes lanesWherePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  unsigned bits = 0;
  eachLanePublished(warp, lanes,
                    [&](const Lane& lane) { bits |= unsigned(bool(body(lane))) << lane.lane; });
  return Lanes(bits);
}

/// perLane<T>() is what body(lane) gives for each of the lanes; T is the result's own type if none
/// is named.
template <class T = void, class Body>
__attribute__((always_inline)) inline auto perLane(const Warp& warp, const Lanes lanes,
                                                   Body&& body) {
  using Value = std::conditional_t<std::is_void_v<T>,
                                   std::decay_t<decltype(body(std::declval<const Lane&>()))>, T>;
  PerLane<Value> out;
  eachLane(warp, lanes, [&](const Lane lane) { new (&out[lane]) Value(body(lane)); });
  return out;
}
template <class T = void, class Body>
inline auto perLanePublished(const Warp& warp, const Lanes lanes, Body&& body) {
  using Value = std::conditional_t<std::is_void_v<T>,
                                   std::decay_t<decltype(body(std::declval<const Lane&>()))>, T>;
  PerLane<Value> out;
  eachLanePublished(warp, lanes, [&](const Lane& lane) { new (&out[lane]) Value(body(lane)); });
  return out;
}

namespace detail {
template <class T>
inline T oneValue(const PerLane<T>& all, Lanes lanes, const char* file, int line) {
  if (!lanes.any())
    return T();
  const T value = all.at(lanes.first());
  const unsigned bits = lanes.bits();
  unsigned differ = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (bits >> lane & 1)
      differ |= unsigned(!(all.at(lane) == value));
  if (differ != 0)
    valuesDiffer("warp", file, line);
  return value;
}
} // namespace detail

/// sameInWarp() is what body(lane) gives for every one of the lanes; the program stops if they
/// disagree.
template <class Body>
inline auto sameInWarp(const Warp& warp, const Lanes lanes, Body&& body,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return detail::oneValue(perLane(warp, lanes, body), lanes, file, line);
}
template <class Body>
inline auto sameInWarpPublished(const Warp& warp, const Lanes lanes, Body&& body,
                                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return detail::oneValue(perLanePublished(warp, lanes, body), lanes, file, line);
}

} // namespace cu2cpp

#endif

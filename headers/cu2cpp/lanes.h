// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps in the split form: a warp, its lanes, sets of them, and values that each lane keeps. Loops
// over them are in each_lane.h, what such loops compute in lane_values.h, and the collectives that
// code calls for a whole warp in device/together.h.
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
  void add(Lanes lanes) { bits_ |= lanes.bits_; }
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
    if (size.y == 1 && size.z == 1)
      return ::uint3{at, 0, 0};
    return ::uint3{at % size.x, at / size.x % size.y, at / size.x / size.y};
  }
  bool isWhole(Lanes lanes) const {
    return lanes.bits() == (width < warpLanes ? (1u << width) - 1 : ~0u);
  }
};

// What is known of a warp by its type: code for what it cannot be need not be compiled. Functions
// that take any Warp take these, too.

/// RowWarp is a warp (or a part of a row) of `lanes` threads that differ in threadIdx.x only.
template <unsigned lanes> struct RowWarp : Warp {
  static constexpr bool isRow = true;
  static constexpr unsigned width = lanes;
  RowWarp() {
    Warp::isRow = true;
    Warp::width = lanes;
  }
};

/// OtherWarp is a warp whose lanes run one after the other: those of blocks with odd rows, and the
/// end of a block that is no whole warp.
struct OtherWarp : Warp {
  static constexpr bool isRow = false;
  static constexpr unsigned width = warpLanes;
};

namespace detail {
template <class OneWarp> inline constexpr bool isAnyWarp = std::is_same<OneWarp, Warp>::value;
template <class OneWarp>
inline constexpr bool isOtherWarp = std::is_same<OneWarp, OtherWarp>::value;
template <class OneWarp>
inline constexpr bool isFullRow = std::is_same<OneWarp, RowWarp<warpLanes>>::value;
template <class OneWarp>
inline constexpr bool isNarrowRow =
    !isAnyWarp<OneWarp> && !isOtherWarp<OneWarp> && !isFullRow<OneWarp>;
} // namespace detail

inline unsigned firstThread(const Warp& warp) { return warp.rank; }

/// PerLane<Type> is a local variable of a kernel that is alive across a warp's collectives: one
/// Type for each lane. A Type without a constructor starts without a value; of others no
/// constructor runs here, but where the user's code makes the value.
template <class Type> class PerLane {
public:
  PerLane() {}
  template <class Value, class = std::enable_if_t<std::is_convertible<Value, Type>::value>>
  explicit PerLane(const Value& value) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      new (&values_[lane]) Type(value);
  }
  PerLane(const PerLane& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
  }
  template <class Other, class = std::enable_if_t<!std::is_same<Other, Type>::value &&
                                                  std::is_convertible<Other, Type>::value>>
  PerLane(const PerLane<Other>& other) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      new (&values_[lane]) Type(static_cast<Type>(other.at(lane)));
  }
  PerLane& operator=(const PerLane& other) {
    std::memcpy(static_cast<void*>(values_), other.values_, sizeof values_);
    return *this;
  }
  ~PerLane() {}
  Type& operator[](const Lane& lane) { return values_[lane.lane]; }
  const Type& operator[](const Lane& lane) const { return values_[lane.lane]; }
  Type& at(unsigned lane) { return values_[lane]; }
  const Type& at(unsigned lane) const { return values_[lane]; }

private:
  union {
    // Vectors of lanes lie within lines of the cache.
    alignas(sizeof(Type) % 2 == 0 ? 64 : 32) Type values_[warpLanes];
  };
};

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

} // namespace cu2cpp

#include <cu2cpp/each_lane.h>
#include <cu2cpp/lane_values.h>

#endif

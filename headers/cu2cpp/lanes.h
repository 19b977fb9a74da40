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
  unsigned last() const { return 31 - unsigned(__builtin_clz(bits_)); }
  unsigned count() const { return unsigned(__builtin_popcount(bits_)); }
  void add(const Lane& lane) { bits_ |= 1u << lane.lane; }
  void add(Lanes lanes) {
    unsigned bits = bits_ | lanes.bits_;
#if defined(__clang__) && defined(__AVX512F__)
    // Compilers would add to a set and count a loop's steps in one short vector, which all masks
    // then wait for.
    asm("" : "+r"(bits));
#endif
    bits_ = bits;
  }
  friend constexpr Lanes operator-(Lanes a, Lanes b) { return Lanes(a.bits_ & ~b.bits_); }
  friend constexpr Lanes operator&(Lanes a, Lanes b) { return Lanes(a.bits_ & b.bits_); }

private:
  unsigned bits_ = 0;
};

#if defined(__clang__) && defined(__AVX2__) && !defined(__AVX512F__)
#define CU2CPP_LANE_SETS
#endif

#if defined(CU2CPP_LANE_SETS)
/// LaneSet is a set of lanes of a part of a row, in the form that AVX2 asks for: a word of ones for
/// each lane that is in it. It is Lanes to all others. (Processors with sets of their own make
/// Lanes from comparisons by one instruction.)
template <unsigned lanes> class LaneSet {
public:
  typedef int Words __attribute__((ext_vector_type(lanes)));
  LaneSet() = default;
  explicit LaneSet(const Words& words) : words_(words) {}
  LaneSet(Lanes set) {
    typedef bool Bits __attribute__((ext_vector_type(lanes)));
    const unsigned bits = set.bits();
    Bits all;
    std::memcpy(&all, &bits, lanes / 8);
    words_ = -__builtin_convertvector(all, Words);
  }
  operator Lanes() const { return Lanes(bits()); }
  unsigned bits() const {
    typedef bool Bits __attribute__((ext_vector_type(lanes)));
    const Bits set = __builtin_convertvector(words_ < 0, Bits);
    unsigned bits = 0;
    std::memcpy(&bits, &set, lanes / 8);
    return bits;
  }
  const Words& words() const { return words_; }
  bool any() const {
    // One instruction asks a vector of 32 bytes, which compilers do not see in a sum of all words.
    typedef long long Part __attribute__((vector_size(32)));
    Part parts[lanes / 8], all{};
    std::memcpy(parts, &words_, sizeof parts);
    for (unsigned part = 0; part < lanes / 8; ++part)
      all |= parts[part];
    return !__builtin_ia32_ptestz256(all, all);
  }
  bool all() const { return false; } ///< of a whole warp
  bool has(unsigned lane) const { return words_[lane] < 0; }
  unsigned first() const { return Lanes(*this).first(); }
  unsigned count() const { return Lanes(*this).count(); }
  void add(const Lane& lane) { words_[lane.lane] = -1; }
  void add(LaneSet more) { words_ |= more.words_; }
  friend LaneSet operator-(LaneSet a, LaneSet b) { return LaneSet(a.words_ & ~b.words_); }
  friend LaneSet operator-(LaneSet a, Lanes b) { return a - LaneSet(b); }
  friend LaneSet operator-(Lanes a, LaneSet b) { return LaneSet(a) - b; }
  friend LaneSet operator&(LaneSet a, LaneSet b) { return LaneSet(a.words_ & b.words_); }

private:
  Words words_ = 0;
};
#endif

/// Warp is one warp of the running block: 32 threads of consecutive rank, fewer in the last one.
/// Where no thread meets others it may be any piece of a row of the block (eachPartOfRows).
struct Warp {
  const Block* block = nullptr;
  unsigned index = 0;         ///< within the block
  unsigned rank = 0;          ///< of lane 0 within the block
  unsigned width = warpLanes; ///< no lane from this one on is ever active
  bool isRow = false; ///< its lanes differ in threadIdx.x only, and lane 0 is at a multiple of 32
                      ///< (16 if it is shorter)
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

/// LaneTile is a tile of a warp: 4, 8 or 16 neighbouring threads of a row of the block, which meet
/// nobody but each other and run by themselves. Their numbers are counted from its first.
template <unsigned lanes> struct LaneTile : RowWarp<lanes> {
  static constexpr bool isWhole(Lanes set) { return set.bits() == (1u << lanes) - 1; }
};

/// RowsWarp is a warp of a block whose rows of 8 or 16 threads are halves or quarters of one.
template <unsigned rowLength> struct RowsWarp : Warp {
  static constexpr bool isRow = false;
  static constexpr unsigned width = warpLanes;
};

/// RowPair is two neighbouring rows of 16 threads, in blocks whose threads meet nobody: two vectors
/// with AVX-512, of which neither waits for the other.
struct RowPair : Warp {
  static constexpr bool isRow = false;
  static constexpr unsigned width = warpLanes;
};

namespace detail {
template <class OneWarp> inline constexpr bool isOfRows = false;
template <unsigned rowLength> inline constexpr bool isOfRows<RowsWarp<rowLength>> = true;
/// How many threads of a warp are neighbours in a row of the block.
template <class OneWarp> inline constexpr unsigned rowLengthOf = warpLanes;
template <unsigned rowLength>
inline constexpr unsigned rowLengthOf<RowsWarp<rowLength>> = rowLength;
template <class OneWarp> inline constexpr bool isRowPair = std::is_same<OneWarp, RowPair>::value;
template <class OneWarp> inline constexpr bool isAnyWarp = std::is_same<OneWarp, Warp>::value;
template <class OneWarp>
inline constexpr bool isOtherWarp = std::is_same<OneWarp, OtherWarp>::value;
template <class OneWarp>
inline constexpr bool isFullRow = std::is_same<OneWarp, RowWarp<warpLanes>>::value;
template <class OneWarp> inline constexpr bool isLaneTile = false;
template <unsigned lanes> inline constexpr bool isLaneTile<LaneTile<lanes>> = true;
/// How many lanes meet each other: those of a tile, or of a whole warp.
template <class OneWarp> inline constexpr unsigned lanesTogether = warpLanes;
template <unsigned lanes> inline constexpr unsigned lanesTogether<LaneTile<lanes>> = lanes;
/// Neighbours in a row whose number is a constant.
template <class OneWarp>
inline constexpr bool isWholeRow = isFullRow<OneWarp> || isLaneTile<OneWarp>;
template <class OneWarp>
inline constexpr bool isNarrowRow =
    !isAnyWarp<OneWarp> && !isOtherWarp<OneWarp> && !isWholeRow<OneWarp> && !isOfRows<OneWarp>;
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
  /// at() of a bool is one bit of what lies there: no lane that has not come has stored one, and
  /// compilers may take it for granted that a bool is 0 or 1.
  std::conditional_t<std::is_same<Type, bool>::value, bool, const Type&> at(unsigned lane) const {
    if constexpr (std::is_same<Type, bool>::value) {
      unsigned char byte = 0;
      std::memcpy(&byte, &values_[lane], 1);
      return byte & 1;
    } else {
      return values_[lane];
    }
  }

  Type* values() { return values_; }
  const Type* values() const { return values_; }

private:
  union {
    // Vectors of lanes lie within lines of the cache.
    alignas(sizeof(Type) % 2 == 0 ? 64 : 32) Type values_[warpLanes];
  };
};

/// LaneRows<Element[n]> is such an array of each lane of a warp, alive across its collectives.
/// Where loops over it are written out its rows are vectors that compilers keep in registers.
template <class Array> class LaneRows {
public:
  using Scalar = std::remove_all_extents_t<Array>;

  LaneRows() {}
  LaneRows(const LaneRows&) = delete;
  LaneRows& operator=(const LaneRows&) = delete;
  __attribute__((always_inline)) ElementRows<Array, warpLanes> operator[](const Lane& lane) {
    return ElementRows<Array, warpLanes>(&values_[lane.lane]);
  }

private:
  alignas(64) Scalar values_[sizeof(Array) / sizeof(Scalar) * warpLanes];
};

/// setOf() is a set of a warp's lanes in the form in which loops over those ask for it.
template <class OneWarp>
__attribute__((always_inline)) inline auto setOf(const OneWarp&,
                                                 [[maybe_unused]] Lanes lanes = Lanes()) {
  return lanes;
}
#if defined(CU2CPP_LANE_SETS)
template <unsigned lanes>
__attribute__((always_inline)) inline std::enable_if_t<lanes == 8 || lanes == 16, LaneSet<lanes>>
setOf(const RowWarp<lanes>&, const LaneSet<lanes> set = LaneSet<lanes>()) {
  return set;
}
template <unsigned lanes>
__attribute__((always_inline)) inline std::enable_if_t<lanes == 8 || lanes == 16, LaneSet<lanes>>
setOf(const RowWarp<lanes>&, const Lanes set) {
  return set;
}
template <unsigned lanes>
__attribute__((always_inline)) inline std::enable_if_t<lanes == 8 || lanes == 16, LaneSet<lanes>>
setOf(const RowWarp<lanes>&, const PerLane<unsigned>& words) {
  // Where a set is asked for behind a branch compilers would keep bits instead of words, and widen
  // them again: nobody knows what these words come from.
  typedef int Part __attribute__((vector_size(32)));
  Part parts[lanes / 8];
  std::memcpy(parts, &words.at(0), sizeof parts);
  for (unsigned part = 0; part < lanes / 8; ++part)
    asm("" : "+x"(parts[part]));
  typename LaneSet<lanes>::Words all;
  std::memcpy(&all, parts, sizeof all);
  return LaneSet<lanes>(all);
}
#endif

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
#include <cu2cpp/lane_steps.h>

#endif

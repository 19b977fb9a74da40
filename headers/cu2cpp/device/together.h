// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives as the split form calls them: once for a whole warp (or block), with the operands of
// all lanes, instead of once in each thread. An operand is a value that all lanes share, or a
// PerLane<Type>. The results of lanes that take no part have no value.
//
// CUDA C++ Programming Guide, 'Warp Shuffle Functions', 'Warp Vote Functions', 'Warp Match
// Functions', 'Warp Reduce Functions', 'Synchronization Functions'.
#ifndef CU2CPP_DEVICE_TOGETHER_H
#define CU2CPP_DEVICE_TOGETHER_H

#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/device/warp.h>
#include <cu2cpp/device/warp_shuffle.h>
#include <cu2cpp/split.h>

namespace cu2cpp {

/// eachLaneOneByOne() is eachLanePublished() for a body that calls a function marked
/// CU2CPP_ONE_BY_ONE, whose results are there when the loop ends.
template <class Body>
inline void eachLaneOneByOne(const Warp& warp, const Lanes lanes, Body&& body) {
  detail::OneByOne all;
  detail::context.oneByOne = &all;
  eachLanePublished(warp, lanes, body);
  detail::context.oneByOne = nullptr;
  all.finish();
}

namespace together {

namespace detail {

/// of() is one lane's operand.
template <class Type> inline decltype(auto) of(const PerLane<Type>& operand, unsigned lane) {
  return operand.at(lane);
}
template <class Type> inline const Type& of(const Type& operand, unsigned) { return operand; }

template <class Type> struct Value {
  using type = Type;
};
template <class Type> struct Value<PerLane<Type>> {
  using type = Type;
};
template <class Type> using ValueOf = typename Value<std::decay_t<Type>>::type;

/// Types that a shuffle takes as they are; narrower ones are promoted, as in the functions'
/// overloads.
template <class Type>
using Promoted =
    std::conditional_t<std::is_arithmetic<Type>::value, decltype(+std::declval<Type>()), Type>;

/// Whether an operand is one value for all lanes.
template <class Type> inline constexpr bool isOne = std::is_same<ValueOf<Type>, Type>::value;

/// forMasks() calls visit(lanes) for the lanes that name one mask: nearly always all.
template <class Mask, class Visit>
inline void forMasks(Lanes lanes, const Mask& mask, Visit visit) {
  if constexpr (isOne<Mask>) {
    visit(lanes & Lanes(unsigned(mask)));
  } else {
    Lanes left = lanes;
    while (left.any()) {
      const unsigned common = unsigned(of(mask, left.first()));
      unsigned same = 0;
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        same |= unsigned(left.has(lane) && unsigned(of(mask, lane)) == common) << lane;
      visit(Lanes(same));
      left = left - Lanes(same);
    }
  }
}

/// A mask names lanes of the whole warp; of a tile that runs by itself, those from its first on.
template <class OneWarp>
inline unsigned maskIn([[maybe_unused]] const OneWarp& warp, unsigned mask) {
  using namespace cu2cpp::detail;
  if constexpr (isLaneTile<OneWarp> || isOtherWarp<OneWarp> || isAnyWarp<OneWarp>)
    return mask >> warp.rank % warpLanes;
  return mask;
}

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define CU2CPP_SHUFFLE_VECTORS 1
#endif
#if __has_builtin(__builtin_reduce_or) && defined(__clang__)
#define CU2CPP_REDUCE_VECTORS 1
#endif
#endif

/// A warp of such values is shuffled as vectors.
template <class Type>
constexpr bool shufflesAsVectors =
    std::is_arithmetic<Type>::value && (sizeof(Type) == 4 || sizeof(Type) == 8);

/// Into how many vectors. g++ takes longer ones than the machine has apart.
template <class Type, unsigned lanes> constexpr unsigned shuffleParts() {
  constexpr unsigned all = lanes * sizeof(Type);
#if defined(__clang__)
  constexpr unsigned longest = all;
#elif defined(__AVX512F__)
  constexpr unsigned longest = 64;
#elif defined(__AVX2__)
  constexpr unsigned longest = 32;
#else
  constexpr unsigned longest = 16;
#endif
  return shufflesAsVectors<Type> && all > longest ? all / longest : 1;
}

/// fixedShuffle<mode, By, segment>() is a shuffle within segments of a whole warp (or tile) by a
/// constant distance: a permutation of registers. Here the `width` lanes from First on, which take
/// their values from two vectors at most.
template <cu2cpp::detail::Shuffle mode, unsigned By, unsigned segment, unsigned First, class Result,
          std::size_t... Lane>
inline void fixedShuffle(const PerLane<Result>& in, PerLane<Result>& out,
                         std::index_sequence<Lane...>) {
  using cu2cpp::detail::sourceLane;
#ifdef CU2CPP_SHUFFLE_VECTORS
  if constexpr (shufflesAsVectors<Result>) {
    constexpr unsigned width = sizeof...(Lane);
    constexpr unsigned one = sourceLane(mode, First, By, segment) / width;
    constexpr unsigned other = sourceLane(mode, First + width - 1, By, segment) / width;
    static_assert(((sourceLane(mode, First + Lane, By, segment) / width == one ||
                    sourceLane(mode, First + Lane, By, segment) / width == other) &&
                   ...));
    typedef Result Vector __attribute__((vector_size(width * sizeof(Result))));
    Vector a, b;
    std::memcpy(&a, &in.at(one * width), sizeof a);
    std::memcpy(&b, &in.at(other * width), sizeof b);
    a = __builtin_shufflevector(
        a, b,
        int((sourceLane(mode, First + Lane, By, segment) / width == one ? 0 : width) +
            sourceLane(mode, First + Lane, By, segment) % width)...);
    std::memcpy(&out.at(First), &a, sizeof a);
    return;
  }
#endif
  ((out.at(First + Lane) = in.at(sourceLane(mode, First + Lane, By, segment))), ...);
}
template <cu2cpp::detail::Shuffle mode, unsigned By, unsigned segment, unsigned lanes, class Result,
          std::size_t... Part>
inline void fixedShuffleInParts(const PerLane<Result>& in, PerLane<Result>& out,
                                std::index_sequence<Part...>) {
  constexpr unsigned width = lanes / sizeof...(Part);
  (fixedShuffle<mode, By, segment, Part * width>(in, out, std::make_index_sequence<width>()), ...);
}

/// wholeShuffle() is a shuffle within segments of a whole warp, or of a tile of so many lanes, by
/// one distance (or from one lane) for all; false if it has no short cut.
template <cu2cpp::detail::Shuffle mode, unsigned segment = warpLanes, unsigned lanes = warpLanes,
          class Result>
inline bool wholeShuffle(const PerLane<Result>& in, PerLane<Result>& out, unsigned argument) {
  using cu2cpp::detail::Shuffle;
  if (mode == Shuffle::index) {
    for (unsigned first = 0; first < lanes; first += segment) {
      const Result value = in.at(first + (argument & (segment - 1)));
#if defined(__clang__)
      // One vector: compilers would write such a loop out in pieces, for which the loop that reads
      // them would have to wait.
      if constexpr (shufflesAsVectors<Result> && segment * sizeof(Result) >= 16) {
        typedef Result Vector __attribute__((ext_vector_type(segment)));
        const Vector all = value;
        std::memcpy(&out.at(first), &all, sizeof all);
        continue;
      }
#endif
      for (unsigned lane = 0; lane < segment; ++lane)
        out.at(first + lane) = value;
    }
    return true;
  }
  constexpr std::make_index_sequence<shuffleParts<Result, lanes>()> parts{};
  switch (argument) {
  case 1:
    fixedShuffleInParts<mode, 1, segment, lanes>(in, out, parts);
    return true;
  case 2:
    fixedShuffleInParts<mode, 2, segment, lanes>(in, out, parts);
    return true;
  }
  // Short where segments are: to be part of callers, of which each has one distance.
  if constexpr (segment > 4)
    if (argument == 4) {
      fixedShuffleInParts<mode, 4, segment, lanes>(in, out, parts);
      return true;
    }
  if constexpr (segment > 8)
    if (argument == 8) {
      fixedShuffleInParts<mode, 8, segment, lanes>(in, out, parts);
      return true;
    }
  if constexpr (segment > 16)
    if (argument == 16) {
      fixedShuffleInParts<mode, 16, segment, lanes>(in, out, parts);
      return true;
    }
  return false;
}

/// The same for segments of that many lanes: a warp, a tile, or a half of one or less.
template <cu2cpp::detail::Shuffle mode, unsigned lanes, class Result>
inline bool segmentShuffle(const PerLane<Result>& in, PerLane<Result>& out, unsigned argument,
                           unsigned width) {
  // The lanes of a tile that have a partner by exclusive or have it in the tile.
  if (width == lanes || (mode == cu2cpp::detail::Shuffle::exclusiveOr && width > lanes))
    return wholeShuffle<mode, lanes, lanes>(in, out, argument);
  if constexpr (lanes > 16)
    if (width == 16)
      return wholeShuffle<mode, 16, lanes>(in, out, argument);
  if constexpr (lanes > 8)
    if (width == 8)
      return wholeShuffle<mode, 8, lanes>(in, out, argument);
  return false;
}

/// A number goes to functions that are not part of their callers as it is: a loop's counter of
/// which one has the address is in memory, and the loop over distances around a shuffle is not
/// written out.
template <class Type>
using ByValue = std::conditional_t<std::is_arithmetic<Type>::value, const Type, const Type&>;

/// someShuffle() is a shuffle among some lanes of a warp. Never part of its callers: it is long and
/// seldom runs.
template <cu2cpp::detail::Shuffle mode, class Result, class ValueType, class Argument, class Width>
__attribute__((noinline)) PerLane<Result>
someShuffle(Lanes lanes, const ValueType& value, ByValue<Argument> argument, ByValue<Width> width) {
  PerLane<Result> out;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    const unsigned source = cu2cpp::detail::sourceLane(mode, lane, unsigned(of(argument, lane)),
                                                       unsigned(of(width, lane))) &
                            31;
    if (lanes.has(source))
      out.at(lane) = Result(of(value, source));
    else
      std::memset(static_cast<void*>(&out.at(lane)), 0, sizeof(Result));
  }
  return out;
}

/// areAlike() asks whether all lanes have the same value.
template <unsigned lanes, class Type>
__attribute__((always_inline)) inline bool areAlike(const PerLane<Type>& values) {
  const Type first = values.at(0);
  Type differ = 0;
#ifdef CU2CPP_REDUCE_VECTORS
  if constexpr (shufflesAsVectors<Type>) {
    typedef Type Vector __attribute__((ext_vector_type(lanes)));
    Vector all;
    std::memcpy(&all, &values.at(0), sizeof all);
    return __builtin_reduce_or(all ^ first) == 0;
  }
#endif
  for (unsigned lane = 0; lane < lanes; ++lane)
    differ |= values.at(lane) ^ first;
  return differ == 0;
}

/// variedShuffle() is a shuffle of a whole warp by any distances. g++ does not write out the loop
/// over distances around a shuffle, and would have to compile this at each.
template <cu2cpp::detail::Shuffle mode, unsigned lanes, class Result, class Argument, class Width>
#if !defined(__clang__)
__attribute__((noinline))
#endif
inline PerLane<Result>
variedShuffle(const PerLane<Result>& in, ByValue<Argument> argument, ByValue<Width> width) {
  PerLane<Result> out;
  for (unsigned lane = 0; lane < lanes; ++lane)
    out.at(lane) = in.at(cu2cpp::detail::sourceLane(mode, lane, unsigned(of(argument, lane)),
                                                    unsigned(of(width, lane))) &
                         (lanes - 1));
  return out;
}

// The loop over values from one lane is to see that it is one.
#if defined(__clang__)
#define CU2CPP_SHUFFLE_INLINE __attribute__((always_inline))
#else
#define CU2CPP_SHUFFLE_INLINE
#endif

template <cu2cpp::detail::Shuffle mode, class Result, class OneWarp, class ValueType,
          class Argument, class Width>
CU2CPP_SHUFFLE_INLINE inline PerLane<Result> shuffle(const OneWarp&, Lanes lanes,
                                                     const ValueType& value,
                                                     const Argument& argument, const Width& width) {
  constexpr unsigned count = cu2cpp::detail::lanesTogether<OneWarp>;
  if constexpr (!cu2cpp::detail::isOtherWarp<OneWarp>)
    if (lanes.bits() == ~0u >> (warpLanes - count)) {
      PerLane<Result> in, out;
      for (unsigned lane = 0; lane < count; ++lane)
        in.at(lane) = Result(of(value, lane));
      if constexpr (std::is_integral<Argument>::value && std::is_integral<Width>::value &&
                    std::is_trivially_copyable<Result>::value)
        if (segmentShuffle<mode, count>(in, out, unsigned(argument), unsigned(width)))
          return out;
      // Lanes that name the lane they read from mostly name the same: a pivot's, a leader's.
      if constexpr (mode == cu2cpp::detail::Shuffle::index && !isOne<Argument> &&
                    std::is_integral<ValueOf<Argument>>::value && std::is_integral<Width>::value &&
                    std::is_trivially_copyable<Result>::value)
        if (unsigned(width) == count && areAlike<count>(argument)) {
          wholeShuffle<mode, count, count>(in, out, unsigned(argument.at(0)));
          return out;
        }
      return variedShuffle<mode, count, Result, Argument, Width>(in, argument, width);
    }
  return someShuffle<mode, Result, ValueType, Argument, Width>(lanes, value, argument, width);
}

template <cu2cpp::detail::Shuffle mode, class OneWarp, class Masks, class ValueType, class Argument,
          class Width>
inline auto shuffleMasked(const OneWarp& warp, Lanes lanes, const Masks& mask,
                          const ValueType& value, const Argument& argument, const Width& width) {
  using Result = Promoted<ValueOf<ValueType>>;
  // A thread that calls is in the mask that it gives. Lanes that name those of their own group
  // (`0xffu << first`) may read from these alone: which others call is all the same.
  if constexpr (isOne<Masks>)
    lanes = lanes & Lanes(maskIn(warp, unsigned(mask)));
  return shuffle<mode, Result>(warp, lanes, value, argument, width);
}

/// shuffleTogether() is that, short for a whole tile: all of it is in the mask that it gives, and
/// to ask, or to call a function, would have what lanes keep and distances lie in memory.
template <cu2cpp::detail::Shuffle mode, class OneWarp, class Masks, class ValueType, class Argument,
          class Width>
CU2CPP_SHUFFLE_INLINE inline auto shuffleTogether(const OneWarp& warp, Lanes lanes,
                                                  const Masks& mask, const ValueType& value,
                                                  const Argument& argument, const Width& width) {
  if constexpr (cu2cpp::detail::isLaneTile<OneWarp> && isOne<Masks>)
    if (warp.isWhole(lanes))
      return shuffle<mode, Promoted<ValueOf<ValueType>>>(warp, lanes, value, argument, width);
  return shuffleMasked<mode>(warp, lanes, mask, value, argument, width);
}

/// Lanes that do not vote are asked, too, as part of a vector, and left out.
template <class Predicate> inline unsigned votes(Lanes lanes, const Predicate& predicate) {
  PerLane<unsigned> holds;
  CU2CPP_EACH_OF_WARP
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    holds.at(lane) = int(of(predicate, lane)) != 0;
  return cu2cpp::detail::setLanes(holds) & lanes.bits();
}

/// vote() gives each group of lanes verdict(lanes, votes).
template <class Result, class Masks, class Predicate, class Verdict>
inline PerLane<Result> vote(Lanes lanes, const Masks& mask, const Predicate& predicate,
                            Verdict verdict) {
  PerLane<Result> out;
  const unsigned all = votes(lanes, predicate);
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    const Lanes group = lanes & Lanes(unsigned(of(mask, lane)));
    out.at(lane) = verdict(group, all & group.bits());
  }
  return out;
}

template <class Type> inline bool sameBits(const Type& a, const Type& b) {
  return std::memcmp(&a, &b, sizeof(Type)) == 0;
}

template <class Masks, class ValueType, class Combine>
inline auto reduce(Lanes lanes, const Masks& mask, const ValueType& value, Combine combine) {
  using Result = Promoted<ValueOf<ValueType>>;
  PerLane<Result> out;
  forMasks(lanes, mask, [&](Lanes group) {
    unsigned left = group.bits();
    if (left == 0)
      return;
    Result result = of(value, group.first());
    for (left &= left - 1; left != 0; left &= left - 1)
      result = combine(result, Result(of(value, unsigned(__builtin_ctz(left)))));
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if (group.has(lane))
        out.at(lane) = result;
  });
  return out;
}

} // namespace detail

#define CU2CPP_TOGETHER_SHUFFLE(name, mode)                                                        \
  template <class OneWarp, class Masks, class ValueType, class Argument, class Width = int>        \
  CU2CPP_SHUFFLE_INLINE inline auto name##_sync(                                                   \
      const OneWarp& warp, Lanes lanes, const Masks& mask, const ValueType& value,                 \
      const Argument& argument, const Width& width = 32) {                                         \
    return detail::shuffleTogether<cu2cpp::detail::Shuffle::mode>(warp, lanes, mask, value,        \
                                                                  argument, width);                \
  }                                                                                                \
  template <class OneWarp, class ValueType, class Argument, class Width = int>                     \
  inline auto(name)(const OneWarp& warp, Lanes lanes, const ValueType& value,                      \
                    const Argument& argument, const Width& width = 32) {                           \
    return detail::shuffle<cu2cpp::detail::Shuffle::mode,                                          \
                           detail::Promoted<detail::ValueOf<ValueType>>>(warp, lanes, value,       \
                                                                         argument, width);         \
  }
CU2CPP_TOGETHER_SHUFFLE(__shfl, index)
CU2CPP_TOGETHER_SHUFFLE(__shfl_up, up)
CU2CPP_TOGETHER_SHUFFLE(__shfl_down, down)
CU2CPP_TOGETHER_SHUFFLE(__shfl_xor, exclusiveOr)
#undef CU2CPP_TOGETHER_SHUFFLE

namespace detail {

/// The lanes that don't keep their own value, if all lanes shuffle and those are few; all otherwise.
template <unsigned lanes, class Source>
__attribute__((always_inline)) inline unsigned lanesThatTurn(const PerLane<Source>& sources) {
  PerLane<unsigned> differ;
  for (unsigned lane = 0; lane < lanes; ++lane)
    differ.at(lane) = (unsigned(sources.at(lane)) & (lanes - 1)) ^ lane;
  return cu2cpp::detail::setLanes<lanes>(differ);
}

} // namespace detail

/// shuffleInPlace() is a __shfl_sync() of what lies at place(lane), which gets the result. Mostly two
/// rows of a matrix change places, of which each lane has one: then they alone are loaded and
/// stored.
template <class OneWarp, class Masks, class Place, class Source, class Width = int>
CU2CPP_SHUFFLE_INLINE inline void shuffleInPlace(const OneWarp& warp, Lanes lanes,
                                                 const Masks& mask, Place&& place,
                                                 const Source& sources, const Width& width = 32) {
  using Value = std::decay_t<decltype(place(std::declval<const Lane&>()))>;
  constexpr unsigned count = cu2cpp::detail::lanesTogether<OneWarp>;
  if constexpr (!cu2cpp::detail::isOtherWarp<OneWarp> && detail::isOne<Masks> &&
                !detail::isOne<Source> && std::is_integral<Width>::value &&
                std::is_integral<detail::ValueOf<Source>>::value) {
    constexpr unsigned all = ~0u >> (warpLanes - count);
    if ((lanes & Lanes(detail::maskIn(warp, unsigned(mask)))).bits() == all &&
        unsigned(width) == count) {
      constexpr int few = 4;
      const auto at = [&](unsigned lane) CU2CPP_INLINE -> auto& {
        return place(Lane{{warp.threadOf(lane), warp.block, warp.rank + lane}, lane});
      };
      const auto sourceOf = [&](unsigned lane) CU2CPP_INLINE {
        return unsigned(sources.at(lane)) & (count - 1);
      };
      const unsigned turn = detail::lanesThatTurn<count>(sources);
      if (__builtin_popcount(turn) == 2) {
        const unsigned one = unsigned(__builtin_ctz(turn)), other = 31 - unsigned(__builtin_clz(turn));
        const Value ofOne = at(sourceOf(one)), ofOther = at(sourceOf(other));
        at(one) = ofOne;
        at(other) = ofOther;
        return;
      }
      if (__builtin_popcount(turn) <= few) {
        Value got[few];
        unsigned n = 0;
        for (unsigned left = turn; left != 0; left &= left - 1)
          got[n++] = at(sourceOf(unsigned(__builtin_ctz(left))));
        n = 0;
        for (unsigned left = turn; left != 0; left &= left - 1)
          at(unsigned(__builtin_ctz(left))) = got[n++];
        return;
      }
    }
  }
  const auto result = __shfl_sync(warp, lanes, mask, perLane(warp, lanes, place), sources, width);
  eachLane(warp, lanes, [&](const Lane lane) CU2CPP_INLINE { place(lane) = result[lane]; });
}
#undef CU2CPP_SHUFFLE_INLINE

namespace detail {

/// The steps of laneOfExtreme() for each of the lanes.
template <class Value, class Place>
__attribute__((noinline)) PerLane<int> extremesByLanes(Lanes lanes, PerLane<Value> values,
                                                       PerLane<Place> places, int how) {
  using cu2cpp::detail::Shuffle;
  const Shuffle mode =
      (how & extremeForFirstLane) != 0 ? Shuffle::down : Shuffle::exclusiveOr;
  PerLane<int> from;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    from.at(lane) = int(lane);
  for (unsigned by = 16; by > 0; by >>= 1) {
    const PerLane<Value> oldValues = values;
    const PerLane<Place> oldPlaces = places;
    const PerLane<int> oldFrom = from;
    for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
      const unsigned lane = unsigned(__builtin_ctz(left));
      const unsigned source = cu2cpp::detail::sourceLane(mode, lane, by, warpLanes);
      const bool is = lanes.has(source);
      const Value value = is ? oldValues.at(source) : Value();
      const Place place = is ? oldPlaces.at(source) : Place();
      if (cu2cpp::detail::isBetter(how, value, place, oldValues.at(lane), oldPlaces.at(lane))) {
        values.at(lane) = value;
        places.at(lane) = place;
        from.at(lane) = is ? oldFrom.at(source) : 0;
      }
    }
  }
  return from;
}

#if defined(CU2CPP_REDUCE_VECTORS)
/// The greatest (or least) of some values, none of which is not a number.
template <unsigned count, class Value>
__attribute__((always_inline)) inline Value extremeOf(const Value* all, bool least) {
  if constexpr (count == 1) {
    return *all;
  } else {
    typedef Value Half __attribute__((ext_vector_type(count / 2)));
    Half a, b;
    std::memcpy(&a, all, sizeof(Value) * (count / 2));
    std::memcpy(&b, all + count / 2, sizeof(Value) * (count / 2));
    a = least ? (b < a ? b : a) : (b > a ? b : a);
    Value half[count / 2];
    std::memcpy(half, &a, sizeof half);
    return extremeOf<count / 2>(half, least);
  }
}
#endif

/// The one lane that all lanes of a whole warp find (the first lane, if it alone matters); -1 if
/// they have to be asked.
template <class Value, class Place>
__attribute__((always_inline)) inline int extremeOfWarp(const PerLane<Value>& values,
                                                        const PerLane<Place>& places, int how) {
#if defined(CU2CPP_REDUCE_VECTORS)
  typedef Value Vector __attribute__((ext_vector_type(warpLanes)));
  typedef bool Bits __attribute__((ext_vector_type(warpLanes)));
  Vector all;
  std::memcpy(&all, &values.at(0), sizeof all);
  const auto bitsOf = [](const auto& set) __attribute__((always_inline)) {
    const Bits lanes = __builtin_convertvector(set, Bits);
    unsigned bits = 0;
    std::memcpy(&bits, &lanes, sizeof bits);
    return bits;
  };
  if constexpr (!std::is_integral<Value>::value)
    if (bitsOf(all != all) != 0)
      return -1;
  const Value best = extremeOf<warpLanes>(&values.at(0), (how & extremeIsLeast) != 0);
  unsigned equal = bitsOf(all == best);
  if ((equal & (equal - 1)) == 0)
    return int(__builtin_ctz(equal));
  if ((how & extremeAsksPlace) != 0) {
    unsigned lane = unsigned(__builtin_ctz(equal));
    for (unsigned left = equal & (equal - 1); left != 0; left &= left - 1) {
      const unsigned other = unsigned(__builtin_ctz(left));
      if (places.at(other) == places.at(lane) || places.at(other) != places.at(other))
        return -1;
      if ((how & extremeOfGreaterPlace) != 0 ? places.at(other) > places.at(lane)
                                             : places.at(other) < places.at(lane))
        lane = other;
    }
    return places.at(lane) == places.at(lane) ? int(lane) : -1;
  }
  if ((how & extremeForFirstLane) == 0)
    return -1;
  // The step that comes last chooses first: what the first lane has itself, if that is as good.
  for (const unsigned own : {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu})
    if ((equal & own) != 0)
      equal &= own;
  return int(__builtin_ctz(equal));
#else
  return -1;
#endif
}

} // namespace detail

template <class OneWarp, class ValueType, class PlaceType>
inline PerLane<int> laneOfExtreme(const OneWarp&, Lanes lanes, const ValueType& value,
                                  const PlaceType& place, int how) {
  using Value = detail::ValueOf<ValueType>;
  using Place = detail::ValueOf<PlaceType>;
  PerLane<Value> values;
  PerLane<Place> places;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    values.at(lane) = detail::of(value, lane);
    places.at(lane) = detail::of(place, lane);
  }
  if (lanes.bits() == ~0u)
    if (const int lane = detail::extremeOfWarp(values, places, how); lane >= 0)
      return PerLane<int>(lane);
  return detail::extremesByLanes<Value, Place>(lanes, values, places, how);
}

namespace detail {
/// What lanes keep stays where it lies.
template <class Type> inline const PerLane<Type>& keptBy(const PerLane<Type>& value) {
  return value;
}
template <class Type> inline PerLane<Type> keptBy(const Type& value) {
  return PerLane<Type>(value);
}
} // namespace detail

template <class OneWarp, class ValueType, class PlaceType>
__attribute__((always_inline)) inline int firstLaneOfExtreme(const OneWarp&, Lanes lanes,
                                                             const ValueType& value,
                                                             const PlaceType& place, int how) {
  const auto& values = detail::keptBy(value);
  const auto& places = detail::keptBy(place);
  if (lanes.bits() == ~0u)
    if (const int lane = detail::extremeOfWarp(values, places, how); lane >= 0)
      return lane;
  return detail::extremesByLanes(lanes, values, places, how).at(0);
}

template <class OneWarp, class ValueType>
inline detail::ValueOf<ValueType> ofLane(const OneWarp&, Lanes lanes, const ValueType& value,
                                         int lane) {
  return lanes.has(unsigned(lane)) ? detail::of(value, unsigned(lane))
                                   : detail::ValueOf<ValueType>();
}

template <class Masks, class Predicate>
inline auto __ballot_sync(const Warp&, Lanes lanes, const Masks& mask, const Predicate& predicate) {
  return detail::vote<unsigned>(lanes, mask, predicate,
                                [](Lanes, unsigned votes) { return votes; });
}
template <class Masks, class Predicate>
inline auto __any_sync(const Warp&, Lanes lanes, const Masks& mask, const Predicate& predicate) {
  return detail::vote<int>(lanes, mask, predicate,
                           [](Lanes, unsigned votes) { return int(votes != 0); });
}
template <class Masks, class Predicate>
inline auto __all_sync(const Warp&, Lanes lanes, const Masks& mask, const Predicate& predicate) {
  return detail::vote<int>(lanes, mask, predicate,
                           [](Lanes all, unsigned votes) { return int(votes == all.bits()); });
}
template <class Masks, class Predicate>
inline auto __uni_sync(const Warp&, Lanes lanes, const Masks& mask, const Predicate& predicate) {
  return detail::vote<int>(lanes, mask, predicate, [](Lanes all, unsigned votes) {
    return int(votes == all.bits() || votes == 0);
  });
}
template <class Predicate>
inline auto(__ballot)(const Warp& warp, Lanes lanes, const Predicate& predicate) {
  return __ballot_sync(warp, lanes, ~0u, predicate);
}
template <class Predicate>
inline auto(__any)(const Warp& warp, Lanes lanes, const Predicate& predicate) {
  return __any_sync(warp, lanes, ~0u, predicate);
}
template <class Predicate>
inline auto(__all)(const Warp& warp, Lanes lanes, const Predicate& predicate) {
  return __all_sync(warp, lanes, ~0u, predicate);
}
inline PerLane<unsigned> __activemask(const Warp&, Lanes lanes) {
  return PerLane<unsigned>(lanes.bits());
}

template <class Masks, class ValueType>
inline auto __match_any_sync(const Warp&, Lanes lanes, const Masks& mask, const ValueType& value) {
  PerLane<unsigned> out;
  detail::forMasks(lanes, mask, [&](Lanes group) {
    for (unsigned left = group.bits(); left != 0; left &= left - 1) {
      const unsigned lane = unsigned(__builtin_ctz(left));
      unsigned same = 0;
      for (unsigned other = 0; other < warpLanes; ++other)
        same |= unsigned(group.has(other) &&
                         detail::sameBits(detail::of(value, lane), detail::of(value, other)))
                << other;
      out.at(lane) = same;
    }
  });
  return out;
}
template <class Masks, class ValueType>
inline auto __match_all_sync(const Warp&, Lanes lanes, const Masks& mask, const ValueType& value,
                             const PerLane<int*>& predicate) {
  PerLane<unsigned> out;
  detail::forMasks(lanes, mask, [&](Lanes group) {
    if (!group.any())
      return;
    bool all = true;
    for (unsigned left = group.bits(); left != 0; left &= left - 1)
      all = all && detail::sameBits(detail::of(value, group.first()),
                                    detail::of(value, unsigned(__builtin_ctz(left))));
    for (unsigned left = group.bits(); left != 0; left &= left - 1) {
      const unsigned lane = unsigned(__builtin_ctz(left));
      out.at(lane) = all ? group.bits() : 0;
      *predicate.at(lane) = all;
    }
  });
  return out;
}

#define CU2CPP_TOGETHER_REDUCE(name, expression)                                                   \
  template <class Masks, class ValueType>                                                          \
  inline auto __reduce_##name##_sync(const Warp&, Lanes lanes, const Masks& mask,                  \
                                     const ValueType& value) {                                     \
    return detail::reduce(lanes, mask, value,                                                      \
                          [](auto a, auto b) { return decltype(a)(expression); });                 \
  }
// Signed sums wrap around, as in hardware.
CU2CPP_TOGETHER_REDUCE(add, unsigned(a) + unsigned(b))
CU2CPP_TOGETHER_REDUCE(min, b < a ? b : a)
CU2CPP_TOGETHER_REDUCE(max, a < b ? b : a)
CU2CPP_TOGETHER_REDUCE(and, a& b)
CU2CPP_TOGETHER_REDUCE(or, a | b)
CU2CPP_TOGETHER_REDUCE(xor, a ^ b)
#undef CU2CPP_TOGETHER_REDUCE

namespace detail {
/// For how many of a block's threads a predicate holds.
template <class Predicate>
inline unsigned count(const Block& block, const Exited& exited, const Predicate& predicate,
                      unsigned& all) {
  unsigned trues = 0;
  all = 0;
  for (unsigned i = 0, n = block.threadCount(); i < n; ++i)
    if (!exited.has(i)) {
      ++all;
      trues += predicate.at(i) != 0;
    }
  return trues;
}
template <class Type> struct Shared {
  const Type& value;
  const Type& at(unsigned) const { return value; }
};
template <class Type> inline const PerThread<Type>& threads(const PerThread<Type>& operand) {
  return operand;
}
template <class Type> inline Shared<Type> threads(const Type& operand) { return {operand}; }
} // namespace detail

template <class Predicate>
inline int __syncthreads_count(const Block& block, const Exited& exited,
                               const Predicate& predicate) {
  unsigned all;
  return int(detail::count(block, exited, detail::threads(predicate), all));
}
template <class Predicate>
inline int __syncthreads_and(const Block& block, const Exited& exited, const Predicate& predicate) {
  unsigned all;
  return detail::count(block, exited, detail::threads(predicate), all) == all;
}
template <class Predicate>
inline int __syncthreads_or(const Block& block, const Exited& exited, const Predicate& predicate) {
  unsigned all;
  return detail::count(block, exited, detail::threads(predicate), all) != 0;
}

} // namespace together
} // namespace cu2cpp

#endif

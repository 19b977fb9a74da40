// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block for which it is known beforehand where conditions hold: in a
// range of each row, or in a box.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_BLOCK_RANGES_H
#define CU2CPP_BLOCK_RANGES_H

#include <cstddef>
#include <limits>
#include <type_traits>

#include <cu2cpp/block.h>

namespace cu2cpp {

/// stepOf() is the product of factors as the step of an Inside: 0, with which nothing is known, if
/// it is not positive or so much that few threads are left in a range.
template <class... Factor> constexpr unsigned stepOf(Factor... factors) {
  constexpr unsigned long long most = 1ull << 20;
  unsigned long long step = 1;
  ((step = factors > 0 && static_cast<unsigned long long>(factors) <= most ? step * factors : 0,
    step = step <= most ? step : 0),
   ...);
  return unsigned(step);
}

/// FromTo is what a value is in the first and in the last step of a loop of each thread, in which
/// it rises.
template <class Position> struct FromTo {
  Position first, last;
};
/// fromTo() is what place(counter) gives from the first to the last counter.
template <class Place, class First, class Last>
constexpr auto fromTo(const Place& place, First first, Last last) {
  return FromTo<decltype(place(first))>{place(first), place(last)};
}

/// Alike is a value that all threads of a row have, in each of these steps if it has some.
template <class Position> struct Alike {
  FromTo<Position> values;
};
template <class Position> constexpr Alike<Position> alike(FromTo<Position> values) {
  return {values};
}
template <class Position> constexpr Alike<Position> alike(Position value) {
  return {{value, value}};
}

struct GuardedInside;
struct GuardedOfOne;

/// Falling is a value in a row's first thread that is less, not more, from thread to thread.
template <class Position> struct Falling {
  Position first;
};
template <class Position> constexpr Falling<Position> falling(Position first) { return {first}; }

/// Inside is a range of threads of a row: those for which some values, each `step` more from thread
/// to thread, keep to bounds. first is such a value in the row's first thread.
class Inside {
public:
  template <class Position, class Limit>
  constexpr Inside& atLeast(Position first, Limit bound, unsigned step = 1) {
    return add(first, bound, 0, true, step);
  }
  template <class Position, class Limit>
  constexpr Inside& above(Position first, Limit bound, unsigned step = 1) {
    return add(first, bound, 1, true, step);
  }
  template <class Position, class Limit>
  constexpr Inside& below(Position first, Limit bound, unsigned step = 1) {
    return add(first, bound, 0, false, step);
  }
  template <class Position, class Limit>
  constexpr Inside& atMost(Position first, Limit bound, unsigned step = 1) {
    return add(first, bound, 1, false, step);
  }
  template <class Position, class Limit>
  constexpr Inside& atLeast(Falling<Position> value, Limit bound, unsigned step = 1) {
    return addFalling(value.first, bound, 0, false, step);
  }
  template <class Position, class Limit>
  constexpr Inside& above(Falling<Position> value, Limit bound, unsigned step = 1) {
    return addFalling(value.first, bound, 1, false, step);
  }
  template <class Position, class Limit>
  constexpr Inside& below(Falling<Position> value, Limit bound, unsigned step = 1) {
    return addFalling(value.first, bound, 0, true, step);
  }
  template <class Position, class Limit>
  constexpr Inside& atMost(Falling<Position> value, Limit bound, unsigned step = 1) {
    return addFalling(value.first, bound, 1, true, step);
  }
  template <class Position, class Limit>
  constexpr Inside& atLeast(Alike<Position> value, Limit bound) {
    return addAlike(value.values, bound, [](auto a, auto b) { return a >= b; });
  }
  template <class Position, class Limit>
  constexpr Inside& above(Alike<Position> value, Limit bound) {
    return addAlike(value.values, bound, [](auto a, auto b) { return a > b; });
  }
  template <class Position, class Limit>
  constexpr Inside& below(Alike<Position> value, Limit bound) {
    return addAlike(value.values, bound, [](auto a, auto b) { return a < b; });
  }
  template <class Position, class Limit>
  constexpr Inside& atMost(Alike<Position> value, Limit bound) {
    return addAlike(value.values, bound, [](auto a, auto b) { return a <= b; });
  }
  /// unlike() leaves out the thread whose place is this one. Where others follow behind it, these
  /// have to ask.
  template <class Position, class Limit>
  constexpr Inside& unlike(Position first, Limit value, unsigned step = 1) {
    using Common = std::common_type_t<Position, Limit>;
    using Wide = std::conditional_t<sizeof(Common) <= 4, long long, __int128>;
    const Common from = static_cast<Common>(first), to = static_cast<Common>(value);
    bounds_ += 2;
    if (wrapsAround<Common>(first, step)) {
      end_ = 0;
      isKnown_ = false;
      return *this;
    }
    const Wide way = Wide(to) - Wide(from);
    if (way < 0 || way % step != 0 || way / step >= Wide(end_))
      return *this;
    const auto at = static_cast<unsigned>(way / step);
    if (at == begin_) {
      ++begin_;
    } else if (at > begin_) {
      end_ = at;
      restAsks_ = true;
    }
    return *this;
  }
  /// Whether threads outside the range that are known otherwise to do nothing have to ask.
  constexpr bool restAsks() const { return restAsks_; }
  /// maybeOutside() says that threads outside of the range have to ask all the same.
  constexpr Inside& maybeOutside() {
    bounds_ += 2;
    return *this;
  }
  /// only() leaves no thread unless something holds that the row agrees on.
  constexpr Inside& only(bool holds) {
    end_ = holds ? end_ : 0;
    isOfNone_ = isOfNone_ || !holds;
    return *this;
  }
  /// Whether something does not hold that the row agrees on: all its threads break a bound.
  constexpr bool isOfNone() const { return isOfNone_; }
  /// unwrapped() adds no bound: makes no range of a value that wraps around in the row.
  template <class Position> constexpr Inside& unwrapped(Position first, unsigned step = 1) {
    return add(first, std::numeric_limits<Position>::min(), 0, true, step);
  }
  constexpr unsigned begin() const { return begin_; }
  constexpr unsigned end() const { return end_; }
  /// holdsRow() tells whether a range has all threads of a row.
  constexpr bool holdsRow(unsigned size) const { return begin_ == 0 && end_ >= size; }
  /// Whether threads outside the range are known to break a bound.
  constexpr bool isKnown() const { return isKnown_; }
  /// ofOne() says that all bounds are parts of one condition, which fails where one of them does.
  constexpr Inside& ofOne() {
    isOfOne_ = true;
    return *this;
  }
  /// Whether all bounds are said to be parts of one condition, which fails outside the range.
  constexpr bool isOfOne() const { return isKnown_ && isOfOne_; }
  /// Whether there is but one condition: it fails for all threads outside the range.
  constexpr bool hasOneCondition() const { return isKnown_ && (bounds_ == 1 || isOfOne_); }

  /// guarded() adds whether `places`, the range in which nothing has to be kept within bounds,
  /// holds all threads of `guard`, outside of which what is kept within bounds is not asked for.
  constexpr GuardedInside guarded(const Inside& places, const Inside& guard) const;
  /// guardedOfOne() is guarded() where all other bounds are parts of one condition: if the guard
  /// holds and places are free, it fails outside of the range.
  constexpr GuardedOfOne guardedOfOne(const Inside& places, const Inside& guard) const;

  /// also() is the range of threads that are in another one, too.
  constexpr Inside also(const Inside& other) const {
    Inside both = *this;
    both.begin_ = other.begin_ > begin_ ? other.begin_ : begin_;
    both.end_ = other.end_ < end_ ? other.end_ : end_;
    both.isKnown_ = isKnown_ && other.isKnown_;
    both.bounds_ = bounds_ + other.bounds_;
    both.isOfOne_ = false;
    both.isOfNone_ = isOfNone_ || other.isOfNone_;
    return both;
  }
  /// holds() tells whether a range has all of another one's threads.
  constexpr bool holds(const Inside& other) const {
    return begin_ <= other.begin_ && other.end_ <= end_;
  }

  static constexpr unsigned longestRow = 1024;

private:
  /// Whether a place, or what it is compared as, wraps around within the longest row.
  template <class Common, class Position>
  static constexpr bool wrapsAround(Position first, unsigned step) {
    return step == 0 ||
           first > std::numeric_limits<Position>::max() - Position(longestRow * step) ||
           static_cast<Common>(first) >
               std::numeric_limits<Common>::max() - Common(longestRow * step);
  }
  // Compared as C++ compares the two types. Values that would wrap around within the longest row
  // make no range.
  template <class Position, class Limit>
  constexpr Inside& add(Position first, Limit bound, unsigned more, bool isBegin, unsigned step) {
    using Common = std::common_type_t<Position, Limit>;
    using Wide = std::conditional_t<sizeof(Common) <= 4, long long, __int128>;
    const Common from = static_cast<Common>(first), to = static_cast<Common>(bound);
    ++bounds_;
    if (wrapsAround<Common>(first, step)) {
      end_ = 0;
      isKnown_ = false;
      return *this;
    }
    const Wide distance = Wide(to) - Wide(from) + more;
    const Wide place = distance <= 0 || step == 1 ? distance : (distance + (step - 1)) / step;
    return cut(place, isBegin);
  }
  // Values below zero are large ones where the comparison is of unsigned numbers: a range that ends
  // with zero is one of those that are below a bound.
  template <class Position, class Limit>
  constexpr Inside& addFalling(Position first, Limit bound, unsigned more, bool isBegin,
                               unsigned step) {
    using Common = std::common_type_t<Position, Limit>;
    using Wide = std::conditional_t<sizeof(Common) <= 4, long long, __int128>;
    using Places = std::numeric_limits<Position>;
    using Values = std::numeric_limits<Common>;
    const Common from = static_cast<Common>(first), to = static_cast<Common>(bound);
    ++bounds_;
    const Wide length = Wide(longestRow) * step;
    const bool wraps = Wide(from) < Wide(Values::min()) + length;
    const bool endsAtZero = wraps && Values::min() == 0 && sizeof(Position) == sizeof(Common) &&
                            isBegin && Wide(to) <= Wide(Values::max()) - length;
    if (step == 0 || (wraps && !endsAtZero) ||
        (!endsAtZero && Wide(first) < Wide(Places::min()) + length)) {
      end_ = 0;
      isKnown_ = false;
      return *this;
    }
    if (endsAtZero)
      cut(Wide(from) / step + 1, false);
    const Wide distance = Wide(from) - Wide(to) - more;
    return cut(distance < 0 ? Wide(0) : distance / step + 1, isBegin);
  }
  // All or none. A bound that one step breaks says nothing of the others.
  template <class Position, class Limit, class Holds>
  constexpr Inside& addAlike(FromTo<Position> values, Limit bound, Holds holds) {
    using Common = std::common_type_t<Position, Limit>;
    const Common first = static_cast<Common>(values.first), last = static_cast<Common>(values.last),
                 to = static_cast<Common>(bound);
    maybeOutside();
    if (values.first > values.last || first > last || !holds(first, to) || !holds(last, to)) {
      end_ = 0;
      isKnown_ = false;
    }
    return *this;
  }
  template <class Wide> constexpr Inside& cut(Wide place, bool isBegin) {
    const unsigned at = place <= 0 ? 0 : place < Wide(longestRow) ? unsigned(place) : longestRow;
    if (isBegin)
      begin_ = at > begin_ ? at : begin_;
    else
      end_ = at < end_ ? at : end_;
    return *this;
  }
  // All values lie between the two, if those are bounded. (What wraps around comes down.) Threads
  // outside of the range keep to the bound in some of the steps.
  template <class Position, class Limit>
  constexpr Inside& add(FromTo<Position> values, Limit bound, unsigned more, bool isBegin,
                        unsigned step) {
    only(values.first <= values.last);
    add(values.first, bound, more, isBegin, step);
    add(values.last, bound, more, isBegin, step);
    isKnown_ = false;
    return *this;
  }
  unsigned begin_ = 0, end_ = longestRow, bounds_ = 0;
  bool isKnown_ = true, isOfOne_ = false, isOfNone_ = false, restAsks_ = false;
};

/// GuardedInside is a range with the news whether places need no keeping within bounds at all, and
/// with the threads outside of which the guard does not hold.
struct GuardedInside : Inside {
  constexpr GuardedInside(const Inside& range, bool isFree, unsigned begin, unsigned end)
      : Inside(range), placesAreFree(isFree), guardBegin(begin), guardEnd(end) {}
  bool placesAreFree;
  unsigned guardBegin, guardEnd;
};
struct GuardedOfOne : GuardedInside {
  constexpr explicit GuardedOfOne(const GuardedInside& range) : GuardedInside(range) {}
};

constexpr GuardedInside Inside::guarded(const Inside& places, const Inside& guard) const {
  return {*this,
          guard.isKnown_ && (guard.begin_ >= guard.end_ ||
                             (places.begin_ <= guard.begin_ && places.end_ >= guard.end_)),
          guard.isKnown_ ? guard.begin_ : 0, guard.isKnown_ ? guard.end_ : longestRow};
}
constexpr GuardedOfOne Inside::guardedOfOne(const Inside& places, const Inside& guard) const {
  return GuardedOfOne(guarded(places, guard));
}

/// Outside stands for std::false_type where the only condition is known to give the other answer:
/// `isInside || condition` does not hold, `!isInside && condition` does.
struct NotOutside {
  template <class Condition> friend constexpr bool operator&&(NotOutside, const Condition&) {
    return true;
  }
};
struct Outside {
  constexpr operator bool() const { return false; }
  constexpr NotOutside operator!() const { return {}; }
  template <class Condition> friend constexpr bool operator||(Outside, const Condition&) {
    return false;
  }
};

/// OutsideGuard stands for std::false_type where the guard is known not to hold, InGuard where it
/// holds, places are free, and the only other condition does not hold; ofGuard() is what the
/// guard's conditions ask.
struct OutsideGuard : std::false_type {};
struct InGuard : Outside {};
template <class IsInside> constexpr auto ofGuard(IsInside is) {
  if constexpr (std::is_same<IsInside, OutsideGuard>::value)
    return Outside();
  else if constexpr (std::is_same<IsInside, InGuard>::value)
    return std::true_type();
  else
    return is;
}

/// FreePlaces stands for std::false_type where nothing has to be kept within bounds.
struct FreePlaces : std::false_type {};
/// BoundPlaces stands for std::true_type where places have to be kept within bounds.
struct BoundPlaces : std::true_type {};
/// isFree() tells whether a place needs no keeping within bounds.
template <class IsInside> constexpr bool isFree(IsInside) {
  return !std::is_same<IsInside, std::false_type>::value &&
         !std::is_same<IsInside, Outside>::value && !std::is_same<IsInside, OutsideGuard>::value &&
         !std::is_same<IsInside, BoundPlaces>::value;
}

/// inRowInside() is inRow() where places need no keeping within bounds. Others may lie anywhere.
template <int step = 1, class IsInside, class Place>
CU2CPP_PURE constexpr auto inRowInside(IsInside, Place place, unsigned threadIdxX) {
  if constexpr (isFree(IsInside()))
    return inRow<step>(place, threadIdxX);
  else
    return place;
}

/// eachThreadInside() runs body(isInside, thread) for all threads, where isInside is std::true_type
/// or, as the case may be also for threads of the range, std::false_type (FreePlaces, if guards
/// know more). bounds(threadIdx) is the range in the row that begins with that thread; an Inside in
/// its place is the range in all rows. eachThreadInside<1, 2>() is for bodies that reach elements
/// of 1 and 2 bytes in memory, and no others.
template <unsigned... sizes, class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadInside(const OneBlock& block, Bounds&&,
                                                            Body&& body) {
  eachThread(block, [&](const Thread thread)
                        __attribute__((always_inline)) { body(std::false_type(), thread); });
}

namespace detail {

/// Threads that are run together in rows of SizeX.
template <unsigned SizeX>
constexpr unsigned rowPart = SizeX % 32 == 0   ? 32
                             : SizeX % 16 == 0 ? 16
                                               : 8;
/// Threads at a range's ends that ask although their row's others don't: they are run with those
/// outside. Few with AVX2, whose stores under a mask are dear; bodies for small elements take
/// whole vectors of those.
#if defined(__AVX2__) && !defined(__AVX512F__)
template <unsigned SizeX, unsigned... sizes>
constexpr unsigned rangePart = sizeof...(sizes) == 0 ? 8 : rowPart<SizeX>;
#else
template <unsigned SizeX, unsigned...> constexpr unsigned rangePart = rowPart<SizeX>;
#endif

/// Threads of a row: `parts` times as many as a part has, so that none is left over from a loop
/// over vectors.
template <unsigned part, unsigned... sizes, class IsInside, class Body>
__attribute__((always_inline)) inline void runParts(const Block& block, Body& body, IsInside is,
                                                    ::uint3 first, unsigned row, unsigned parts) {
  const std::size_t count = std::size_t(parts) * part;
  if constexpr (sizeof...(sizes) > 0 && ((sizes <= 2) && ...)) {
    CU2CPP_EACH_NARROW_PART
    for (std::size_t x = 0; x < count; ++x)
      body(is, Thread{::uint3{first.x + unsigned(x), first.y, first.z}, &block,
                      row + first.x + unsigned(x)});
  } else {
    [[maybe_unused]] constexpr unsigned vectors = part == 32 ? 2 : 1;
    if constexpr (std::is_invocable<Body&, decltype(is), ::uint3>::value) {
      CU2CPP_EACH_PART
      for (std::size_t x = 0; x < count; ++x)
        body(is, Thread{::uint3{first.x + unsigned(x), first.y, first.z}, &block,
                        row + first.x + unsigned(x)});
    } else {
      CU2CPP_EACH_PART
      for (std::size_t x = 0; x < count; ++x) {
        // So that what a thread keeps is known to lie beside its neighbour's: no place wraps
        // around.
        const std::size_t place = first.x + x, rank = row + place;
#if defined(__clang__)
        __builtin_assume(place < 1u << 31);
        __builtin_assume(rank < 1u << 31);
#endif
        body(is, Thread{::uint3{unsigned(place), first.y, first.z}, &block, unsigned(rank)});
      }
    }
  }
}

#if defined(__AVX512F__)
/// The parts of a row: outside of a range up to `from` and behind `to`, inside from `begin` to
/// `end`, in part what lies between. The body stands once for each kind.
template <unsigned part, unsigned... sizes, class Body>
__attribute__((always_inline)) inline void
runWithOutside(const Block& block, Body& body, ::uint3 row, unsigned first, unsigned all,
               unsigned from, unsigned begin, unsigned end, unsigned to) {
  const auto run = [&](const auto is, unsigned some, unsigned last) __attribute__((always_inline)) {
    if (some < last)
      runParts<part, sizes...>(block, body, is, ::uint3{some * part, row.y, row.z}, first,
                               last - some);
  };
  if (begin >= end)
    begin = end = from;
  // One after the other: threads may read what those behind them change (steps_in_turn).
  for (unsigned some = from, last = begin;; some = end, last = to) {
    run(std::false_type(), some, last);
    if (last == to)
      break;
    run(std::true_type(), begin, end);
    // Compilers would compute what the others need before they see that there are none.
    if (begin == 0 && end == all)
      return;
  }
  for (unsigned some = 0, last = from;; some = to, last = all) {
    run(Outside(), some, last);
    if (last == all)
      break;
  }
}
#endif

/// RisingRows tells the ranges of rows whose places are no less than those of the rows before: if
/// the first and the last row are wholly inside, all are.
template <class Bounds> struct RisingRows {
  Bounds bounds;
  __attribute__((always_inline)) auto operator()(const ::uint3& first) const {
    return bounds(first);
  }
};
template <class Bounds> struct AreRising : std::false_type {};
template <class Bounds> struct AreRising<RisingRows<Bounds>> : std::true_type {};

/// Whether all rows of a block are wholly in their ranges, as far as two of them tell.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Bounds>
__attribute__((always_inline)) inline bool areWhole(const Bounds& bounds) {
  if constexpr (AreRising<Bounds>::value && SizeY * SizeZ > 2) {
    const Inside first = bounds(::uint3{}), last = bounds(::uint3{0, SizeY - 1, SizeZ - 1});
    return first.holdsRow(SizeX) && last.holdsRow(SizeX);
  } else {
    return false;
  }
}

/// All rows of a block, each as one run of parts.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, unsigned... sizes, class IsInside,
          class Body>
__attribute__((always_inline)) inline void runWholeRows(const Block& block, Body& body,
                                                        IsInside is) {
  for (unsigned row = 0; row < SizeY * SizeZ; ++row)
    runParts<rowPart<SizeX>, sizes...>(block, body, is, ::uint3{0, row % SizeY, row / SizeY},
                                       row * SizeX, SizeX / rowPart<SizeX>);
}

} // namespace detail

/// rising() makes RisingRows of what tells the range in each row.
template <class Bounds> detail::RisingRows<std::decay_t<Bounds>> rising(Bounds&& bounds) {
  return {bounds};
}

/// Rows of whole vectors; the others have no ranges.
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Bounds,
          class Body,
          class = std::enable_if_t<SizeX % 8 == 0 && !std::is_convertible<Bounds, Inside>::value>>
__attribute__((always_inline)) inline void
eachThreadInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Bounds&& bounds, Body&& body) {
  constexpr unsigned size = detail::rangePart<SizeX, sizes...>;
  constexpr unsigned all = SizeX / size;
  if (detail::areWhole<SizeX, SizeY, SizeZ>(bounds))
    return detail::runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, std::true_type());
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      const Inside range = bounds(::uint3{0, y, z});
      const unsigned end = range.end() < SizeX ? range.end() / size : all;
      unsigned begin = (range.begin() + size - 1) / size, part = 0;
#if defined(__AVX512F__)
      // Masks are cheap, but what they keep from happening takes its time.
      if (range.hasOneCondition()) {
        const unsigned last = range.end() < SizeX ? (range.end() + size - 1) / size : all;
        const unsigned from = range.begin() < SizeX ? range.begin() / size : all;
        const bool isEmpty = range.begin() >= range.end() || from >= all;
        detail::runWithOutside<size, sizes...>(block, body, ::uint3{0, y, z}, row, all,
                                               isEmpty ? 0 : from, begin, end, isEmpty ? 0 : last);
        continue;
      }
#endif
      begin = begin < end ? begin : all;
      // Those before the range and it, then those behind it: the body stands once for each kind.
      do {
        detail::runParts<size, sizes...>(block, body, std::false_type(), ::uint3{part * size, y, z},
                                         row, begin - part);
        if (begin == all)
          break;
        detail::runParts<size, sizes...>(block, body, std::true_type(), ::uint3{begin * size, y, z},
                                         row, end - begin);
        part = end;
        begin = all;
      } while (part < all);
    }
}

namespace detail {

/// Some threads of each row, as vectors and what is left over from them.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class IsInside, class Body>
__attribute__((always_inline)) inline void runInRows(const Block& block, Body& body, IsInside is,
                                                     std::size_t begin, std::size_t end) {
  for (unsigned row = 0; row < SizeY * SizeZ; ++row) {
    CU2CPP_EACH_OF_RANGE
    for (std::size_t x = begin; x < end; ++x) {
      // So that places beside the thread's own are known not to wrap around.
      const unsigned place = unsigned(x);
#if defined(__clang__)
      __builtin_assume(x < SizeX);
      __builtin_assume(place < SizeX);
#endif
      body(is, Thread{::uint3{place, row % SizeY, row / SizeY}, &block, row * SizeX + place});
    }
  }
}

} // namespace detail

/// A range that is the same in all rows.
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body,
          class = std::enable_if_t<SizeX % 8 == 0>>
__attribute__((always_inline)) inline void
eachThreadInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const Inside range,
                 Body&& body) {
  if (range.begin() == 0 && range.end() >= SizeX)
    return detail::runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, std::true_type());
#if defined(__AVX2__)
  // No thread asks, so that no vector has a mask: with AVX2 what is left over costs less. Of a
  // short row vectors with masks take what they can, and load neighbours that fall from thread to
  // thread.
#if defined(__AVX512F__)
  if constexpr (SizeX == detail::rowPart<SizeX> && SizeY * SizeZ == 1)
#else
  if constexpr (SizeX > detail::rowPart<SizeX>)
#endif
    if (range.hasOneCondition()) {
      const std::size_t end = range.end() < SizeX ? range.end() : SizeX;
      const std::size_t begin = range.begin() < end ? range.begin() : end;
      // Those before the range, it, and those behind it: the body stands once for each kind.
      for (std::size_t from = 0, to = begin;; from = end, to = SizeX) {
        detail::runInRows<SizeX, SizeY, SizeZ>(block, body, Outside(), from, to);
        if (to == SizeX)
          return;
        detail::runInRows<SizeX, SizeY, SizeZ>(block, body, std::true_type(), begin, end);
      }
    }
#endif
  if constexpr (SizeX == detail::rowPart<SizeX>)
    detail::runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, std::false_type());
  else
    eachThreadInside<sizes...>(
        block, [&](const ::uint3&) __attribute__((always_inline)) { return range; }, body);
}

#if defined(__AVX2__) && !defined(__AVX512F__)
namespace detail {

/// As for one condition: those in the range, those whose guard holds all the same (mostly none),
/// run with Others, and those outside of the guard.
template <class Others, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void runGuardedRows(const Block& block,
                                                          const GuardedInside& range, Body& body) {
  const std::size_t last = range.guardEnd < SizeX ? range.guardEnd : SizeX;
  const std::size_t first = range.guardBegin < last ? range.guardBegin : last;
  std::size_t end = range.end() < last ? range.end() : last;
  const std::size_t begin = range.begin() > first ? range.begin() : first;
  const bool some = begin < end;
  if (!some)
    end = first;
  // One after the other: threads may read what those behind them change (steps_in_turn).
  for (std::size_t from = first, to = some ? begin : first;; from = end, to = last) {
    if (from < to)
      runInRows<SizeX, SizeY, SizeZ>(block, body, Others(), from, to);
    if (to == last)
      break;
    if (some)
      runInRows<SizeX, SizeY, SizeZ>(block, body, std::true_type(), begin, end);
  }
  for (std::size_t from = 0, to = first;; from = last, to = SizeX) {
    runInRows<SizeX, SizeY, SizeZ>(block, body, OutsideGuard(), from, to);
    if (to == SizeX)
      return;
  }
}

} // namespace detail
#endif

template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body,
          class = std::enable_if_t<SizeX % 8 == 0>>
__attribute__((always_inline)) inline void
eachThreadInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const GuardedInside range,
                 Body&& body) {
  // Of long rows the inner parts are better off without the guards, too.
  if constexpr (SizeX == detail::rowPart<SizeX>) {
    if (range.placesAreFree)
      return detail::runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, FreePlaces());
  }
#if defined(__AVX2__) && !defined(__AVX512F__)
  else if (range.placesAreFree) {
    return detail::runGuardedRows<FreePlaces, SizeX, SizeY, SizeZ>(block, range, body);
  }
#endif
  eachThreadInside<sizes...>(block, static_cast<const Inside&>(range), body);
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body,
          class = std::enable_if_t<SizeX % 8 == 0>>
__attribute__((always_inline)) inline void
eachThreadInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const GuardedOfOne range,
                 Body&& body) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  if constexpr (SizeX > detail::rowPart<SizeX>) {
    if (range.placesAreFree && range.isKnown())
      return detail::runGuardedRows<InGuard, SizeX, SizeY, SizeZ>(block, range, body);
    eachThreadInside<sizes...>(block, static_cast<const Inside&>(range), body);
  } else
#endif
    eachThreadInside<sizes...>(block, static_cast<const GuardedInside&>(range), body);
}

namespace detail {

/// The range in a row of what is one for all rows, or what tells it for each.
template <class Bounds>
__attribute__((always_inline)) inline Inside rangeOfRow(Bounds& bounds, unsigned y, unsigned z) {
  if constexpr (std::is_convertible<Bounds, Inside>::value)
    return bounds;
  else
    return bounds(::uint3{0, y, z});
}

} // namespace detail

/// eachThreadRisingInside() is eachThreadRising() with body(isInside, thread), where isInside is
/// std::true_type in rows all of whose threads are in the range.
template <class OneBlock, class Holds, class Bounds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingInside(const OneBlock& block, Holds&& holds, Bounds&&, Body&& body) {
  return eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(std::false_type(), thread);
  });
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Holds, class Bounds, class Body>
__attribute__((always_inline)) inline bool
eachThreadRisingInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Holds&& holds,
                       Bounds&& bounds, Body&& body) {
  bool any = false;
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      const Inside range = detail::rangeOfRow(bounds, y, z);
      const bool isFull = holds(Thread{::uint3{SizeX - 1, y, z}, &block, row + SizeX - 1});
      if (isFull && range.begin() == 0 && range.end() >= SizeX) {
        any = true;
        CU2CPP_EACH_NEIGHBOUR
        for (std::size_t x = 0; x < SizeX; ++x)
          body(std::true_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        continue;
      }
      const unsigned count = isFull ? SizeX : detail::countRising(block, holds, SizeX, y, z, row);
      any |= count != 0;
      CU2CPP_EACH_NEIGHBOUR
      for (std::size_t x = 0; x < count; ++x)
        body(std::false_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
  return any;
}

/// eachThreadInRow() with a range is eachThreadInside() for the threads whose threadIdx.y is
/// `index`: if all of a row are in the range, none is asked.
template <class OneBlock, class Index, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadInRow(const OneBlock& block, Index index,
                                                           Bounds&&, Body&& body) {
  eachThreadInRow(block, index, [&](const Thread thread) __attribute__((always_inline)) {
    body(std::false_type(), thread);
  });
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Index, class Body>
__attribute__((always_inline)) inline void
eachThreadInRow(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Index index, const Inside range,
                Body&& body) {
  const auto run = [&](const auto is) __attribute__((always_inline)) {
    eachThreadInRow(block, index,
                    [&](const Thread thread) __attribute__((always_inline)) { body(is, thread); });
  };
  if (range.begin() == 0 && range.end() >= SizeX)
    run(std::true_type());
  else
    run(std::false_type());
}

#if defined(__clang__) && defined(__AVX2__) && !defined(__AVX512F__)
#define CU2CPP_RANGES_BY_COLUMNS
namespace detail {

/// `part` neighbours of each row.
template <unsigned part, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void runColumns(const Block& block, Body& body,
                                                      std::size_t first) {
  for (unsigned row = 0; row < SizeY * SizeZ; ++row) {
    CU2CPP_EACH_NARROW_PART
    for (std::size_t x = first; x < first + part; ++x)
      body(std::true_type(), Thread{::uint3{unsigned(x), row % SizeY, row / SizeY}, &block,
                                    row * SizeX + unsigned(x)});
  }
}

/// The threads of one range in all rows, by columns of neighbours: where a row's last vector must
/// not be in part, what is left over is counted once, and not for each row.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void runByColumns(const Block& block, Body& body,
                                                        std::size_t x, std::size_t end) {
  for (; x + 8 <= end; x += 8)
    runColumns<8, SizeX, SizeY, SizeZ>(block, body, x);
  if (x + 4 <= end) {
    runColumns<4, SizeX, SizeY, SizeZ>(block, body, x);
    x += 4;
  }
  for (; x < end; ++x)
    runColumns<1, SizeX, SizeY, SizeZ>(block, body, x);
}

} // namespace detail
#endif

/// eachThreadWithin() is eachThreadInside() for bodies that do nothing in threads outside the
/// range: they are left out.
template <class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadWithin(const OneBlock& block, Bounds&&,
                                                            Body&& body) {
  eachThread(block, [&](const Thread thread)
                        __attribute__((always_inline)) { body(std::false_type(), thread); });
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Bounds, class Body>
__attribute__((always_inline)) inline void
eachThreadWithin(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Bounds&& bounds, Body&& body) {
#if defined(CU2CPP_RANGES_BY_COLUMNS)
  if constexpr (std::is_convertible<Bounds, Inside>::value && (SizeY * SizeZ > 1))
    if (const Inside range = bounds; range.isKnown())
      return detail::runByColumns<SizeX, SizeY, SizeZ>(block, body, range.begin(),
                                                       range.end() < SizeX ? range.end() : SizeX);
#endif
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      const Inside range = detail::rangeOfRow(bounds, y, z);
      if (!range.isKnown()) {
        for (unsigned x = 0; x < SizeX; ++x)
          body(std::false_type(), Thread{::uint3{x, y, z}, &block, row + x});
        continue;
      }
      const std::size_t end = range.end() < SizeX ? range.end() : SizeX;
#if defined(__clang__) && defined(__AVX512F__)
      // A row of one vector: those outside of the range are masked.
      if constexpr (SizeX == 16) {
        const unsigned begin = range.begin(), behind = unsigned(end);
        CU2CPP_EACH_LANE
        for (std::size_t x = 0; x < SizeX; ++x)
          if (unsigned(x) >= begin && unsigned(x) < behind)
            body(std::true_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        continue;
      }
#endif
      CU2CPP_EACH_LANE
      for (std::size_t x = range.begin(); x < end; ++x)
        body(std::true_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
}

/// eachThreadBetweenEdges() is eachThreadWithin() for bodies that ask for a row's first or last
/// thread: those run by themselves, and the vectors between them need not ask.
template <class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadBetweenEdges(const OneBlock& block,
                                                                  Bounds&& bounds, Body&& body) {
  eachThreadWithin(block, bounds, body);
}
template <unsigned SizeX, class Bounds, class Body, class = std::enable_if_t<SizeX >= 32>>
__attribute__((always_inline)) inline void
eachThreadBetweenEdges(const SizedBlock<SizeX, 1, 1, true>& block, Bounds&& bounds, Body&& body) {
  const Inside range = detail::rangeOfRow(bounds, 0, 0);
  if (!range.isKnown())
    return eachThreadWithin(block, range, body);
  constexpr unsigned last = SizeX - 1;
  const unsigned begin = range.begin(), end = range.end();
  if (begin == 0 && end > 0)
    body(std::true_type(), Thread{::uint3{0, 0, 0}, &block, 0});
  const std::size_t from = begin > 0 ? begin : 1, to = end < last ? end : last;
  const auto run = [&](std::size_t x) __attribute__((always_inline)) {
#if defined(__clang__)
    __builtin_assume(x > 0);
    __builtin_assume(x < last);
#endif
    const unsigned place = unsigned(x);
#if defined(__clang__)
    __builtin_assume(place > 0);
    __builtin_assume(place < last);
#endif
    body(std::true_type(), Thread{::uint3{place, 0, 0}, &block, place});
  };
#if defined(__AVX512F__)
  // Vectors one by one, and only the last one has a mask: of places that fall from thread to thread
  // it is turned around. (It is made of words, as the vectors are.)
  constexpr unsigned part = 16;
  [[maybe_unused]] constexpr unsigned vectors = 1;
  std::size_t first = from;
  for (; first + part <= to; first += part) {
    CU2CPP_EACH_PART
    for (std::size_t x = 0; x < part; ++x)
      run(first + x);
  }
  if (first < to) {
    const auto rest = static_cast<unsigned>(to - first);
    CU2CPP_EACH_PART
    for (unsigned x = 0; x < part; ++x)
      if (x < rest)
        run(first + x);
  }
#else
  CU2CPP_EACH_OF_RANGE
  for (std::size_t x = from; x < to; ++x)
    run(x);
#endif
  if (begin <= last && end > last)
    body(std::true_type(), Thread{::uint3{last, 0, 0}, &block, last});
}

namespace detail {

/// The threads of one range in the row that begins with thread number `row`, vector by vector. With
/// AVX2 these have 8 threads and 4, so that no more than three are left over to run by themselves;
/// none, if threads `mayRepeat`: the last vector ends with the range.
template <unsigned SizeX, bool mayRepeat, class Body>
__attribute__((always_inline)) inline void runRangeOfRow(const Block& block, Body& body,
                                                         std::size_t begin, std::size_t end,
                                                         unsigned y, unsigned z, std::size_t row) {
  const auto run = [&](std::size_t x) __attribute__((always_inline)) {
    // So that places beside the thread's own are known not to wrap around.
    const unsigned place = unsigned(x);
#if defined(__clang__)
    __builtin_assume(x < SizeX);
    __builtin_assume(place < SizeX);
#endif
    body(std::true_type(), Thread{::uint3{place, y, z}, &block, row + x});
  };
#if defined(CU2CPP_RANGES_BY_COLUMNS)
  if constexpr (SizeX >= 16) {
    std::size_t x = begin;
    const auto runPart = [&](const auto count) __attribute__((always_inline)) {
      constexpr unsigned part = decltype(count)::value;
      CU2CPP_EACH_NARROW_PART
      for (std::size_t lane = 0; lane < part; ++lane)
        run(x + lane);
      x += part;
    };
    if constexpr (mayRepeat) {
      const auto runOverlapping = [&](const auto count) __attribute__((always_inline)) {
        const std::size_t last = end - decltype(count)::value;
        do {
          x = x < last ? x : last;
          runPart(count);
        } while (x < end);
      };
      if (begin + 8 <= end)
        return runOverlapping(std::integral_constant<unsigned, 8>());
      if (begin + 4 <= end)
        return runOverlapping(std::integral_constant<unsigned, 4>());
    }
    while (x + 8 <= end)
      runPart(std::integral_constant<unsigned, 8>());
    if (x + 4 <= end)
      runPart(std::integral_constant<unsigned, 4>());
    CU2CPP_ONE_BY_ONE_LOOP
    for (; x < end; ++x)
      run(x);
    return;
  }
#endif
  CU2CPP_EACH_OF_RANGE
  for (std::size_t x = begin; x < end; ++x)
    run(x);
}

} // namespace detail

/// Box is a range of places along each of a block's sides.
struct Box {
  Inside x, y, z;
  constexpr bool isKnown() const { return x.isKnown() && y.isKnown() && z.isKnown(); }
  constexpr Box also(const Box& other) const {
    return {x.also(other.x), y.also(other.y), z.also(other.z)};
  }
  constexpr bool holds(const Box& other) const {
    return isKnown() && x.holds(other.x) && y.holds(other.y) && z.holds(other.z);
  }
};

/// BoxOfTile is a box by parts: what the block's size alone decides, so that loops over it have
/// constant bounds, and what the running block does.
struct BoxOfTile {
  Box ofSize, ofBlock;
};

/// BoxWithin is one with what only parts of the body ask further on.
struct BoxWithin : BoxOfTile {
  Box further;
};

/// BoxOfPlaces is a box with the range of a row in which places need no keeping within bounds.
struct BoxOfPlaces : Box {
  Inside free;
};

/// Idempotent is a box for a body that does the same if a thread runs it twice.
template <class AnyBox> struct Idempotent {
  AnyBox box;
};
template <class AnyBox> constexpr Idempotent<AnyBox> idempotent(const AnyBox& box) { return {box}; }

namespace detail {

template <bool mayRepeat, unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
runBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const Box box, Body& body) {
  if (!box.isKnown()) {
    for (unsigned row = 0; row < SizeY * SizeZ; ++row) {
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = 0; x < SizeX; ++x)
        body(std::false_type(),
             Thread{::uint3{x, row % SizeY, row / SizeY}, &block, row * SizeX + x});
    }
    return;
  }
  const unsigned endY = box.y.end() < SizeY ? box.y.end() : SizeY;
  const unsigned endZ = box.z.end() < SizeZ ? box.z.end() : SizeZ;
  const std::size_t endX = box.x.end() < SizeX ? box.x.end() : SizeX;
  if constexpr (SizeX % 8 == 0)
    if (box.x.begin() == 0 && endX == SizeX && box.y.begin() == 0 && endY == SizeY &&
        box.z.begin() == 0 && endZ == SizeZ)
      return runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, std::true_type());
  for (unsigned z = box.z.begin(); z < endZ; ++z)
    for (unsigned y = box.y.begin(); y < endY; ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      runRangeOfRow<SizeX, mayRepeat>(block, body, box.x.begin(), endX, y, z, row);
    }
}

/// Runs body() if the threads of a box of the block's size are all in the running block's boxes,
/// and tells whether they are.
template <bool mayRepeat, unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline bool
runInnerTile(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const BoxOfTile& box, Body& body) {
  const Inside rowX = Inside().below(0, SizeX), rowY = Inside().below(0, SizeY),
               rowZ = Inside().below(0, SizeZ);
  const Box tile = box.ofSize.also(Box{rowX, rowY, rowZ});
  if (!tile.isKnown() || !box.ofBlock.holds(tile))
    return false;
  if constexpr (SizeX % 8 == 0)
    if (tile.holds(Box{rowX, rowY, rowZ})) {
      runWholeRows<SizeX, SizeY, SizeZ, sizes...>(block, body, std::true_type());
      return true;
    }
  const std::size_t endX = tile.x.end();
  for (unsigned z = tile.z.begin(); z < tile.z.end(); ++z)
    for (unsigned y = tile.y.begin(); y < tile.y.end(); ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      runRangeOfRow<SizeX, mayRepeat>(block, body, tile.x.begin(), endX, y, z, row);
    }
  return true;
}

template <bool mayRepeat, unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
runBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const BoxOfTile box, Body& body) {
  if (!runInnerTile<mayRepeat, sizes...>(block, box, body))
    runBox<mayRepeat, sizes...>(block, box.ofSize.also(box.ofBlock), body);
}
template <bool mayRepeat, unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
runBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const BoxWithin box, Body& body) {
  const BoxOfTile inner{box.ofSize, box.ofBlock.also(box.further)};
  if (!runInnerTile<mayRepeat, sizes...>(block, inner, body))
    eachThread(block, [&](const Thread thread)
                          __attribute__((always_inline)) { body(std::false_type(), thread); });
}
template <bool mayRepeat, unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ,
          class Body>
__attribute__((always_inline)) inline void
runBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const BoxOfPlaces box, Body& body) {
  if (!box.isKnown() || !box.free.isKnown())
    return eachThread(block, [&](const Thread thread) __attribute__((always_inline)) {
      body(std::false_type(), thread);
    });
  const unsigned endY = box.y.end() < SizeY ? box.y.end() : SizeY;
  const unsigned endZ = box.z.end() < SizeZ ? box.z.end() : SizeZ;
  const unsigned begin = box.x.begin();
  const unsigned end = box.x.end() < SizeX ? box.x.end() : SizeX;
  const unsigned from = box.free.begin() > begin ? box.free.begin() : begin;
  const unsigned to = box.free.end() < end ? box.free.end() : end;
  for (unsigned z = box.z.begin(); z < endZ; ++z)
    for (unsigned y = box.y.begin(); y < endY; ++y) {
      const unsigned row = (z * SizeY + y) * SizeX;
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = begin; x < end && x < from; ++x)
        body(BoundPlaces(), Thread{::uint3{x, y, z}, &block, row + x});
      runRangeOfRow<SizeX, mayRepeat>(block, body, from, to, y, z, row);
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = to > from ? to : from; x < end; ++x)
        body(BoundPlaces(), Thread{::uint3{x, y, z}, &block, row + x});
    }
}

} // namespace detail

/// eachThreadInBox() runs body(isInside, thread) for the threads of a box; those outside do nothing
/// in it. As the case may be it is also run for all threads, with std::false_type. Sizes
/// are those of eachThreadInside().
template <unsigned... sizes, class OneBlock, class AnyBox, class Body>
__attribute__((always_inline)) inline void eachThreadInBox(const OneBlock& block, const AnyBox&,
                                                           Body&& body) {
  eachThread(block, [&](const Thread thread)
                        __attribute__((always_inline)) { body(std::false_type(), thread); });
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class AnyBox,
          class Body>
__attribute__((always_inline)) inline void
eachThreadInBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const AnyBox& box,
                Body&& body) {
  detail::runBox<false, sizes...>(block, box, body);
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class AnyBox,
          class Body>
__attribute__((always_inline)) inline void
eachThreadInBox(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const Idempotent<AnyBox>& same,
                Body&& body) {
  detail::runBox<true, sizes...>(block, same.box, body);
}

/// eachThreadInPartOfRow() is eachThreadWithin() for the threads whose threadIdx.y is `index`.
template <class OneBlock, class Index, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadInPartOfRow(const OneBlock& block, Index index,
                                                                 Bounds&&, Body&& body) {
  eachThreadInRow(block, index, [&](const Thread thread) __attribute__((always_inline)) {
    body(std::false_type(), thread);
  });
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Index, class Body>
__attribute__((always_inline)) inline void
eachThreadInPartOfRow(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Index index,
                      const Inside range, Body&& body) {
#if defined(__AVX512F__)
  // Rows of few vectors: masks take what they can.
  constexpr bool isShort = SizeX <= 32;
#else
  constexpr bool isShort = false;
#endif
  if (isShort || !range.isKnown() || range.restAsks() || range.holdsRow(SizeX))
    return eachThreadInRow(block, index, range, body);
  if (index < 0 || static_cast<unsigned long long>(index) >= SizeY)
    return;
  const unsigned y = unsigned(index);
  const std::size_t begin = range.begin(), end = range.end() < SizeX ? range.end() : SizeX;
  for (unsigned z = 0; z < SizeZ; ++z)
    detail::runRangeOfRow<SizeX, false>(block, body, begin, end, y, z, (z * SizeY + y) * SizeX);
}

/// eachThreadApart() is eachThreadWithin() for blocks of any size. No vectors: neighbours in the
/// loop are none in memory.
template <class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadApart(const OneBlock& block, Bounds&& bounds,
                                                           Body&& body) {
  const ::dim3 size = block.blockDim;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y) {
      const unsigned row = (z * size.y + y) * size.x;
      const Inside range = detail::rangeOfRow(bounds, y, z);
      if (!range.isKnown()) {
        CU2CPP_ONE_BY_ONE_LOOP
        for (unsigned x = 0; x < size.x; ++x)
          body(std::false_type(), Thread{::uint3{x, y, z}, &block, row + x});
        continue;
      }
      const unsigned end = range.end() < size.x ? range.end() : size.x;
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = range.begin(); x < end; ++x)
        body(std::true_type(), Thread{::uint3{x, y, z}, &block, row + x});
    }
}

} // namespace cu2cpp

/// What inRowInside() is told where no loop over threads knows more.
inline constexpr std::false_type cuInside{};

#endif

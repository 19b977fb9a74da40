// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads whose bodies compute, side by side, which places of shared memory to update
// and by what; the updates are made behind that, one after the other:
//
//   cu2cpp::eachThreadThen(cuBlock, [&](const uint3 threadIdx, const auto& cuUpdate1) {
//     const int b = int(x[threadIdx.x] * scale);
//     if (b < count)
//       cuUpdate1(&bins[b], 1u);
//   }, cu2cpp::updateOf<unsigned>(bins, [&](unsigned* cuPlace, unsigned) {
//     cu2cpp::inTurn::atomicAdd(cuPlace, 1u); }));
#ifndef CU2CPP_UPDATES_H
#define CU2CPP_UPDATES_H

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cu2cpp/block.h>
#include <cu2cpp/block_ranges.h>
#include <cu2cpp/rare_block.h>

namespace cu2cpp {

/// Update is apply(place, value), for places in or near the shared array that starts at `base`.
/// always: each thread that runs the body makes it.
template <class Type, bool always, class Apply> struct Update {
  const void* base;
  Apply apply;
};
template <class Type, bool always = false, class Apply>
inline Update<Type, always, Apply> updateOf(const void* base, Apply apply) {
  return {base, apply};
}

/// FarUpdate is apply(place, value) for places anywhere in memory. Few threads make it.
template <class Type, class Apply> struct FarUpdate {
  Apply apply;
};
template <class Type, class Apply> inline FarUpdate<Type, Apply> farUpdateOf(Apply apply) {
  return {apply};
}

/// Where tells, by asks(threadIdx), which threads do anything. What it asks for must not change
/// while they run. range(threadIdx) is, for the first thread of a row, the range of those threads,
/// where it is known.
template <class Asks, class Range = std::nullptr_t> struct Where {
  Asks asks;
  Range range;
};
template <class Asks> inline Where<Asks> onlyWhere(Asks asks) { return {asks, nullptr}; }
template <class Asks, class Range> inline Where<Asks, Range> onlyWhere(Asks asks, Range range) {
  return {asks, range};
}

namespace detail {

/// How many threads compute before their updates are made. What they have computed stays in the
/// nearest cache.
constexpr unsigned threadsBeforeUpdates = 256;

// As CU2CPP_ONE_BY_ONE_LOOP; updates are short.
#if defined(__clang__)
#define CU2CPP_UPDATES_LOOP _Pragma("clang loop vectorize(disable) unroll_count(4)")
#else
#define CU2CPP_UPDATES_LOOP CU2CPP_ONE_BY_ONE_LOOP
#endif

/// What a row of threads has computed for an update. Arrays of their own: of one that nobody reads
/// nothing is stored.
template <class OneUpdate> struct Distances {
  Distances() {}
  alignas(64) int all[threadsBeforeUpdates];
};
template <class OneUpdate> struct Values;
template <class Type, bool always, class Apply> struct Values<Update<Type, always, Apply>> {
  Values() {}
  alignas(64) Type all[threadsBeforeUpdates];
};

template <class Type, class Apply> struct Distances<FarUpdate<Type, Apply>> {
  Distances() {}
  alignas(64) std::uintptr_t all[threadsBeforeUpdates]; ///< addresses, or 0
};
template <class Type, class Apply> struct Values<FarUpdate<Type, Apply>> {
  Values() {}
  alignas(64) Type all[threadsBeforeUpdates];
};

constexpr int noUpdate = INT_MIN;

/// Where threads without an update make theirs, as no processor foresees which these are.
/// Neighbours do so at different places: else each would wait for the one before.
template <class OneUpdate> struct Harmless {};
template <class Type, class Apply> struct Harmless<Update<Type, false, Apply>> {
  alignas(64) Type all[64 / sizeof(Type)] = {};
};

/// NoUpdate is the distance that a thread without an update notes: to its harmless place, if that
/// lies near.
template <class OneUpdate> class NoUpdate {
public:
  NoUpdate(const OneUpdate&, Harmless<OneUpdate>&) {}
  int operator()(std::size_t) const { return noUpdate; }
  bool isHarmless() const { return true; }
};
template <class Type, class Apply> class NoUpdate<Update<Type, false, Apply>> {
public:
  using One = Update<Type, false, Apply>;
  NoUpdate(const One& update, Harmless<One>& places) {
    const auto distance = std::ptrdiff_t(reinterpret_cast<std::uintptr_t>(places.all) -
                                         reinterpret_cast<std::uintptr_t>(update.base));
    // Dynamic shared memory may lie far from here.
    if (distance > INT_MIN / 2 && distance < INT_MAX / 2) {
      first_ = int(distance);
      step_ = int(sizeof(Type));
    }
  }
  int operator()(std::size_t thread) const {
    return first_ + step_ * int(thread % (64 / sizeof(Type)));
  }
  bool isHarmless() const { return step_ != 0; }

private:
  int first_ = noUpdate, step_ = 0;
};

/// Later is an update that one thread may make.
template <class OneUpdate> class Later;
template <class Type, bool always, class Apply> class Later<Update<Type, always, Apply>> {
public:
  using One = Update<Type, always, Apply>;
  __attribute__((always_inline)) Later(const One& update, const NoUpdate<One> none,
                                       Distances<One>& distances, Values<One>& values,
                                       std::size_t i)
      : update_(update), distance_(distances.all[i]), value_(values.all[i]) {
    if (!always) {
      distance_ = none(i);
      value_ = Type();
    }
  }
  // Shared memory is small: distances within it are integers, of which vectors hold many.
  __attribute__((always_inline)) void operator()(Type* place, Type value) const {
    distance_ = int(reinterpret_cast<const char*>(place) - static_cast<const char*>(update_.base));
    value_ = value;
  }

private:
  const Update<Type, always, Apply>& update_;
  int& distance_;
  Type& value_;
};

template <class Type, class Apply> class Later<FarUpdate<Type, Apply>> {
public:
  using One = FarUpdate<Type, Apply>;
  __attribute__((always_inline)) Later(const One&, const NoUpdate<One>, Distances<One>& places,
                                       Values<One>& values, std::size_t i)
      : place_(places.all[i]), value_(values.all[i]) {
    place_ = 0;
    value_ = Type();
  }
  __attribute__((always_inline)) void operator()(Type* place, Type value) const {
    place_ = reinterpret_cast<std::uintptr_t>(place);
    value_ = value;
  }

private:
  std::uintptr_t& place_;
  Type& value_;
};

template <class Type, class Apply>
__attribute__((always_inline)) inline void
makeUpdates(const FarUpdate<Type, Apply>& update, const NoUpdate<FarUpdate<Type, Apply>>,
            const Distances<FarUpdate<Type, Apply>>& places,
            const Values<FarUpdate<Type, Apply>>& values, unsigned count) {
  std::uintptr_t any = 0;
  for (std::size_t i = 0; i < count; ++i)
    any |= places.all[i];
  if (any == 0)
    return;
  CU2CPP_ONE_BY_ONE_LOOP
  for (std::size_t i = 0; i < count; ++i)
    if (places.all[i] != 0)
      update.apply(reinterpret_cast<Type*>(places.all[i]), values.all[i]);
}

template <class OneUpdate>
__attribute__((always_inline)) inline void
makeUpdates(const OneUpdate& update, const NoUpdate<OneUpdate> none,
            const Distances<OneUpdate>& distances, const Values<OneUpdate>& values,
            unsigned count) {
  // Numbers: what is harmless lies in no array that starts at `base`.
  const auto base = reinterpret_cast<std::uintptr_t>(update.base);
  const auto make = [&](std::size_t i) __attribute__((always_inline)) {
    using Type = std::remove_const_t<std::remove_reference_t<decltype(values.all[0])>>;
    update.apply(reinterpret_cast<Type*>(base + std::uintptr_t(std::ptrdiff_t(distances.all[i]))),
                 values.all[i]);
  };
  if (none.isHarmless()) {
    CU2CPP_UPDATES_LOOP
    for (std::size_t i = 0; i < count; ++i)
      make(i);
  } else {
    CU2CPP_ONE_BY_ONE_LOOP
    for (std::size_t i = 0; i < count; ++i)
      if (distances.all[i] != noUpdate)
        make(i);
  }
}

/// computeThen() runs body(thread, update...) for a row of `count` threads, up to
/// threadsBeforeUpdates, and then makes the updates. each(one) calls one(i, thread) for the i-th.
template <class Each, class Body, class... OneUpdate>
__attribute__((always_inline)) inline void computeThen(unsigned count, Each&& each, Body&& body,
                                                       const OneUpdate&... updates) {
  [&](Distances<OneUpdate>... distances, Values<OneUpdate>... values,
      Harmless<OneUpdate>... harmless) __attribute__((always_inline)) {
    // Copies of their own, which no update may change.
    [&](const NoUpdate<OneUpdate>... none) __attribute__((always_inline)) {
      each([&](std::size_t i, const auto& thread) __attribute__((always_inline)) {
        body(thread, Later<OneUpdate>(updates, none, distances, values, i)...);
      });
      (makeUpdates(updates, none, distances, values, count), ...);
    }(NoUpdate<OneUpdate>(updates, harmless)...);
  }(Distances<OneUpdate>()..., Values<OneUpdate>()..., Harmless<OneUpdate>()...);
}

/// The first `count` threads of a row.
template <class Body, class... OneUpdate>
__attribute__((always_inline)) inline void runThen(const Block& block, Body& body, unsigned count,
                                                   unsigned y, unsigned z, unsigned row,
                                                   const OneUpdate&... updates) {
  for (unsigned first = 0; first < count; first += threadsBeforeUpdates) {
    const unsigned size =
        count - first < threadsBeforeUpdates ? count - first : threadsBeforeUpdates;
    computeThen(
        size,
        [&](auto&& one) __attribute__((always_inline)) {
          CU2CPP_EACH_NEIGHBOUR
          for (std::size_t i = 0; i < size; ++i) {
            const unsigned x = first + unsigned(i);
            one(i, Thread{::uint3{x, y, z}, &block, row + x});
          }
        },
        body, updates...);
  }
}

/// An update that is made at once.
template <class OneUpdate> struct Now {
  const OneUpdate& update;
  template <class Type, class Value> void operator()(Type* place, Value value) const {
    update.apply(place, value);
  }
};

/// The threads of a row, from the first to the last of those that do anything.
struct Active {
  unsigned begin, end;
  bool all; ///< none between them does nothing
};
template <class Asks, class Range>
__attribute__((always_inline)) inline Active activeOf(const Where<Asks, Range>& where,
                                                      unsigned first, unsigned size, unsigned y,
                                                      unsigned z) {
  if constexpr (!std::is_same<Range, std::nullptr_t>::value)
    if (const Inside inside = where.range(::uint3{0, y, z}); inside.isKnown()) {
      const auto within = [&](unsigned x) {
        return x < first ? 0 : x - first < size ? x - first : size;
      };
      const unsigned begin = within(inside.begin()), end = within(inside.end());
      return {begin, begin < end ? end : 0, begin < end};
    }
  unsigned begin = size, end = 0, count = 0;
  // Not marked as a loop over threads: of what passes for those made of `i % 96 < 20`, clang++ 19
  // found no registers. Nothing is loaded, so it becomes vectors all the same.
  for (unsigned i = 0; i < size; ++i) {
    const bool active = where.asks(::uint3{first + i, y, z});
    const unsigned from = active ? i : size, to = active ? i + 1 : 0;
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
    count += active;
  }
  return {begin, end, count != 0 && count == end - begin};
}

/// The same for body(isInside, thread, update...), where isInside is std::true_type for threads
/// that are known to do something: mostly all of a row's that do are neighbours.
template <class Body, class Asks, class Range, class... OneUpdate>
__attribute__((always_inline)) inline void
runThen(const Block& block, Body& body, unsigned count, unsigned y, unsigned z, unsigned row,
        const Where<Asks, Range>& where, const OneUpdate&... updates) {
  for (unsigned first = 0; first < count; first += threadsBeforeUpdates) {
    const unsigned size =
        count - first < threadsBeforeUpdates ? count - first : threadsBeforeUpdates;
    const Active active = activeOf(where, first, size, y, z);
    const auto run = [&](auto isInside, unsigned from,
                         unsigned threads) __attribute__((always_inline)) {
      computeThen(
          threads,
          [&](auto&& one) __attribute__((always_inline)) {
            CU2CPP_EACH_NEIGHBOUR
            for (std::size_t i = 0; i < threads; ++i) {
              const unsigned x = from + unsigned(i);
              one(i, Thread{::uint3{x, y, z}, &block, row + x});
            }
          },
          [&](const Thread& thread, const auto&... update)
              __attribute__((always_inline)) { body(isInside, thread, update...); },
          updates...);
    };
    if (active.all)
      run(std::true_type(), first + active.begin, active.end - active.begin);
    else if (active.end != 0)
      run(std::false_type(), first, size);
  }
}

} // namespace detail

/// eachThreadThen() is eachThread() for such a body: body(thread, update...).
template <class OneBlock, class Body, class... OneUpdate>
__attribute__((always_inline)) inline void eachThreadThen(const OneBlock& block, Body&& body,
                                                          const OneUpdate&... updates) {
  const unsigned countX = block.blockDim.x, countY = block.blockDim.y, countZ = block.blockDim.z;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y)
      detail::runThen(block, body, countX, y, z, (z * countY + y) * countX, updates...);
}
template <class Body, class Asks, class Range, class... OneUpdate>
__attribute__((always_inline)) inline void eachThreadThen(const RareBlock& block, Body&& body,
                                                          const Where<Asks, Range>&,
                                                          const OneUpdate&... updates) {
  eachThread(block, [&](const Thread thread) __attribute__((always_inline)) {
    body(std::false_type(), thread, detail::Now<OneUpdate>{updates}...);
  });
}
template <class Body, class... OneUpdate>
__attribute__((always_inline)) inline void eachThreadThen(const RareBlock& block, Body&& body,
                                                          const OneUpdate&... updates) {
  eachThread(block, [&](const Thread thread) __attribute__((always_inline)) {
    body(thread, detail::Now<OneUpdate>{updates}...);
  });
}

/// eachThreadRisingThen() is eachThreadRising() for such a body.
template <class OneBlock, class Holds, class Body, class... OneUpdate>
__attribute__((always_inline)) inline bool eachThreadRisingThen(const OneBlock& block,
                                                                Holds&& holds, Body&& body,
                                                                const OneUpdate&... updates) {
  const unsigned countX = block.blockDim.x, countY = block.blockDim.y, countZ = block.blockDim.z;
  bool any = false;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      const unsigned count = holds(Thread{::uint3{countX - 1, y, z}, &block, row + countX - 1})
                                 ? countX
                                 : detail::countRising(block, holds, countX, y, z, row);
      any |= count != 0;
      detail::runThen(block, body, count, y, z, row, updates...);
    }
  return any;
}
template <class Holds, class Body, class Asks, class Range, class... OneUpdate>
__attribute__((always_inline)) inline bool
eachThreadRisingThen(const RareBlock& block, Holds&& holds, Body&& body, const Where<Asks, Range>&,
                     const OneUpdate&... updates) {
  return eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(std::false_type(), thread, detail::Now<OneUpdate>{updates}...);
  });
}
template <class Holds, class Body, class... OneUpdate>
__attribute__((always_inline)) inline bool eachThreadRisingThen(const RareBlock& block,
                                                                Holds&& holds, Body&& body,
                                                                const OneUpdate&... updates) {
  return eachThreadRising(block, holds, [&](const Thread thread) __attribute__((always_inline)) {
    body(thread, detail::Now<OneUpdate>{updates}...);
  });
}

} // namespace cu2cpp

#endif

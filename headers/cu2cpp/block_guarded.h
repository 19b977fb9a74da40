// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block whose body asks for each thread whether its place lies within
// bounds: `if (i < n)`. It does for a range of each row's threads. Those run as whole vectors that
// ask nothing, since what is stored under a condition takes a mask, which AVX2 is slow at.
//
// So do conditions before what a thread loads: `if (i >= w) x = a[i - w];`. They are settled where
// all threads of a loop give the same answer.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_BLOCK_GUARDED_H
#define CU2CPP_BLOCK_GUARDED_H

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/block_row.h>

namespace cu2cpp {

namespace detail {

/// The loops of eachThreadGuarded(). Blocks of SizeX threads along x (0: none is usual) have a loop
/// with constant bounds for rows that lie in their range. A row's first `few` threads run on their
/// own, see runLong().
template <bool othersRun, unsigned SizeX, class Bounds, class Body>
__attribute__((always_inline)) inline void runGuarded(const Block& block, Bounds& bounds,
                                                      Body& body, unsigned countX, unsigned countY,
                                                      unsigned countZ, unsigned few) {
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      const Inside range = bounds(::uint3{0, y, z});
      if constexpr (SizeX != 0)
        if (countX == SizeX && range.begin() == 0 && range.end() >= SizeX) {
          CU2CPP_EACH_LANE
          for (std::size_t x = 0; x < SizeX; ++x)
            CU2CPP_IN_LOOP body(std::true_type(),
                                Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          continue;
        }
      const std::size_t end = range.end() < countX ? range.end() : countX;
      const std::size_t begin = range.begin() < end ? range.begin() : end;
      // Those before the range, it, and those behind it: the body stands once for each kind.
      for (bool behind = false;; behind = true) {
        if constexpr (othersRun) {
          const std::size_t first = behind ? end : 0, last = behind ? countX : begin;
          // What a mask keeps from happening is dear, above all where no memory is.
          if (range.isOfOne()) {
            CU2CPP_EACH_LANE
            for (std::size_t x = first; x < last; ++x)
              CU2CPP_IN_LOOP body(Outside(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          } else {
            CU2CPP_EACH_LANE
            for (std::size_t x = first; x < last; ++x)
              CU2CPP_IN_LOOP body(std::false_type(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          }
        }
        if (behind)
          break;
        std::size_t from = begin, to = few != 0 && few < end - begin ? begin + few : end;
        do {
          if constexpr (SizeX != 0) {
            CU2CPP_EACH_OF_RANGE
            for (std::size_t x = from; x < to; ++x)
              CU2CPP_IN_LOOP body(std::true_type(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          } else {
            CU2CPP_EACH_LANE
            for (std::size_t x = from; x < to; ++x)
              CU2CPP_IN_LOOP body(std::true_type(),
                                  Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
          }
          from = to;
          to = end;
        } while (from < end);
        if (!othersRun)
          break;
      }
      if constexpr (!othersRun)
        if (!range.isKnown() || range.restAsks()) {
          CU2CPP_ONE_BY_ONE_LOOP
          for (std::size_t x = range.isKnown() ? end : 0; x < countX; ++x)
            body(std::false_type(), Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        }
    }
}

} // namespace detail

/// Settled stands for std::true_type where some conditions, too, have the same answer in all
/// threads of a loop: that with number i has bit i of `answers`.
template <unsigned answers> struct Settled : std::true_type {};
/// holds() and fails() tell whether a condition is known to have this answer.
template <unsigned number, class IsInside> constexpr bool holds(IsInside) { return false; }
template <unsigned number, unsigned answers> constexpr bool holds(Settled<answers>) {
  return (answers >> number & 1) != 0;
}
template <unsigned number, class IsInside> constexpr bool fails(IsInside) { return false; }
template <unsigned number, unsigned answers> constexpr bool fails(Settled<answers>) {
  return (answers >> number & 1) == 0;
}

/// SettledBut stands for Settled where the condition with this number is to be asked.
template <unsigned answers, unsigned unknown> struct SettledBut : std::true_type {};
template <unsigned number, unsigned answers, unsigned unknown>
constexpr bool holds(SettledBut<answers, unknown>) {
  return number != unknown && (answers >> number & 1) != 0;
}
template <unsigned number, unsigned answers, unsigned unknown>
constexpr bool fails(SettledBut<answers, unknown>) {
  return number != unknown && (answers >> number & 1) == 0;
}

/// SettledInside is the range of threads that are within bounds, with that in which conditions are
/// settled.
struct SettledInside {
  Inside inside, settled;
};

namespace detail {

/// Threads of a row for which conditions are settled, run by run(is, place in the row).
template <unsigned answers> struct SettledThreads {
  template <class Run>
  __attribute__((always_inline)) void operator()(const Run& run, std::size_t from, std::size_t to,
                                                 unsigned, unsigned) const {
    CU2CPP_EACH_LANE
    for (std::size_t x = from; x < to; ++x)
      CU2CPP_IN_LOOP run(Settled<answers>(), x);
  }
};

/// The same where the condition with a number has the answer asks(threadIdx) in each thread.
template <unsigned answers, unsigned number, class Asks> struct AlikeThreads {
  const Asks& asks;
  template <class Run>
  __attribute__((always_inline)) void operator()(const Run& run, std::size_t from, std::size_t to,
                                                 [[maybe_unused]] unsigned y,
                                                 [[maybe_unused]] unsigned z) const {
    // Loops say that places do not wrap around: their neighbours would be none to compilers.
    const auto runAll = [&](const auto is, std::size_t first, std::size_t count)
                            __attribute__((always_inline)) {
                              CU2CPP_EACH_LANE
                              for (std::size_t x = 0; x < count; ++x) {
                                const std::size_t place = first + x;
#if defined(__clang__)
                                __builtin_assume(place < 1u << 31);
#endif
                                CU2CPP_IN_LOOP run(is, place);
                              }
                            };
#if defined(__AVX2__) && !defined(__AVX512F__) && defined(__clang__)
    constexpr unsigned part = 8;
    const unsigned end = unsigned(to);
    const auto answersOf = [&](unsigned first) __attribute__((always_inline)) {
      unsigned all = 0;
      for (unsigned x = 0; x < part; ++x)
        all += asks(::uint3{first + x, y, z}) ? 1u : 0u;
      return all;
    };
    unsigned at = unsigned(from);
    while (end - at >= part) {
      const unsigned all = answersOf(at);
      unsigned parts = 1;
      if (all == 0 || all == part) {
        while (end - at - parts * part >= part && answersOf(at + parts * part) == all)
          ++parts;
        if (all == 0)
          runAll(Settled<(answers & ~(1u << number))>(), at, std::size_t(parts) * part);
        else
          runAll(Settled<(answers | 1u << number)>(), at, std::size_t(parts) * part);
      } else {
        CU2CPP_ONE_BY_ONE_LOOP
        for (std::size_t x = 0; x < part; ++x)
          run(SettledBut<answers, number>(), at + x);
      }
      at += parts * part;
    }
    CU2CPP_ONE_BY_ONE_LOOP
    for (std::size_t x = at; x < end; ++x)
      run(SettledBut<answers, number>(), x);
#else
    runAll(SettledBut<answers, number>(), from, to - from);
#endif
  }
};

/// runGuarded() with conditions that have these answers within a range. A `single` one has the
/// other answer outside of it.
template <bool othersRun, unsigned answers, bool single, unsigned SizeX, class Bounds, class Body,
          class Threads = SettledThreads<answers>>
__attribute__((always_inline)) inline void
runSettled(const Block& block, Bounds& bounds, Body& body, unsigned countX, unsigned countY,
           unsigned countZ, unsigned few, const Threads& threads = {}) {
  // Of short rows few threads are left if they are divided.
  constexpr bool isShort = SizeX != 0 && SizeX < 128;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * countX;
      const SettledInside ranges = bounds(::uint3{0, y, z});
      const Inside& range = ranges.inside;
      const Inside both = range.also(ranges.settled);
      const auto run = [&](const auto is, std::size_t x) __attribute__((always_inline)) {
        body(is, Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
      };
      if constexpr (isShort)
        if (countX == SizeX && range.begin() == 0 && range.end() >= SizeX) {
          if (both.begin() == 0 && both.end() >= SizeX) {
            threads(run, 0, SizeX, y, z);
          } else {
            CU2CPP_EACH_LANE
            for (std::size_t x = 0; x < SizeX; ++x)
              CU2CPP_IN_LOOP run(BoundPlaces(), x);
          }
          continue;
        }
      const std::size_t end = range.end() < countX ? range.end() : countX;
      const std::size_t begin = range.begin() < end ? range.begin() : end;
      std::size_t from = begin, to = begin;
      // (What threads outside of it do need not be known.)
      if (!isShort && !ranges.settled.isOfNone() && both.begin() < end) {
        from = both.begin();
        to = both.end() > from ? (both.end() < end ? both.end() : end) : from;
      // Whole vectors that lie as those of other rows do; what is before them asks in one vector.
#if defined(__AVX2__) && !defined(__AVX512F__)
        constexpr std::size_t part = 8;
#else
        constexpr std::size_t part = 16;
#endif
        if (from > begin && to - from > 4 * part && !ranges.settled.hasOneCondition())
          from = (from + part - 1) / part * part;
      }
      if constexpr (othersRun) {
        CU2CPP_EACH_LANE
        for (std::size_t x = 0; x < begin; ++x)
          CU2CPP_IN_LOOP run(std::false_type(), x);
      }
      // Those before what is settled, it, and those behind it: the body stands once for each kind.
      for (bool behind = false;; behind = true) {
        const std::size_t first = behind ? to : begin, last = behind ? end : from;
        bool isOther = false;
        if constexpr (single && !isShort)
          if (ranges.settled.hasOneCondition() || ranges.settled.isOfNone()) {
            isOther = true;
            CU2CPP_EACH_LANE
            for (std::size_t x = first; x < last; ++x)
              CU2CPP_IN_LOOP run(Settled<(answers ^ 1)>(), x);
          }
        if (!isOther) {
          if constexpr (isShort) {
            CU2CPP_EACH_OF_RANGE
            for (std::size_t x = first; x < last; ++x)
              CU2CPP_IN_LOOP run(BoundPlaces(), x);
          } else {
            CU2CPP_EACH_LANE
            for (std::size_t x = first; x < last; ++x)
              CU2CPP_IN_LOOP run(BoundPlaces(), x);
          }
        }
        if (behind)
          break;
        if constexpr (!isShort) {
          // Threads that far from the row's start have their neighbours in it.
          std::size_t some = from, most = from < few / 2 && few < to - from ? from + few : to;
          while (some < to) {
            threads(run, some, most, y, z);
            some = most;
            most = to;
          }
        }
      }
      if constexpr (othersRun) {
        CU2CPP_EACH_LANE
        for (std::size_t x = end; x < countX; ++x)
          CU2CPP_IN_LOOP run(std::false_type(), x);
      } else if (!range.isKnown() || range.restAsks()) {
        CU2CPP_ONE_BY_ONE_LOOP
        for (std::size_t x = range.isKnown() ? end : 0; x < countX; ++x)
          run(std::false_type(), x);
      }
    }
}

} // namespace detail

/// eachThreadGuarded<othersRun>() is eachThread() for body(isInside, thread), where isInside is
/// std::true_type for threads of the range bounds(threadIdx) in the row that begins with that
/// thread. The others run with std::false_type (Outside, if it is known that what holds in the
/// range fails for them), unless they are known to do nothing (othersRun: false).
template <bool othersRun, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadGuarded(const Block& block, Bounds&& bounds,
                                                             Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runGuarded<othersRun, 0>(block, bounds, body, size.x, size.y, size.z, 0);
}
template <bool othersRun, unsigned SizeX, unsigned SizeY, unsigned SizeZ, bool certain,
          class Bounds, class Body>
__attribute__((always_inline)) inline void
eachThreadGuarded(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Bounds&& bounds,
                  Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runGuarded<othersRun, (SizeX > 1 ? SizeX : 0)>(block, bounds, body, size.x, size.y,
                                                         size.z, 0);
}
template <bool othersRun, class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadGuarded(const LongRow<OneBlock>& row,
                                                             Bounds&& bounds, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runGuarded<othersRun, 0>(row.first(), bounds, body, row.count() * size.x, size.y, size.z,
                                   row.first().blockIdx.x == 0 ? 16 : 0);
}

/// eachThreadSettled<othersRun, answers, single>() is eachThreadGuarded<othersRun>() for a body in
/// which also conditions are told their answers, as far as those are known: isInside is Settled
/// there. bounds(threadIdx) is a SettledInside. A `single` condition may be known not to have its
/// answer.
template <bool othersRun, unsigned answers, bool single, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadSettled(const Block& block, Bounds&& bounds,
                                                             Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runSettled<othersRun, answers, single, 0>(block, bounds, body, size.x, size.y, size.z, 0);
}
template <bool othersRun, unsigned answers, bool single, unsigned SizeX, unsigned SizeY,
          unsigned SizeZ, bool certain, class Bounds, class Body>
__attribute__((always_inline)) inline void
eachThreadSettled(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Bounds&& bounds,
                  Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runSettled<othersRun, answers, single, (SizeX > 1 ? SizeX : 0)>(
      block, bounds, body, size.x, size.y, size.z, 0);
}
template <bool othersRun, unsigned answers, bool single, class OneBlock, class Bounds, class Body>
__attribute__((always_inline)) inline void eachThreadSettled(const LongRow<OneBlock>& row,
                                                             Bounds&& bounds, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runSettled<othersRun, answers, single, 0>(row.first(), bounds, body, row.count() * size.x,
                                                    size.y, size.z,
                                                    row.first().blockIdx.x == 0 ? 16 : 0);
}

/// eachThreadAlike<othersRun, answers, number>() is eachThreadSettled<othersRun, answers>() where
/// the condition with that number has the answer asks(threadIdx) in each thread. Neighbours mostly
/// agree.
template <bool othersRun, unsigned answers, unsigned number, class Bounds, class Asks, class Body>
__attribute__((always_inline)) inline void eachThreadAlike(const Block& block, Bounds&& bounds,
                                                           Asks&& asks, Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runSettled<othersRun, answers, false, 0>(
      block, bounds, body, size.x, size.y, size.z, 0,
      detail::AlikeThreads<answers, number, std::remove_reference_t<Asks>>{asks});
}
template <bool othersRun, unsigned answers, unsigned number, unsigned SizeX, unsigned SizeY,
          unsigned SizeZ, bool certain, class Bounds, class Asks, class Body>
__attribute__((always_inline)) inline void
eachThreadAlike(const SizedBlock<SizeX, SizeY, SizeZ, certain>& block, Bounds&& bounds, Asks&& asks,
                Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runSettled<othersRun, answers, false, (SizeX > 1 ? SizeX : 0)>(
      block, bounds, body, size.x, size.y, size.z, 0,
      detail::AlikeThreads<answers, number, std::remove_reference_t<Asks>>{asks});
}
template <bool othersRun, unsigned answers, unsigned number, class OneBlock, class Bounds,
          class Asks, class Body>
__attribute__((always_inline)) inline void
eachThreadAlike(const LongRow<OneBlock>& row, Bounds&& bounds, Asks&& asks, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runSettled<othersRun, answers, false, 0>(
      row.first(), bounds, body, row.count() * size.x, size.y, size.z,
      row.first().blockIdx.x == 0 ? 16 : 0,
      detail::AlikeThreads<answers, number, std::remove_reference_t<Asks>>{asks});
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block whose items, those of each thread, end where a row of the block
// does not: it is known beforehand in which of its steps a thread has an item.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_BLOCK_STEPS_H
#define CU2CPP_BLOCK_STEPS_H

#include <type_traits>

#include <cu2cpp/block_ranges.h>

namespace cu2cpp {

/// Decided stands for a condition that is known: `decided || condition` and `!decided && condition`
/// do not ask it.
struct Decided {
  bool holds;
  constexpr operator bool() const { return holds; }
  constexpr Decided operator!() const { return {!holds}; }
  template <class Condition> friend constexpr bool operator||(Decided decided, const Condition&) {
    return decided.holds;
  }
  template <class Condition> friend constexpr bool operator&&(Decided decided, const Condition&) {
    return decided.holds;
  }
};

/// FirstSteps stands for std::false_type where a condition is known to hold in the first `count`
/// steps of a loop of each thread, and in none of the others.
template <unsigned count> struct FirstSteps : std::false_type {};
/// inStep() is what is known of a condition in one step.
template <class IsInside, class Counter> constexpr IsInside inStep(IsInside is, Counter) {
  return is;
}
template <unsigned count, class Counter>
constexpr Decided inStep(FirstSteps<count>, Counter counter) {
  return {counter < Counter(count)};
}

/// StepInside is the range of threads for which a condition holds in all steps of a loop, with
/// where the threads end for which it holds in each.
template <unsigned count> struct StepInside : Inside {
  unsigned endOfAll = 0;    ///< in all steps
  unsigned endOfOthers = 0; ///< in all but the last
};

namespace detail {

// What rises from the first to the last step lies between the two, if those are bounded.
template <unsigned count, class Place, class Of>
constexpr StepInside<count> stepInside(const Place& place, const Of& of) {
  StepInside<count> out;
  constexpr int last = int(count) - 1, before = count > 1 ? last - 1 : last;
  const Inside inFirst = of(place(0)), inOthers = of(place(before)), inAll = of(place(last));
  const bool isKnown = count > 0 && place(0) <= place(before) && place(before) <= place(last) &&
                       inFirst.isKnown() && inOthers.isKnown() && inAll.isKnown();
  out.endOfAll = isKnown ? inAll.end() : 0;
  out.endOfOthers = isKnown ? (count > 1 ? inOthers.end() : ~0u) : 0;
  // That it does not hold in all steps does not mean that it holds in none.
  static_cast<Inside&>(out) = Inside().below(0u, out.endOfAll).maybeOutside();
  return out;
}
constexpr unsigned stepsOf(long long count) { return count > 0 ? unsigned(count) : 0; }

} // namespace detail

/// belowInSteps<8>() is the range in which place(counter), which rises with a counter of 8 steps
/// from 0 on and by `step` from thread to thread, is below a bound in all of them.
template <auto count, class Place, class Limit>
constexpr auto belowInSteps(const Place& place, Limit limit, unsigned step = 1) {
  return detail::stepInside<detail::stepsOf(count)>(
      place, [&](auto first) { return Inside().below(first, limit, step); });
}
template <auto count, class Place, class Limit>
constexpr auto atMostInSteps(const Place& place, Limit limit, unsigned step = 1) {
  return detail::stepInside<detail::stepsOf(count)>(
      place, [&](auto first) { return Inside().atMost(first, limit, step); });
}

/// A range in which a condition holds in all steps of a loop: of what is left of a row, most
/// threads are those for which it holds in all but the last.
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, unsigned count,
          class Body, class = std::enable_if_t<SizeX % 8 == 0>>
__attribute__((always_inline)) inline void
eachThreadInside(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, const StepInside<count> range,
                 Body&& body) {
  constexpr unsigned size = detail::rangePart<SizeX, sizes...>;
  constexpr unsigned all = SizeX / size;
  const unsigned end = range.endOfAll < SizeX ? range.endOfAll : SizeX;
  const unsigned endOfOthers = range.endOfOthers < SizeX ? range.endOfOthers : SizeX;
  const unsigned full = end / size, from = (end + size - 1) / size;
  const unsigned to = endOfOthers / size > from ? endOfOthers / size : from;
  for (unsigned y = 0; y < SizeY * SizeZ; ++y) {
    const auto run = [&](const auto is, unsigned some,
                         unsigned last) __attribute__((always_inline)) {
      if (some < last)
        detail::runParts<size, sizes...>(
            block, body, is, ::uint3{some * size, y % SizeY, y / SizeY}, y * SizeX, last - some);
    };
    run(std::true_type(), 0, full);
    // The body stands once for each kind.
    for (unsigned some = full, last = from;; some = to, last = all) {
      run(std::false_type(), some, last);
      if (last == all)
        break;
    }
    run(FirstSteps<(count > 0 ? count - 1 : 0)>(), from, to);
  }
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two sweeps of a scan over a tree of integers, whose sums are the same in any order: the array
// is scanned from its first element to its last in place of the first sweep, and the second one has
// nothing left to do.
//
//   up the tree:    a[j] += a[i]                        ->   a[k] = the sum of all before k,
//   total = a[n - 1]; a[n - 1] = 0;                          but a[n - 1] is the sum of all
//   down the tree:  t = a[i]; a[i] = a[j]; a[j] += t    ->   a[n - 1] as the others
#ifndef CU2CPP_TREE_SCANS_H
#define CU2CPP_TREE_SCANS_H

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/element_rows.h>

namespace cu2cpp {

/// TreeScan is what the first sweep tells the second one. (Without an initialiser, so that jumps
/// may pass its declaration.)
template <class Element> struct TreeScan {
  std::size_t count; ///< of elements; 0: the first sweep has run as it is written
  Element total, last;
};

namespace detail {

/// Sums of integers, which wrap around.
template <class Element> struct IntegerScan {
  using Sum = std::make_unsigned_t<Element>;

  /// Each element becomes the sum of those before it; tells the sum of all.
  static Element exclusive(Element* elements, std::size_t count) {
    std::size_t i = 0;
    Sum sum = 0;
#if defined(__clang__)
    Vector before{};
    for (; i + lanes <= count; i += lanes) {
      Vector vector;
      std::memcpy(&vector, elements + i, sizeof vector);
      const Vector all = inclusive<1>(vector), out = before + (all - vector);
      std::memcpy(elements + i, &out, sizeof out);
      before += lastOf(all, std::make_integer_sequence<int, lanes>());
    }
    sum = before[0];
#endif
    for (; i < count; ++i)
      sum += Sum(std::exchange(elements[i], Element(sum)));
    return Element(sum);
  }
  static void addToAll(Element* elements, std::size_t count, Element more) {
    for (std::size_t i = 0; i < count; ++i)
      elements[i] = Element(Sum(elements[i]) + Sum(more));
  }

  /// What the first sweep would have left of an array that exclusive() has changed.
  static void undo(Element* elements, std::size_t count, Element total) {
    for (std::size_t i = 0; i < count; ++i)
      elements[i] = Element(Sum(i + 1 < count ? elements[i + 1] : total) - Sum(elements[i]));
    for (std::size_t step = 1; step < count; step *= 2)
      for (std::size_t i = 2 * step - 1; i < count; i += 2 * step)
        elements[i] = Element(Sum(elements[i]) + Sum(elements[i - step]));
  }

#if defined(__clang__)
private:
  static constexpr std::size_t bytes = widestVector > 0 ? widestVector : 16;
  static constexpr int lanes = int(bytes / sizeof(Element));
  typedef Sum Vector __attribute__((vector_size(bytes)));

  // Processors shift within 16 bytes, and only copy from one such part to others.
  static constexpr int part = int(16 / sizeof(Element));

  template <int apart, int... i>
  static Vector shifted(Vector vector, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(vector, Vector{}, (i % part < apart ? lanes + i : i - apart)...);
  }
  /// Of every second half, `apart` wide, the last number before it; 0 elsewhere.
  template <int apart, int... i>
  static Vector lastBefore(Vector vector, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(
        vector, Vector{}, (i / apart % 2 == 0 ? lanes + i : i / apart * apart - 1)...);
  }
  template <int... i> static Vector lastOf(Vector vector, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(vector, vector, (lanes - 1 + 0 * i)...);
  }
  template <int apart> static Vector inclusive(Vector vector) {
    constexpr std::make_integer_sequence<int, lanes> all{};
    if constexpr (apart < part)
      return inclusive<2 * apart>(vector + shifted<apart>(vector, all));
    else if constexpr (apart < lanes)
      return inclusive<2 * apart>(vector + lastBefore<apart>(vector, all));
    else
      return vector;
  }
#endif
};

} // namespace detail
} // namespace cu2cpp

#endif

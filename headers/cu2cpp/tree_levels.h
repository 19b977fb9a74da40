// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees over a block's shared array, level by level: in each level each thread takes a pair of
// elements, and from level to level they lie twice, or half, as far apart (the sweeps of a scan).
//
//   for (int d = n / 2; d > 0; d /= 2) {       TreeLevels levels(block, a, [](auto& first,
//     __syncthreads();                                                    auto& second) {
//     if (t < d)                         ->      second += first; });
//       a[f(t)] += a[g(t)];                    for (int d = n / 2; d > 0; d /= 2)
//   }                                            levels.add(d, g, f);
//                                              levels.run();
//
// Levels are noted and run behind the loop: where they are those of a whole binary tree, the lowest
// few in registers, for a few vectors of neighbours at a time.
#ifndef CU2CPP_TREE_LEVELS_H
#define CU2CPP_TREE_LEVELS_H

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/element_rows.h>
#include <cu2cpp/tree_scans.h>

namespace cu2cpp {
namespace detail {

#if defined(__clang__)
constexpr std::size_t bytesOfVector = widestVector > 0 ? widestVector : 16;

/// The pairs of a few vectors of neighbours, as vectors of first and of second elements.
template <class Element> struct PairsOfVectors {
  static constexpr int lanes = int(bytesOfVector / sizeof(Element));
  typedef Element Vector __attribute__((vector_size(bytesOfVector)));
  template <int... i> static Vector every2nd(Vector a, Vector b, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, (2 * i)...);
  }
  template <int... i> static Vector next2nd(Vector a, Vector b, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, (2 * i + 1)...);
  }
  template <int from, int... i>
  static Vector mixed(Vector a, Vector b, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, (from + i / 2 + (i % 2) * lanes)...);
  }
  using All = std::make_integer_sequence<int, lanes>;

  /// The levels of a tree over `count` vectors, from the lowest up or down to it.
  template <bool up, int count, class Body>
  __attribute__((always_inline)) static void run(Vector* vectors, Body& body) {
    if constexpr (count > 1) {
      constexpr int half = count / 2;
      Vector first[half], second[half];
      for (int i = 0; i < half; ++i) {
        first[i] = every2nd(vectors[2 * i], vectors[2 * i + 1], All());
        second[i] = next2nd(vectors[2 * i], vectors[2 * i + 1], All());
      }
      if constexpr (!up)
        run<up, half>(second, body);
      for (int i = 0; i < half; ++i)
        body(first[i], second[i]);
      if constexpr (up)
        run<up, half>(second, body);
      for (int i = 0; i < half; ++i) {
        vectors[2 * i] = mixed<0>(first[i], second[i], All());
        vectors[2 * i + 1] = mixed<lanes / 2>(first[i], second[i], All());
      }
    }
  }
};
#endif

} // namespace detail

/// TreeLevels notes levels with add() and runs them with run(). A level is, for threads of a row of
/// blocks of one row, body(array[first(thread)], array[second(thread)]), where places differ by one
/// value from thread to thread. No two threads of a level share an element.
template <class OneBlock, class Element, class Body> class TreeLevels {
public:
  /// `scan`: of the first sweep of a scan, for the second one.
  TreeLevels(const OneBlock& block, Element* array, Body body, TreeScan<Element>* scan = nullptr)
      : block_(block), array_(array), body_(body), scan_(scan) {}
  TreeLevels(const TreeLevels&) = delete;
  TreeLevels& operator=(const TreeLevels&) = delete;

  /// The threads whose threadIdx.x is less than `bound`.
  template <class Bound, class First, class Second>
  __attribute__((always_inline)) void add(Bound bound, First&& first, Second&& second) {
    const ::dim3 size = block_.blockDim;
    const unsigned count = detail::countBelow(bound, size.x);
    if (count == 0)
      return;
    if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
      const auto at = [](unsigned x) { return ::uint3{x, 0, 0}; };
      const std::ptrdiff_t a = std::ptrdiff_t(first(at(0))), b = std::ptrdiff_t(second(at(0)));
      const std::ptrdiff_t step = count > 1 ? std::ptrdiff_t(first(at(1))) - a : 0;
      const bool known = size.y == 1 && size.z == 1 && count_ < most &&
                         std::ptrdiff_t(first(at(count - 1))) == a + step * (count - 1) &&
                         std::ptrdiff_t(second(at(count - 1))) == b + step * (count - 1);
      if (known) {
        levels_[count_++] = {count, a, b, step};
        return;
      }
      run();
    }
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y)
        for (unsigned x = 0; x < count; ++x)
          body_(array_[first(::uint3{x, y, z})], array_[second(::uint3{x, y, z})]);
  }

  /// A function of its own: add() calls it, too.
  __attribute__((noinline)) void run() {
    if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
      if constexpr (isInteger)
        if (scan_ && scan_->count != 0 && endScan(std::exchange(scan_->count, 0)))
          return;
      runLevels();
    }
  }

  /// runUp() is run() for the first sweep of a scan, behind which threads see no element but that
  /// at `seen` until the second one runs.
  template <class Place>
  __attribute__((noinline)) void runUp(TreeScan<Element>& scan, Place seen) {
    scan.count = 0;
    if constexpr (isInteger) {
      const std::size_t all = count_ > 0 ? 2 * std::size_t(levels_[0].count) : 0;
      if (isWholeTree(0, 1, all) && std::ptrdiff_t(seen) == std::ptrdiff_t(all) - 1 &&
          makesOf(1, 0, 1, 1) && makesOf(0, 1, 0, 1)) {
        count_ = 0;
        scan.count = all;
        scan.total = detail::IntegerScan<Element>::exclusive(array_, all);
        scan.last = std::exchange(array_[all - 1], scan.total);
        return;
      }
    }
    run();
  }

private:
  /// Whether all levels from the lowest on in one direction are those of a binary tree, over `all`
  /// elements from 0 on.
  bool isWholeTree(unsigned lowest, int direction, std::size_t all) const {
    std::size_t step = 2;
    for (unsigned i = 0; i < count_; ++i, lowest += unsigned(direction), step *= 2) {
      const Level& level = levels_[lowest];
      if (level.first != std::ptrdiff_t(step / 2 - 1) || level.second != std::ptrdiff_t(step - 1) ||
          level.step != (level.count > 1 ? std::ptrdiff_t(step) : 0) || level.count * step != all)
        return false;
    }
    return count_ > 0 && step == 2 * all;
  }
  /// What the second sweep does where a scan took the first one's place: tells whether that is all.
  bool endScan(std::size_t all) {
    const Element root = std::exchange(array_[all - 1], scan_->last);
    if (isWholeTree(count_ - 1, -1, all) && makesOf(1, 0, 0, 1) && makesOf(0, 1, 1, 1)) {
      count_ = 0;
      // What threads have made of the sum is in front of all.
      if (root != 0)
        detail::IntegerScan<Element>::addToAll(array_, all, root);
      return true;
    }
    detail::IntegerScan<Element>::undo(array_, all, scan_->total);
    array_[all - 1] = root;
    return false;
  }
  /// Whether a pair becomes another one. Of pairs with sums and differences two tell all.
  bool makesOf(Element first, Element second, Element newFirst, Element newSecond) {
    body_(first, second);
    return first == newFirst && second == newSecond;
  }

  __attribute__((always_inline)) void runLevels() {
    const unsigned count = std::exchange(count_, 0);
    unsigned begin = 0, end = count;
#if defined(__clang__)
    if constexpr (runsInVectors) {
      if (count > inRegisters && isTree(0, 1)) {
        runVectors<true>(levels_[0].count);
        begin = inRegisters;
      } else if (count > inRegisters && isTree(count - 1, -1)) {
        end -= inRegisters;
      }
    }
#endif
    for (unsigned i = begin; i < end; ++i) {
      const Level level = levels_[i];
      CU2CPP_ONE_BY_ONE_LOOP
      for (std::ptrdiff_t x = 0; x < std::ptrdiff_t(level.count); ++x)
        body_(array_[level.first + x * level.step], array_[level.second + x * level.step]);
    }
#if defined(__clang__)
    if constexpr (runsInVectors)
      if (end < count)
        runVectors<false>(levels_[count - 1].count);
#endif
  }

  static constexpr bool isInteger =
      std::is_integral<Element>::value && !std::is_same<Element, bool>::value;
  static constexpr unsigned most = 16;
  static constexpr unsigned inRegisters = detail::widestVector == 64 ? 4 : 3;
  static constexpr bool runsInVectors =
      std::is_arithmetic<Element>::value && (sizeof(Element) == 4 || sizeof(Element) == 8);
  static constexpr int vectors = 1 << inRegisters;
  struct Level {
    unsigned count;
    std::ptrdiff_t first, second, step;
  };

#if defined(__clang__)
  using Pairs = detail::PairsOfVectors<Element>;
  /// Whether the levels from `lowest` on in one direction are the lowest of a binary tree, over
  /// elements from 0 on: pairs of all, of all second ones, of all second ones of these ...
  bool isTree(unsigned lowest, int direction) const {
    const std::ptrdiff_t all = std::ptrdiff_t(levels_[lowest].count) * 2;
    if (all % (vectors * Pairs::lanes) != 0)
      return false;
    std::ptrdiff_t step = 2;
    for (unsigned i = 0; i < inRegisters; ++i, lowest += unsigned(direction), step *= 2) {
      const Level& level = levels_[lowest];
      if (level.step != step || level.first != step / 2 - 1 || level.second != step - 1 ||
          std::ptrdiff_t(level.count) * step != all)
        return false;
    }
    return true;
  }
  template <bool up> __attribute__((always_inline)) void runVectors(unsigned pairs) {
    constexpr std::size_t part = vectors * Pairs::lanes;
    for (std::size_t i = 0; i < 2 * std::size_t(pairs); i += part) {
      typename Pairs::Vector some[vectors];
      std::memcpy(some, array_ + i, sizeof some);
      Pairs::template run<up, vectors>(some, body_);
      std::memcpy(array_ + i, some, sizeof some);
    }
  }
#endif

  const OneBlock& block_;
  Element* array_;
  Body body_;
  TreeScan<Element>* scan_;
  unsigned count_ = 0;
  Level levels_[most];
};

} // namespace cu2cpp

#endif

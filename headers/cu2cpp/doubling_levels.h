// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans by doubling offsets between two shared arrays: in each level a thread adds the element that
// lies `offset` before its own, and the next level's offset is twice as much (Hillis and Steele).
//
//   for (int d = 1; d < n; d *= 2) {           DoublingLevels levels(block, a[0]);
//     out = 1 - out;                           for (int d = 1; d < n; d *= 2) {
//     if (t >= d)                        ->      out = 1 - out;
//       a[out][t] = a[1 - out][t] +              levels.add(d, a[1 - out], a[out]);
//                   a[1 - out][t - d];         }
//     else                                     levels.run();
//       a[out][t] = a[1 - out][t];
//     __syncthreads();
//   }
//
// Levels are noted and run behind the loop, a few in one pass: offsets below a vector's width on
// neighbours in registers, wider ones on whole vectors so far apart. Both arrays hold in the end
// what they would hold, and each element's additions are made in the levels' order. So do levels in
// one array, whose threads read before a barrier and add behind it (addInPlace()).
#ifndef CU2CPP_DOUBLING_LEVELS_H
#define CU2CPP_DOUBLING_LEVELS_H

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/element_rows.h>

namespace cu2cpp {
namespace detail {

#if defined(__clang__)
/// Levels over vectors, for elements of which there are whole vectors.
template <class Element> struct LevelsOfVectors {
  static constexpr std::size_t bytes = widestVector > 0 ? widestVector : 16;
  static constexpr int lanes = int(bytes / sizeof(Element));
  typedef Element Vector __attribute__((vector_size(bytes)));
  /// How many levels have offsets below a vector's width.
  static constexpr unsigned narrow = lanes >= 16 ? 4 : lanes >= 8 ? 3 : lanes >= 4 ? 2 : 1;

  static Vector load(const Element* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static void store(Element* to, Vector vector) { std::memcpy(to, &vector, sizeof vector); }
  /// What changes no element that it is added to, -0 either.
  static Vector nothing() { return -Vector{}; }

  /// All narrow levels. `none` is what elements are added that have none so far before them.
  static void runNarrow(const Element* from, Element* to, std::size_t count, Vector none) {
    Vector before[narrow];
    for (Vector& vector : before)
      vector = none;
    for (std::size_t i = 0; i < count; i += lanes)
      store(to + i, narrowLevels<1>(load(from + i), before));
  }
  /// `levels` levels, the first of which has an offset of whole vectors. What is there before the
  /// last one stays in `elements` if `last` is another array.
  template <unsigned levels, bool both>
  static void runWide(Element* elements, Element* last, std::size_t count, std::size_t offset,
                      Vector none) {
    constexpr std::size_t turns = std::size_t(1) << (levels - 1);
    for (std::size_t first = 0; first < offset; first += lanes) {
      Vector before[3][4];
      for (auto& vectors : before)
        for (Vector& vector : vectors)
          vector = none;
      for (std::size_t i = first; i < count; i += offset * turns) {
        _Pragma("clang loop unroll(full)") for (std::size_t turn = 0; turn < turns; ++turn) {
          const std::size_t at = i + turn * offset;
          if (at >= count)
            break;
          Vector sum = load(elements + at), previous = sum;
          _Pragma("clang loop unroll(full)") for (unsigned level = 0; level < levels; ++level) {
            Vector& older = before[level][turn & ((1u << level) - 1)];
            previous = sum;
            sum = sum + older;
            older = previous;
          }
          if (both)
            store(elements + at, previous);
          store(last + at, sum);
        }
      }
    }
  }

private:
  template <int apart, int... i>
  static Vector shifted(Vector before, Vector vector, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(before, vector, (lanes - apart + i)...);
  }
  template <int apart>
  __attribute__((always_inline)) static Vector narrowLevels(Vector vector, Vector* before) {
    if constexpr (apart < lanes) {
      const Vector other =
          shifted<apart>(*before, vector, std::make_integer_sequence<int, lanes>());
      *before = vector;
      return narrowLevels<apart * 2>(vector + other, before + 1);
    } else {
      return vector;
    }
  }
};
#endif

} // namespace detail

/// DoublingLevels notes levels with add() and runs them with run(). A level is, for each thread,
/// out[t] = in[t] + in[t - offset], and out[t] = in[t] where t is less than `offset`, for t =
/// threadIdx.x.
template <class OneBlock, class Element> class DoublingLevels {
public:
  /// addsZero: threads in front of an offset add +0 to their element, which makes -0 the same.
  DoublingLevels(const OneBlock& block, const Element*, bool addsZero = false)
      : block_(block), addsZero_(addsZero) {}
  DoublingLevels(const DoublingLevels&) = delete;
  DoublingLevels& operator=(const DoublingLevels&) = delete;

  __attribute__((always_inline)) void add(long long offset, const Element* in, Element* out) {
    if (count_ == most)
      run();
    levels_[count_++] = {offset, in, out};
  }

  /// addInPlace() notes a level that is elements[t] += elements[t - offset], where all threads read
  /// first.
  __attribute__((always_inline)) void addInPlace(long long offset, Element* elements) {
    add(offset, elements, elements);
  }

  __attribute__((noinline)) void run() {
    const unsigned count = std::exchange(count_, 0);
    const std::size_t size = block_.blockDim.x;
#if defined(__clang__)
    if constexpr (!std::is_same<OneBlock, RareBlock>::value && runsInVectors)
      if (count > Vectors::narrow && areUsual(count, size))
        return runVectors(count, size);
#endif
    for (unsigned i = 0; i < count; ++i) {
      const Level level = levels_[i];
      if (level.in == level.out) {
        runInPlace(level, (long long)size);
        continue;
      }
      for (long long t = 0; t < (long long)size; ++t)
        level.out[t] =
            t >= level.offset ? Element(level.in[t] + level.in[t - level.offset]) : level.in[t];
    }
  }

private:
  static constexpr unsigned most = 16;
  static constexpr bool runsInVectors =
      std::is_arithmetic<Element>::value && (sizeof(Element) == 4 || sizeof(Element) == 8);
  struct Level {
    long long offset;
    const Element* in;
    Element* out;
  };

  /// From the last thread to the first nobody reads what has been added to (but for offsets below
  /// zero); threads as far apart as the offset do not meet.
  void runInPlace(const Level& level, long long size) const {
    Element* const elements = level.out;
    const long long offset = level.offset;
    if (offset < 0) {
      for (long long t = 0; t < size; ++t)
        elements[t] = Element(elements[t] + elements[t - offset]);
      return;
    }
    const long long least = offset > 0 ? offset : 1;
    for (long long end = size; end > offset; end -= least) {
      const long long begin = end - least > offset ? end - least : offset;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#endif
      for (long long t = begin; t < end; ++t)
        elements[t] = Element(elements[t] + elements[t - offset]);
    }
    if (addsZero_)
      for (long long t = 0; t < offset && t < size; ++t)
        elements[t] = Element(elements[t] + Element(0));
  }

#if defined(__clang__)
  using Vectors = detail::LevelsOfVectors<Element>;
  /// Whether offsets are 1, 2, 4 ... below `size`, and each level reads what the one before made.
  bool areUsual(unsigned count, std::size_t size) const {
    const Level& last = levels_[count - 1];
    const std::ptrdiff_t apart = std::ptrdiff_t(last.in) - std::ptrdiff_t(last.out);
    const auto bytes = std::ptrdiff_t(size * sizeof(Element));
    if (size % Vectors::lanes != 0 || last.offset >= (long long)size ||
        (apart != 0 && apart < bytes && -apart < bytes))
      return false;
    for (unsigned i = 0; i < count; ++i) {
      const bool even = (count - 1 - i) % 2 == 0;
      if (levels_[i].offset != 1ll << i || levels_[i].in != (even ? last.in : last.out) ||
          levels_[i].out != (even ? last.out : last.in))
        return false;
    }
    return true;
  }
  void runVectors(unsigned count, std::size_t size) const {
    Element* const last = levels_[count - 1].out;
    Element* const other = count > 1 ? levels_[count - 2].out : last;
    const typename Vectors::Vector none =
        addsZero_ ? typename Vectors::Vector{} : Vectors::nothing();
    Vectors::runNarrow(levels_[0].in, other, size, none);
    unsigned level = Vectors::narrow;
    for (; level + 3 < count; level += 3)
      Vectors::template runWide<3, false>(other, other, size, std::size_t(1) << level, none);
    const std::size_t offset = std::size_t(1) << level;
    // In place nothing older stays.
    if (other == last)
      runLast<false>(other, last, count - level, size, offset, none);
    else
      runLast<true>(other, last, count - level, size, offset, none);
  }
  template <bool both>
  static void runLast(Element* other, Element* last, unsigned levels, std::size_t size,
                      std::size_t offset, typename Vectors::Vector none) {
    if (levels == 3)
      Vectors::template runWide<3, both>(other, last, size, offset, none);
    else if (levels == 2)
      Vectors::template runWide<2, both>(other, last, size, offset, none);
    else
      Vectors::template runWide<1, both>(other, last, size, offset, none);
  }
#endif

  const OneBlock& block_;
  const bool addsZero_;
  unsigned count_ = 0;
  Level levels_[most];
};

} // namespace cu2cpp

#endif

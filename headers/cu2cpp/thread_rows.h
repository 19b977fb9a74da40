// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of threads as rows: the same element of neighbouring threads lies side by side, so that a
// loop over threads reads and writes whole vectors. For arrays that are only reached element by
// element; others are PerThread<Element[n]>, in which each thread's elements lie side by side.
#ifndef CU2CPP_THREAD_ROWS_H
#define CU2CPP_THREAD_ROWS_H

#include <cstddef>
#include <new>
#include <type_traits>

#include <cu2cpp/block.h>

namespace cu2cpp {
namespace detail {

/// The numbers of elements between two elements of one thread: a row for the threads of the block,
/// and a cache line more, since rows a power of two apart would displace each other from the cache.
template <class Scalar, unsigned threads>
constexpr std::size_t rowLength = (threads + 15) / 16 * 16 + 64 / sizeof(Scalar);

} // namespace detail

/// ElementRows is a thread's array (or a part of one) in such rows.
template <class Array, std::size_t rowLength> class ElementRows {
public:
  using Scalar = std::remove_all_extents_t<Array>;
  using Element = std::remove_extent_t<Array>;
  __attribute__((always_inline)) explicit ElementRows(Scalar* first) : first_(first) {}
  template <class Index>
  __attribute__((always_inline)) decltype(auto) operator[](const Index index) const {
    Scalar* const element =
        first_ + static_cast<std::size_t>(index) * (sizeof(Element) / sizeof(Scalar) * rowLength);
    if constexpr (std::is_array<Element>::value)
      return ElementRows<Element, rowLength>(element);
    else
      return (*element);
  }
  /// Sets all elements.
  __attribute__((always_inline)) void set(const Array& values) const {
    const auto* from = reinterpret_cast<const Scalar*>(&values);
    CU2CPP_UNROLL for (std::size_t i = 0; i < sizeof(Array) / sizeof(Scalar); ++i)
        first_[i * rowLength] = from[i];
  }

private:
  Scalar* first_;
};

/// ThreadRows<Element[n], threads> is an array of numbers that each of up to `threads` threads has
/// for itself and that is alive across a barrier. It starts without values.
template <class Array, unsigned threads> class ThreadRows {
public:
  using Scalar = std::remove_all_extents_t<Array>;
  static constexpr std::size_t rowLength = detail::rowLength<Scalar, threads>;

  ThreadRows() {
    if constexpr (!onStack)
      values_ = static_cast<Scalar*>(::operator new(bytes, std::align_val_t{64}));
  }
  ThreadRows(const ThreadRows&) = delete;
  ThreadRows& operator=(const ThreadRows&) = delete;
  ~ThreadRows() {
    if constexpr (!onStack)
      ::operator delete(static_cast<void*>(values_), std::align_val_t{64});
  }
  __attribute__((always_inline)) ElementRows<Array, rowLength> operator[](const Thread& thread) {
    return ElementRows<Array, rowLength>(&values_[thread.index]);
  }

private:
  static constexpr std::size_t bytes = sizeof(Array) * rowLength;
  static constexpr bool onStack = bytes <= 96 * 1024;
  struct alignas(64) Values {
    Scalar at[onStack ? bytes / sizeof(Scalar) : 1];
    Scalar& operator[](std::size_t index) { return at[index]; }
  };
  std::conditional_t<onStack, Values, Scalar*> values_;
};

/// threadRows<float[4][4]>(block) has room for the block's threads.
template <class Array> inline ThreadRows<Array, 1024> threadRows(const Block&) { return {}; }
template <class Array, unsigned SizeX, unsigned SizeY, unsigned SizeZ>
inline ThreadRows<Array, SizeX * SizeY * SizeZ>
threadRows(const SizedBlock<SizeX, SizeY, SizeZ, true>&) {
  return {};
}

} // namespace cu2cpp

#endif

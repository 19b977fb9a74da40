// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices in which each thread adds up one result, `sum += a[threadIdx.y][k] *
// b[k][threadIdx.x]`: a row of threads alone waits for each of its sums, and loads b for it. So the
// loop over the products runs for a few rows of threads at a time, whose sums stay in registers.
#ifndef CU2CPP_THREAD_SUMS_H
#define CU2CPP_THREAD_SUMS_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cu2cpp/thread_tiles.h>

namespace cu2cpp {

/// RowSums is the sums of a few rows of threads.
template <class Scalar, unsigned size> class RowSums {
public:
  __attribute__((always_inline)) Scalar& operator[](const Thread& thread) {
    return values_[thread.index % size];
  }
  __attribute__((always_inline)) void load(const Scalar* from) {
    for (unsigned i = 0; i < size; ++i)
      values_[i] = from[i];
  }
  __attribute__((always_inline)) void store(Scalar* to) const {
    for (unsigned i = 0; i < size; ++i)
      to[i] = values_[i];
  }

private:
  alignas(64) Scalar values_[size];
};

namespace detail {

#if defined(__AVX512F__)
constexpr unsigned bytesOfSums = 64;
#else
constexpr unsigned bytesOfSums = 32;
#endif

/// How many rows of `length` threads run at once, of `all`; 0 if rows are no whole vectors or too
/// long.
template <class Scalar> constexpr unsigned rowsOfSums(unsigned length, unsigned all) {
  if (length < 8 || (length & (length - 1)) != 0 || length * sizeof(Scalar) < 32)
    return 0;
  unsigned rows = unsigned(tileBytes / (length * sizeof(Scalar)));
  while (rows > 1 && all % rows != 0)
    --rows;
  return (rows & (rows - 1)) == 0 ? rows : 1;
}

} // namespace detail

/// ThreadsOfSums is the threads of these rows.
template <unsigned length, unsigned rows, unsigned vectors> class ThreadsOfSums {
public:
  ThreadsOfSums(const Block& block, ::uint3 first, unsigned index)
      : block_(block), first_(first), index_(index) {}
  template <class Body> __attribute__((always_inline)) void each(Body&& body) const {
    CU2CPP_EACH_PART
    for (std::size_t x = 0; x < length; ++x)
      CU2CPP_UNROLL for (unsigned row = 0; row < rows; ++row)
          CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), first_.y + row, first_.z}, &block_,
                                     index_ + row * length + unsigned(x)});
  }

private:
  const Block& block_;
  const ::uint3 first_;
  const unsigned index_;
};

/// AllThreads is those of a whole block.
template <class OneBlock> class AllThreads {
public:
  explicit AllThreads(const OneBlock& block) : block_(block) {}
  template <class Body> __attribute__((always_inline)) void each(Body&& body) const {
    eachThread(block_, body);
  }

private:
  const OneBlock& block_;
};

/// eachSum() runs body(threads, sums) for all threads, some of them at a time, with what is `kept`
/// for each: a loop around threads.each(...), in which each thread adds to sums[thread].
template <class OneBlock, class Kept, class Body>
__attribute__((always_inline)) inline void eachSum(const OneBlock& block, Kept& kept, Body&& body) {
  body(AllThreads<OneBlock>(block), kept);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Kept, class Body>
__attribute__((always_inline)) inline void
eachSum(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Kept& kept, Body&& body) {
  using Scalar = std::remove_reference_t<decltype(kept.at(0))>;
  constexpr unsigned rows = detail::rowsOfSums<Scalar>(SizeX, SizeY);
  if constexpr (rows == 0) {
    body(AllThreads<SizedBlock<SizeX, SizeY, SizeZ, true>>(block), kept);
  } else {
    constexpr unsigned bytes = unsigned(SizeX * sizeof(Scalar));
    constexpr unsigned vectors = bytes > detail::bytesOfSums ? bytes / detail::bytesOfSums : 1;
    // One after the other: all sums of the block are more than there are registers.
    CU2CPP_ROLLED
    for (unsigned part = 0; part < SizeY * SizeZ / rows; ++part) {
      const unsigned row = part * rows, index = row * SizeX;
      RowSums<Scalar, SizeX * rows> sums;
      sums.load(&kept.at(index));
      body(ThreadsOfSums<SizeX, rows, vectors>(block, ::uint3{0, row % SizeY, row / SizeY}, index),
           sums);
      sums.store(&kept.at(index));
    }
  }
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of a kernel for blocks of the size that its launches show and for blocks of others.
//
// CUDA C++ Programming Guide, 'Execution Configuration'.
#ifndef CU2CPP_RARE_BLOCK_H
#define CU2CPP_RARE_BLOCK_H

#include <cu2cpp/block.h>

namespace cu2cpp {

/// RareBlock is a block of a size that no launch in sight asks for. Its threads run one after the
/// other: vectors for them would double what compilers have to do.
struct RareBlock : Block {};

namespace detail {

template <class Body>
__attribute__((always_inline)) inline void runOneByOne(const Block& block, Body&& body) {
  const unsigned countX = block.blockDim.x, countY = block.blockDim.y, count = block.threadCount();
  unsigned x = 0, y = 0, z = 0;
  for (unsigned rank = 0; rank < count; ++rank) { // one loop: there is one for each region
    // Nothing that a vector could do several times.
    __asm__ volatile("");
    body(Thread{::uint3{x, y, z}, &block, rank});
    if (++x == countX) {
      x = 0;
      if (++y == countY) {
        y = 0;
        ++z;
      }
    }
  }
}

} // namespace detail

template <class Body>
__attribute__((always_inline)) inline void eachThread(const RareBlock& block, Body&& body) {
  detail::runOneByOne(block, body);
}
template <unsigned long long... divisors, class Body>
__attribute__((always_inline)) inline void eachThreadByParts(const RareBlock& block, Body&& body) {
  detail::runOneByOne(block, body);
}
template <unsigned long long... divisors, class Body>
__attribute__((always_inline)) inline void eachThreadSingly(const RareBlock& block, Body&& body) {
  detail::runOneByOne(block, body);
}
template <class Bound, class Body>
__attribute__((always_inline)) inline void eachThreadBelow(const RareBlock& block, Bound bound,
                                                           Body&& body) {
  const unsigned count = detail::countBelow(bound, block.blockDim.x);
  detail::runOneByOne(block, [&](const Thread thread) __attribute__((always_inline)) {
    if (thread.threadIdx.x < count)
      body(thread);
  });
}
template <class Index, class Body>
__attribute__((always_inline)) inline void eachThreadInRow(const RareBlock& block, Index index,
                                                           Body&& body) {
  if (index < 0)
    return;
  detail::runOneByOne(block, [&](const Thread thread) __attribute__((always_inline)) {
    if (thread.threadIdx.y == static_cast<unsigned long long>(index))
      body(thread);
  });
}
template <class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRising(const RareBlock& block, Holds&& holds,
                                                            Body&& body) {
  bool any = false;
  detail::runOneByOne(block, [&](const Thread thread) __attribute__((always_inline)) {
    if (holds(thread)) {
      any = true;
      body(thread);
    }
  });
  return any;
}

// Nothing is fetched ahead for threads that run one after the other.
template <class... Argument> inline void prefetchRow(const RareBlock&, Argument&&...) {}
template <unsigned rows, class... Argument>
inline void prefetchRow(const RareBlock&, Argument&&...) {}
template <class... Argument> inline void prefetchRowOrNext(const RareBlock&, Argument&&...) {}
template <class... Argument> inline void prefetchRowOfNextBlock(const RareBlock&, Argument&&...) {}
template <class... Argument> inline void prefetchNextBlock(const RareBlock&, Argument&&...) {}
template <bool loads, class... Argument>
inline void prefetchRowInTurn(const RareBlock&, Argument&&...) {}
template <class... Argument> inline void prefetchRowsOfNextBlock(const RareBlock&, Argument&&...) {}

namespace detail {

/// Compilers spend little on code around a call of this.
__attribute__((cold, noinline)) inline void comesRarely() { __asm__ volatile(""); }

} // namespace detail

/// runBlock() runs body(block) for the running block. runBlock<256>() has two versions of the body:
/// for blocks of 256 threads blockDim is constant in it, so that loops over a tree's levels have
/// constant bounds too. It is for kernels all of whose launches in sight have blocks of that size:
/// others take the time of loops without vectors.
template <class Body> __attribute__((always_inline)) inline void runBlock(Body&& body) {
  body(thisBlock());
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1, class Body>
__attribute__((always_inline)) inline void runBlock(Body&& body) {
  if (thisBlock<SizeX, SizeY, SizeZ>().asExpected()) {
    const SizedBlock<SizeX, SizeY, SizeZ, true> block(thisBlock());
    return body(block);
  }
  detail::comesRarely();
  body(static_cast<const RareBlock&>(thisBlock()));
}

/// Kernels may have arguments too that are usual: runBlock<256>(n == 30, ...) takes the version for
/// other blocks if they are others.
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1, class Body>
__attribute__((always_inline)) inline void runBlock(bool usual, Body&& body) {
  if (usual && thisBlock<SizeX, SizeY, SizeZ>().asExpected()) {
    const SizedBlock<SizeX, SizeY, SizeZ, true> block(thisBlock());
    return body(block);
  }
  detail::comesRarely();
  body(static_cast<const RareBlock&>(thisBlock()));
}

/// usually() is an argument in the body of runBlock(): a constant in the version that is only for
/// the usual value.
template <class Type, class Value>
__attribute__((always_inline)) inline Type usually(const Block&, Type argument, Value) {
  return argument;
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Type, class Value>
__attribute__((always_inline)) inline Type usually(const SizedBlock<SizeX, SizeY, SizeZ, true>&,
                                                   Type, Value value) {
  return static_cast<Type>(value);
}

/// runAnyBlock<256>() is runBlock<256>() for kernels that are launched with blocks of other sizes
/// too, as far as one can tell.
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1, class Body>
__attribute__((always_inline)) inline void runAnyBlock(Body&& body) {
  if (thisBlock<SizeX, SizeY, SizeZ>().asExpected()) {
    const SizedBlock<SizeX, SizeY, SizeZ, true> block(thisBlock());
    return body(block);
  }
  body(thisBlock());
}

} // namespace cu2cpp

#endif

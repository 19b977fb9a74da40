// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block of which some have returned: `if (x >= nx || y >= ny) return;`.
// Those that stay are mostly a box of the block, which then runs without a question to each thread.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy'.
#ifndef CU2CPP_BLOCK_STAYING_H
#define CU2CPP_BLOCK_STAYING_H

#include <cu2cpp/split.h>

namespace cu2cpp {

/// exitWhere() adds those threads to `exited` for which body(thread) holds.
template <class OneBlock, class Threads, class Body>
__attribute__((always_inline)) inline void exitWhere(const OneBlock& block, Threads& exited,
                                                     Body&& body) {
  // In most blocks of a grid no thread leaves.
  unsigned leaving = 0;
  eachThread(block, [&](const auto thread) __attribute__((always_inline)) {
    leaving += static_cast<bool>(body(thread)) ? 1 : 0;
  });
  if (leaving == 0)
    return;
  int* const flags = exited.flags();
  unsigned gone = 0;
  eachThread(block, [&](const auto thread) __attribute__((always_inline)) {
    const int leaves = static_cast<bool>(body(thread)) ? 1 : 0;
    gone += unsigned(leaves & ~flags[thread.index]);
    flags[thread.index] |= leaves;
  });
  exited.added(gone);
}

namespace detail {

/// The `part` of rows that are one run each: places are counted by one number then, and vectors
/// need no more of it than a register.
struct WholeRows {};

/// Threads of a row, side by side. Of long runs little is left over from whole vectors.
template <bool longRuns, class Threads, class Body>
__attribute__((always_inline)) inline void runSideBySide(const Threads& threads, std::size_t begin,
                                                         std::size_t end, Body& body) {
  if constexpr (longRuns) {
    CU2CPP_EACH_LANE
    for (std::size_t x = begin; x < end; ++x)
      CU2CPP_IN_LOOP body(threads(unsigned(x)));
  } else {
    CU2CPP_EACH_OF_RANGE
    for (std::size_t x = begin; x < end; ++x)
      CU2CPP_IN_LOOP body(threads(unsigned(x)));
  }
}

/// The threads of a box of a block with rows of `length` threads, in runs of `part`: a row of
/// several blocks is one run for each.
template <bool longRuns, class Part, class MakeThread, class Body, class BeforeRow>
__attribute__((always_inline)) inline void
runStaying(const StayingBox& box, unsigned length, unsigned countY, Part part,
           MakeThread&& makeThread, Body& body, BeforeRow&& beforeRow) {
  for (unsigned z = box.beginZ; z < box.endZ; ++z)
    for (unsigned y = box.beginY; y < box.endY; ++y) {
      const unsigned row = (z * countY + y) * length;
      beforeRow(y);
      if constexpr (std::is_same<Part, WholeRows>::value) {
        runSideBySide<longRuns>(makeThread(0, y, z, row), box.beginX, box.endX, body);
      } else {
        for (unsigned first = box.beginX / part * part; first < box.endX; first += part)
          runSideBySide<longRuns>(makeThread(first, y, z, row + first),
                                  box.beginX > first ? box.beginX - first : 0,
                                  box.endX - first < part ? box.endX - first : part, body);
      }
    }
}

/// Makes threads of one block, or of one with longer rows.
struct ThreadsOfBlock {
  const Block& block;
  auto operator()(unsigned first, unsigned y, unsigned z, unsigned index) const {
    const Block* const of = &block;
    return [=](unsigned x) __attribute__((always_inline)) {
      return Thread{::uint3{first + x, y, z}, of, index + x};
    };
  }
};

/// Makes threads of blocks in a row, in runs of one block's width.
struct ThreadsOfRow {
  const Block& block;
  unsigned width;
  auto operator()(unsigned first, unsigned y, unsigned z, unsigned index) const {
    const Block* const of = &block;
    const ::uint3 blockIdx{block.blockIdx.x + first / width, block.blockIdx.y, block.blockIdx.z};
    return [=](unsigned x) __attribute__((always_inline)) {
      return RowThread{{::uint3{x, y, z}, of, index + x}, blockIdx};
    };
  }
};

/// Where those that stay are no box.
template <class OneBlock, class Threads, class Body>
__attribute__((always_inline)) inline void runOthers(const OneBlock& block, const Threads& exited,
                                                     Body& body) {
  eachThread(block, [&](const auto thread) __attribute__((always_inline)) {
    if (!exited.has(thread))
      body(thread);
  });
}

/// The threads that stay, of a block with rows of `length` threads; see runStaying().
template <bool longRuns = false, class OneBlock, class Threads, class Part, class MakeThread,
          class Body, class BeforeRow = NothingBeforeRow>
__attribute__((always_inline)) inline void
runThose(const OneBlock& block, Threads& exited, const ::dim3 size, unsigned length, Part part,
         MakeThread&& makeThread, Body& body, BeforeRow&& beforeRow = {}) {
  if (const StayingBox box = exited.staying(length, size.y, size.z); box.isKnown)
    return runStaying<longRuns>(box, length, size.y, part, makeThread, body, beforeRow);
  runOthers(block, exited, body);
}

} // namespace detail

/// eachThreadStaying() is eachThread() for the threads that have not exited.
template <class Threads, class Body>
__attribute__((always_inline)) inline void eachThreadStaying(const Block& block, Threads& exited,
                                                             Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runThose(block, exited, size, size.x, detail::WholeRows(), detail::ThreadsOfBlock{block},
                   body);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Threads, class Body>
__attribute__((always_inline)) inline void
eachThreadStaying(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Threads& exited,
                  Body&& body) {
  if (!exited.any())
    return eachThread(block, body);
  detail::runThose(block, exited, ::dim3{SizeX, SizeY, SizeZ}, SizeX, detail::WholeRows(),
                   detail::ThreadsOfBlock{block}, body);
}
template <class Threads, class Body>
__attribute__((always_inline)) inline void eachThreadStaying(const RareBlock& block,
                                                             Threads& exited, Body&& body) {
  detail::runOthers(block, exited, body);
}
template <class OneBlock, class Threads, class Body>
__attribute__((always_inline)) inline void eachThreadStaying(const BlockRow<OneBlock>& blocks,
                                                             Threads& exited, Body&& body) {
  const ::dim3 size = blocks.blockDim;
  detail::runThose(blocks, exited, size, blocks.count() * size.x, size.x,
                   detail::ThreadsOfRow{blocks.first(), size.x}, body);
}
template <class OneBlock, class Threads, class Body>
__attribute__((always_inline)) inline void eachThreadStaying(const KeptRow<OneBlock>& row,
                                                             Threads& exited, Body&& body) {
  const ::dim3 size = row.size();
  detail::runThose<true>(row, exited, size, size.x, detail::WholeRows(),
                         detail::ThreadsOfBlock{row.first()}, body, row.fetchingAhead());
}

/// prefetchNextStep() for blocks that run as one: the next step's rows lie in another plane. Each
/// is fetched when the loop over threads that follows comes to its row; all at once were too many.
template <class OneBlock, class Element, class Counter, class Index>
__attribute__((always_inline)) inline void
prefetchNextStep(const KeptRow<OneBlock>& row, Element* array, Counter next, Index&& index) {
  if (row.blockDim.z == 1)
    row.fetchAhead(array, index(::uint3{0, 0, 0}, next), index(::uint3{0, 1, 0}, next));
}

} // namespace cu2cpp

#endif

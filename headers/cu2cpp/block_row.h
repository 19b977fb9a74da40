// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several blocks run as one: kernels whose threads share nothing may run the blocks that follow in
// a row of the grid along with their own. Each step of a loop then touches one long stretch of
// memory, and not the same few elements of each plane for block after block.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy': blocks are independent.
#ifndef CU2CPP_BLOCK_ROW_H
#define CU2CPP_BLOCK_ROW_H

#include <cstdint>
#include <limits>

#include <cu2cpp/block.h>

namespace cu2cpp {

/// RowThread is a thread of one of several blocks.
struct RowThread : Thread {
  ::uint3 blockIdx{};
};

/// BlocksBehind is the running block (OneBlock: Block, or a SizedBlock) and some of those behind it
/// in its row of the grid, as many as there is room for.
template <class OneBlock> class BlocksBehind {
public:
  const OneBlock& first() const { return first_; }
  unsigned count() const { return count_; }

  const ::uint3 blockIdx; ///< of the first
  const ::dim3 blockDim, gridDim;

protected:
  BlocksBehind(const OneBlock& first, unsigned room)
      : blockIdx(first.blockIdx), blockDim(first.blockDim), gridDim(first.gridDim), first_(first),
        count_(room > first.following ? first.following + 1
               : room > 0             ? room
                                      : 1) {
    first.taken = count_ - 1;
  }

private:
  const OneBlock& first_;
  const unsigned count_;
};

template <class OneBlock> class BlockRow;
/// RowAsOne is blocks in a row whose threads are counted on from block to block, by those who take
/// `known` for blockDim.x (0: whatever it is). Their threads keep their places in what is kept.
template <class OneBlock, unsigned known> struct RowAsOne {
  const BlockRow<OneBlock>& blocks;
};

/// How many threads run together if nothing is kept for each: what a few planes of theirs touch
/// stays in the second cache.
constexpr unsigned mostWithoutValues = 4096;

/// BlockRow is blocks that differ in blockIdx.x only; what is kept for the threads of one has room
/// for all of theirs.
template <class OneBlock> class BlockRow : public BlocksBehind<OneBlock> {
public:
  explicit BlockRow(const OneBlock& first, unsigned mostThreads = 1024)
      : BlocksBehind<OneBlock>(first, mostThreads / first.threadCount()) {}
  operator const Block&() const { return this->first(); }
  unsigned threadCount() const { return this->count() * this->first().threadCount(); }
  template <unsigned known = 0> RowAsOne<OneBlock, known> asOne() const { return {*this}; }
};

inline BlockRow<Block> thisRow(unsigned mostThreads = 1024) noexcept {
  return BlockRow<Block>(thisBlock(), mostThreads);
}
/// thisRow<32, 4>() is thisRow() with the hint that blocks of 32 x 4 threads are usual.
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline BlockRow<SizedBlock<SizeX, SizeY, SizeZ>> thisRow(unsigned mostThreads = 1024) noexcept {
  return BlockRow<SizedBlock<SizeX, SizeY, SizeZ>>(thisBlock<SizeX, SizeY, SizeZ>(), mostThreads);
}

namespace detail {

template <class Body, class SizeX, class SizeY, class SizeZ>
__attribute__((always_inline)) inline void runRow(const Block& first, unsigned count, Body& body,
                                                  SizeX sizeX, SizeY sizeY, SizeZ sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  unsigned row = 0;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y)
      for (unsigned b = 0; b < count; ++b, row += countX) {
        const ::uint3 blockIdx{first.blockIdx.x + b, first.blockIdx.y, first.blockIdx.z};
        CU2CPP_EACH_LANE
        for (std::size_t x = 0; x < countX; ++x)
          body(RowThread{{::uint3{unsigned(x), y, z}, &first, row + unsigned(x)}, blockIdx});
      }
}

} // namespace detail

/// eachThread() runs body(thread) for all threads of the blocks.
template <class Body>
__attribute__((always_inline)) inline void eachThread(const BlockRow<Block>& blocks, Body&& body) {
  const ::dim3 size = blocks.blockDim;
  detail::runRow(blocks.first(), blocks.count(), body, size.x, size.y, size.z);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void
eachThread(const BlockRow<SizedBlock<SizeX, SizeY, SizeZ>>& blocks, Body&& body) {
  if (blocks.first().asExpected())
    return detail::runRow(
        blocks.first(), blocks.count(), body, std::integral_constant<unsigned, SizeX>(),
        std::integral_constant<unsigned, SizeY>(), std::integral_constant<unsigned, SizeZ>());
  const ::dim3 size = blocks.blockDim;
  detail::runRow(blocks.first(), blocks.count(), body, size.x, size.y, size.z);
}

template <class OneBlock, unsigned known, class Body>
__attribute__((always_inline)) inline void eachThread(const RowAsOne<OneBlock, known>& row,
                                                      Body&& body) {
  const Block& first = row.blocks.first();
  const ::dim3 size = row.blocks.blockDim;
  // Places in a row of the grid are integers of 32 bits.
  if ((known != 0 && size.x != known) ||
      (unsigned long long)(row.blocks.gridDim.x) * size.x >= (1u << 30))
    return eachThread(row.blocks, body);
  const unsigned length = row.blocks.count() * size.x;
  unsigned begin = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, begin += length) {
      CU2CPP_EACH_LANE
      for (std::size_t x = 0; x < length; ++x)
        body(RowThread{{::uint3{unsigned(x), y, z}, &first, begin + unsigned(x)}, first.blockIdx});
    }
}

/// LongRow is the running block and some of those behind it as one block with longer rows: its
/// threadIdx.x counts on where theirs would start anew. For kernels that use both indices only in
/// blockIdx.x * blockDim.x + threadIdx.x.
template <class OneBlock> class LongRow : public BlocksBehind<OneBlock> {
public:
  static constexpr unsigned usualLength = 1024; ///< what the threads of a row touch stays in caches

  LongRow(const OneBlock& first, unsigned mostThreads)
      : BlocksBehind<OneBlock>(first, mostThreads / first.blockDim.x) {}
};

namespace detail {

struct NothingBeforeRow {
  void operator()(unsigned) const {}
};

/// The loops over a long row's threads. Those at the start of the grid's row may have neighbours
/// below 0: compilers' checks that no unsigned index wraps around fail for a whole loop then, which
/// so is the loop over a few threads only. beforeRow(y) comes before each row of the block.
template <class Body, class BeforeRow = NothingBeforeRow>
__attribute__((always_inline)) inline void runLong(const Block& block, Body& body, unsigned length,
                                                   unsigned countY, unsigned countZ,
                                                   BeforeRow&& beforeRow = {}) {
  constexpr unsigned few = 16;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y) {
      const unsigned row = (z * countY + y) * length;
      beforeRow(y);
      std::size_t begin = 0, end = block.blockIdx.x == 0 && length > few ? few : length;
      do {
        CU2CPP_EACH_LANE
        for (std::size_t x = begin; x < end; ++x)
          CU2CPP_IN_LOOP body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        begin = end;
        end = length;
      } while (begin < length);
    }
}

} // namespace detail

namespace detail {

/// Whether blocks are as large as a kernel takes them for (0: whatever it is).
inline bool isAsKnown(unsigned size, unsigned known) { return known == 0 || size == known; }
template <class OneBlock>
LongRow<OneBlock> longRow(const OneBlock& first, unsigned length, unsigned knownX) {
  return LongRow<OneBlock>(first, isAsKnown(first.blockDim.x, knownX) ? length : 0);
}

} // namespace detail

/// Kernels that take a number for blockDim.x name it: other blocks run one by one.
inline LongRow<Block> thisLongRow(unsigned knownX = 0) noexcept {
  return detail::longRow(thisBlock(), LongRow<Block>::usualLength, knownX);
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline LongRow<SizedBlock<SizeX, SizeY, SizeZ>> thisLongRow(unsigned knownX = 0) noexcept {
  using Row = LongRow<SizedBlock<SizeX, SizeY, SizeZ>>;
  return detail::longRow(thisBlock<SizeX, SizeY, SizeZ>(), Row::usualLength, knownX);
}

/// KeptRow is a LongRow for kernels that keep values for each thread through loops that pass over
/// memory: as many blocks as those have room for. Of whole rows of a plane each step is one stretch
/// of memory; thisKeptRows() makes it longer by the rows of blocks that follow.
template <class OneBlock> class KeptRow : public LongRow<OneBlock> {
public:
  static constexpr unsigned mostThreads = 8192;

  explicit KeptRow(const OneBlock& first, bool rows, unsigned knownX, unsigned knownY)
      : LongRow<OneBlock>(first, detail::isAsKnown(first.blockDim.x, knownX)
                                     ? most(first.blockDim.x, first.threadCount())
                                     : 0) {
    if (!rows || !detail::isAsKnown(first.blockDim.x, knownX) ||
        !detail::isAsKnown(first.blockDim.y, knownY) || this->count() != first.gridDim.x ||
        first.blockDim.z != 1)
      return;
    const unsigned room = mostThreads / threadCount();
    first.wantedRows = room; // a few lines of each plane are too little to go through it
    rows_ = evenShare(first.followingRows + 1, room > 0 ? room : 1);
    first.taken = rows_ * this->count() - 1;
  }
  operator const Block&() const { return this->first(); }
  unsigned threadCount() const { return this->count() * rows_ * this->first().threadCount(); }
  /// As one block: how many threads it has in each direction.
  ::dim3 size() const {
    return {this->count() * this->blockDim.x, rows_ * this->blockDim.y, this->blockDim.z};
  }

  /// The rows of an array that the loop over threads that follows is to fetch for the next step:
  /// where those of the first and the second row of threads begin.
  template <class Element, class Place>
  void fetchAhead(Element* array, Place first, Place second) const {
    if (fetches && aheadCount_ < mostAhead)
      // Not as places of a pointer: there need not be such a step.
      ahead_[aheadCount_++] = {reinterpret_cast<std::uintptr_t>(array) +
                                   static_cast<std::uintptr_t>(first) * sizeof(Element),
                               static_cast<std::uintptr_t>(second - first) * sizeof(Element),
                               this->count() * this->blockDim.x * sizeof(Element),
                               std::is_const<Element>::value};
  }
  auto fetchingAhead() const {
    const unsigned count = aheadCount_;
    aheadCount_ = 0;
    return [this, count](unsigned y) __attribute__((always_inline)) {
      constexpr std::uintptr_t line = 64;
      for (unsigned i = 0; i < count; ++i) {
        const Ahead& ahead = ahead_[i];
        const std::uintptr_t first = ahead.first + y * ahead.pitch;
        if (ahead.isRead)
          for (std::uintptr_t at = 0; at < ahead.bytes; at += line)
            __builtin_prefetch(reinterpret_cast<const void*>(first + at), 0);
        else
          for (std::uintptr_t at = 0; at < ahead.bytes; at += line)
            __builtin_prefetch(reinterpret_cast<const void*>(first + at), 1);
      }
    };
  }

private:
  struct Ahead {
    std::uintptr_t first, pitch, bytes;
    bool isRead;
  };
  // Processors follow the vectors of AVX2 along the rows of a plane, which lie one behind the
  // other; to ask for each line took as long as a tenth of a step.
#ifdef __AVX512F__
  static constexpr bool fetches = true;
#else
  static constexpr bool fetches = false;
#endif
  static constexpr unsigned mostAhead = 3;
  mutable Ahead ahead_[mostAhead];
  mutable unsigned aheadCount_ = 0;
  unsigned rows_ = 1;
  /// So many of `count` that the last ones are not much fewer.
  static unsigned evenShare(unsigned count, unsigned most) {
    const unsigned shares = (count + most - 1) / most;
    return (count + shares - 1) / shares;
  }
  static unsigned most(unsigned width, unsigned threads) {
    const unsigned most = mostThreads / threads * width;
    return most < LongRow<OneBlock>::usualLength ? most : LongRow<OneBlock>::usualLength;
  }
};

inline KeptRow<Block> thisKeptRow(unsigned knownX = 0) noexcept {
  return KeptRow<Block>(thisBlock(), false, knownX, 0);
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline KeptRow<SizedBlock<SizeX, SizeY, SizeZ>> thisKeptRow(unsigned knownX = 0) noexcept {
  return KeptRow<SizedBlock<SizeX, SizeY, SizeZ>>(thisBlock<SizeX, SizeY, SizeZ>(), false, knownX,
                                                  0);
}

/// thisKeptRows() is thisKeptRow() for kernels that use threadIdx.y and blockIdx.y in the same way,
/// as blockIdx.y * blockDim.y + threadIdx.y only.
inline KeptRow<Block> thisKeptRows(unsigned knownX = 0, unsigned knownY = 0) noexcept {
  return KeptRow<Block>(thisBlock(), true, knownX, knownY);
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline KeptRow<SizedBlock<SizeX, SizeY, SizeZ>> thisKeptRows(unsigned knownX = 0,
                                                             unsigned knownY = 0) noexcept {
  return KeptRow<SizedBlock<SizeX, SizeY, SizeZ>>(thisBlock<SizeX, SizeY, SizeZ>(), true, knownX,
                                                  knownY);
}

/// PerThreadOfRow is a number or pointer that each thread of a KeptRow keeps.
template <class Element> class PerThreadOfRow {
public:
  template <class OneBlock> explicit PerThreadOfRow(const KeptRow<OneBlock>&) {}
  Element& operator[](const Thread& thread) { return values_[thread.index]; }

private:
  // Without values: translated code starts them where the user's code does.
  alignas(64) Element values_[KeptRow<Block>::mostThreads];
};

/// thisWholeRow() is thisLongRow() with all blocks that the OS thread is to run next, for kernels
/// that pass over memory once, in a grid-stride loop: each step is one stretch of memory, as long
/// as can be.
inline LongRow<Block> thisWholeRow(unsigned knownX = 0) noexcept {
  return detail::longRow(thisBlock(), std::numeric_limits<unsigned>::max(), knownX);
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline LongRow<SizedBlock<SizeX, SizeY, SizeZ>> thisWholeRow(unsigned knownX = 0) noexcept {
  return detail::longRow(thisBlock<SizeX, SizeY, SizeZ>(), std::numeric_limits<unsigned>::max(),
                         knownX);
}

/// LongColumns is the running block and some of those behind it as one block with longer columns:
/// whole rows of the grid, so that the blocks behind it are those beside it in its column, too. For
/// kernels that use both indices only in blockIdx.y * blockDim.y + threadIdx.y, and likewise of x,
/// and whose neighbours in memory are those of a column.
template <class OneBlock> class LongColumns : public BlocksBehind<OneBlock> {
public:
  static constexpr unsigned usualLength = 1024;

  LongColumns(const OneBlock& first, unsigned knownX, unsigned knownY)
      : BlocksBehind<OneBlock>(first, mayGoOn(first, knownX, knownY) ? first.gridDim.x : 0) {
    if (this->count() != first.gridDim.x || !mayGoOn(first, knownX, knownY))
      return;
    const unsigned room = usualLength / first.blockDim.y;
    first.wantedRows = room;
    rows_ = room > first.followingRows ? first.followingRows + 1 : room > 0 ? room : 1;
    first.taken = rows_ * this->count() - 1;
  }
  /// As one block: how many threads it has in each direction.
  ::dim3 size() const {
    return {this->count() * this->blockDim.x, rows_ * this->blockDim.y, this->blockDim.z};
  }

private:
  static bool mayGoOn(const OneBlock& first, unsigned knownX, unsigned knownY) {
    return detail::isAsKnown(first.blockDim.x, knownX) &&
           detail::isAsKnown(first.blockDim.y, knownY) && first.blockDim.z == 1;
  }
  unsigned rows_ = 1;
};

inline LongColumns<Block> thisLongColumns(unsigned knownX = 0, unsigned knownY = 0) noexcept {
  return {thisBlock(), knownX, knownY};
}
template <unsigned SizeX, unsigned SizeY = 1, unsigned SizeZ = 1>
inline LongColumns<SizedBlock<SizeX, SizeY, SizeZ>> thisLongColumns(unsigned knownX = 0,
                                                                    unsigned knownY = 0) noexcept {
  return {thisBlock<SizeX, SizeY, SizeZ>(), knownX, knownY};
}

template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachThreadByColumns(const LongColumns<OneBlock>& columns,
                                                               Body&& body) {
  const Block& first = columns.first();
  const ::dim3 size = columns.size();
  // As in detail::runLong().
  constexpr unsigned few = 16;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned x = 0; x < size.x; ++x) {
      std::size_t begin = 0, end = first.blockIdx.y == 0 && size.y > few ? few : size.y;
      do {
        CU2CPP_EACH_LANE
        for (std::size_t y = begin; y < end; ++y)
          CU2CPP_IN_LOOP body(Thread{::uint3{x, unsigned(y), z}, &first, 0});
        begin = end;
        end = size.y;
      } while (begin < size.y);
    }
}

template <class Body>
__attribute__((always_inline)) inline void eachThread(const LongRow<Block>& row, Body&& body) {
  const ::dim3 size = row.blockDim;
  detail::runLong(row.first(), body, row.count() * size.x, size.y, size.z);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void
eachThread(const LongRow<SizedBlock<SizeX, SizeY, SizeZ>>& row, Body&& body) {
  const ::dim3 size = row.blockDim;
  if (row.first().asExpected())
    return detail::runLong(row.first(), body, row.count() * SizeX, SizeY, SizeZ);
  detail::runLong(row.first(), body, row.count() * size.x, size.y, size.z);
}

template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachThread(const KeptRow<OneBlock>& row, Body&& body) {
  const ::dim3 size = row.size();
  detail::runLong(row.first(), body, size.x, size.y, size.z, row.fetchingAhead());
}

template <class OneBlock, class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRising(const LongRow<OneBlock>& row,
                                                            Holds&& holds, Body&& body) {
  const ::dim3 size = row.blockDim;
  return detail::runRising(row.first(), holds, body, row.count() * size.x, size.y, size.z);
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that read an array in place of their tiles and lie behind one another in the grid run as
// one block with longer rows, for kernels that do nothing else in such blocks: rows of 16 threads
// are short for vectors, and for what processors foresee of memory.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy': blocks are independent.
#ifndef CU2CPP_TILE_ROW_H
#define CU2CPP_TILE_ROW_H

#include <cstdint>

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/block_row.h>

namespace cu2cpp {

/// TileRow is the running block and those behind it that run along: threadIdx.x counts on where
/// theirs would start anew.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ> struct TileRow {
  const SizedBlock<SizeX, SizeY, SizeZ, true>& first;
  unsigned count;
};

/// tileRow<16>() is the running block of a kernel that takes 16 for blockDim.x (0: whatever it is),
/// for which inGrid(blockIdx) holds, and those behind it as long as it does. Blocks whose size
/// compilers do not know run one by one.
template <unsigned known = 0, class OneBlock, class InGrid>
__attribute__((always_inline)) inline const OneBlock& tileRow(const OneBlock& block, InGrid&&) {
  return block;
}
template <unsigned known = 0, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class InGrid,
          class = std::enable_if_t<SizeX % 8 == 0 && (known == 0 || known == SizeX)>>
__attribute__((always_inline)) inline TileRow<SizeX, SizeY, SizeZ>
tileRow(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, InGrid&& inGrid) {
  constexpr unsigned most = LongRow<Block>::usualLength / SizeX;
  unsigned count = 1;
  // Places in a row of the grid are integers of 32 bits.
  if (std::uint64_t(block.gridDim.x) * SizeX < (1u << 30))
    while (count < most && count <= block.following &&
           inGrid(::uint3{block.blockIdx.x + count, block.blockIdx.y, block.blockIdx.z}))
      ++count;
  thisBlock().taken = count - 1;
  return {block, count};
}

namespace detail {

/// Runs body(isInside, thread) for all threads, range(y, z) being the part of a row that is inside.
/// Parts at its ends ask.
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Range,
          class Body>
__attribute__((always_inline)) inline void runTileRow(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                      Range&& range, Body& body) {
  constexpr unsigned part = rowPart<SizeX>;
  const unsigned all = row.count * (SizeX / part);
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      const Inside inside = range(y, z);
      unsigned begin = (inside.begin() + part - 1) / part, some = 0;
      const unsigned end = inside.end() / part < all ? inside.end() / part : all;
      begin = begin < end ? begin : all;
      // Those before the range and it, then those behind it: the body stands once for each kind.
      do {
        runParts<part, sizes...>(row.first, body, std::false_type(), ::uint3{some * part, y, z}, 0,
                                 begin - some);
        if (begin == all)
          break;
        runParts<part, sizes...>(row.first, body, std::true_type(), ::uint3{begin * part, y, z}, 0,
                                 end - begin);
        some = end;
        begin = all;
      } while (some < all);
    }
}

} // namespace detail

template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void eachThread(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                      Body&& body) {
  constexpr unsigned part = detail::rowPart<SizeX>;
  const auto run = [&](std::true_type, const Thread thread)
                       __attribute__((always_inline)) { body(thread); };
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y)
      detail::runParts<part>(row.first, run, std::true_type(), ::uint3{0, y, z}, 0,
                             row.count * (SizeX / part));
}

template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Bounds,
          class Body>
__attribute__((always_inline)) inline void eachThreadInside(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                            Bounds&& bounds, Body&& body) {
  detail::runTileRow<sizes...>(
      row,
      [&](unsigned y, unsigned z)
          __attribute__((always_inline)) { return detail::rangeOfRow(bounds, y, z); },
      body);
}

namespace detail {

template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void runAllOfTileRow(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                           bool inside, Body& body) {
  const unsigned length = row.count * SizeX;
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      if (inside) {
        runParts<rowPart<SizeX>, sizes...>(row.first, body, std::true_type(), ::uint3{0, y, z}, 0,
                                           length / rowPart<SizeX>);
        continue;
      }
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = 0; x < length; ++x)
        body(std::false_type(), Thread{::uint3{x, y, z}, &row.first, x});
    }
}

/// Whether a box has all threads of a row of blocks.
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ>
constexpr bool holdsTileRow(const Box& box, const TileRow<SizeX, SizeY, SizeZ>& row) {
  return box.isKnown() && box.x.holdsRow(row.count * SizeX) && box.y.holdsRow(SizeY) &&
         box.z.holdsRow(SizeZ);
}

} // namespace detail

template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void eachThreadInBox(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                           const Box box, Body&& body) {
  const bool whole = detail::holdsTileRow(box, row);
  if (whole || !box.isKnown())
    return detail::runAllOfTileRow<sizes...>(row, whole, body);
  const unsigned length = row.count * SizeX;
  const unsigned endY = box.y.end() < SizeY ? box.y.end() : SizeY;
  const unsigned endZ = box.z.end() < SizeZ ? box.z.end() : SizeZ;
  const std::size_t endX = box.x.end() < length ? box.x.end() : length;
  for (unsigned z = box.z.begin(); z < endZ; ++z)
    for (unsigned y = box.y.begin(); y < endY; ++y) {
      CU2CPP_EACH_OF_RANGE
      for (std::size_t x = box.x.begin(); x < endX; ++x)
        body(std::true_type(), Thread{::uint3{unsigned(x), y, z}, &row.first, unsigned(x)});
    }
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void eachThreadInBox(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                           const BoxOfTile box, Body&& body) {
  eachThreadInBox<sizes...>(row, box.ofSize.also(box.ofBlock), body);
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void eachThreadInBox(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                           const BoxWithin box, Body&& body) {
  const Box inner = box.ofSize.also(box.ofBlock).also(box.further);
  detail::runAllOfTileRow<sizes...>(row, detail::holdsTileRow(inner, row), body);
}
template <unsigned... sizes, unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Body>
__attribute__((always_inline)) inline void eachThreadInBox(const TileRow<SizeX, SizeY, SizeZ>& row,
                                                           const BoxOfPlaces box, Body&& body) {
  const bool free = box.free.isKnown() && box.free.holdsRow(row.count * SizeX);
  detail::runAllOfTileRow<sizes...>(row, free && detail::holdsTileRow(box, row), body);
}

} // namespace cu2cpp

#endif

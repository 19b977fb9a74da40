// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that only count the elements of a matrix, each thread those of one column:
//
//   if (x < width)
//     for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
//       atomicAdd(&bins[in[y * width + x]], 1);
//
// As it doesn't matter which block counts what, the running block and those that follow take one
// stretch of the matrix, row by row, where on its own each would go from page to page. Blocks of
// other kernels that only count do what they do in turn, in one table.
#ifndef CU2CPP_GRID_PLACES_H
#define CU2CPP_GRID_PLACES_H

#include <cstdint>
#include <limits>
#include <type_traits>

#include <cu2cpp/rare_block.h>
#include <cu2cpp/split.h>

namespace cu2cpp {

namespace detail {

/// How many numbers of type Number, from 0 on, lie below `end` as a loop compares them.
template <class Number, class End> std::uint64_t numbersBelow(End end) {
  using Compared = std::common_type_t<Number, End>;
  const Compared bound = static_cast<Compared>(end);
  return bound > 0 ? static_cast<std::uint64_t>(bound) : 0;
}
/// The greatest number that both Number and threadIdx.x can count to.
template <class Number> constexpr std::uint64_t mostOf() {
  return std::uint64_t(std::numeric_limits<Number>::max()) < ~0u
             ? std::uint64_t(std::numeric_limits<Number>::max())
             : ~0u;
}

/// Each thread of the block takes what the kernel's text says.
template <class Column, class Row, class Width, class Height, class Step, class Body>
void eachPlaceOfBlock(const ::dim3& size, const ::uint3& blockIdx, unsigned sizeX, unsigned sizeY,
                      Width width, Height height, Step step, const Body& body) {
  for (unsigned tz = 0; tz < size.z; ++tz)
    for (unsigned ty = 0; ty < size.y; ++ty)
      for (unsigned tx = 0; tx < size.x; ++tx) {
        const Column x = static_cast<Column>(blockIdx.x * sizeX + tx);
        if (x < width)
          for (Row y = static_cast<Row>(blockIdx.y * sizeY + ty); y < height; y += step)
            body(::uint3{tx, ty, tz}, x, y);
      }
}

/// The same where threads step by columns, too.
template <class Column, class Row, class Width, class ColumnStep, class Height, class Step,
          class Body>
void eachPlaceOfBlockInSteps(const ::dim3& size, const ::uint3& blockIdx, unsigned sizeX,
                             unsigned sizeY, Width width, ColumnStep columnStep, Height height,
                             Step step, const Body& body) {
  for (unsigned tz = 0; tz < size.z; ++tz)
    for (unsigned ty = 0; ty < size.y; ++ty)
      for (unsigned tx = 0; tx < size.x; ++tx)
        for (Row y = static_cast<Row>(blockIdx.y * sizeY + ty); y < height; y += step)
          for (Column x = static_cast<Column>(blockIdx.x * sizeX + tx); x < width; x += columnStep)
            body(::uint3{tx, ty, tz}, x, y);
}

/// The running block and those that it takes have their share of the places of a matrix, row by
/// row.
template <class Column, class Row, class Body>
__attribute__((always_inline)) inline void
eachPlaceOfStretch(const ::dim3& grid, const ::uint3& blockIdx, std::uint64_t columns,
                   std::uint64_t rows, const Body& body) {
  const Block& running = thisBlock();
  running.taken = blockIdx.x == 0 && running.followingRows != 0
                      ? (running.followingRows + 1) * grid.x - 1
                      : running.following;
  if (columns == 0)
    return;
  const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y;
  const std::uint64_t number = std::uint64_t(blockIdx.y) * grid.x + blockIdx.x;
  const std::uint64_t all = columns * rows;
  const auto firstOf = [&](std::uint64_t n) {
    return all / blocks * n + all % blocks * n / blocks;
  };
  std::uint64_t at = firstOf(number);
  const std::uint64_t end = firstOf(number + running.taken + 1);
  while (at < end) {
    const Row y = static_cast<Row>(at / columns);
    const std::uint64_t begin = at % columns;
    const unsigned first = static_cast<unsigned>(begin);
    const unsigned last =
        static_cast<unsigned>(end - at < columns - begin ? begin + (end - at) : columns);
    at += last - first;
    const auto place = [&](unsigned i) __attribute__((always_inline)) {
      body(::uint3{i, 0, 0}, static_cast<Column>(first + i), y);
    };
    inFours(last - first, place);
  }
}

} // namespace detail

/// eachPlaceOfGrid() runs body(threadIdx, x, y) for the columns x < width and rows y < height that
/// the kernel's text gives to the block: of sizeX columns a block, as many as there are threads if
/// that is 0, and every `step`-th row; or for others, if blocks behind it then take those.
template <class Column, class Row, unsigned sizeX, unsigned sizeY, class OneBlock, class Width,
          class Height, class Step, class Body>
__attribute__((always_inline)) inline void
eachPlaceOfGrid(const OneBlock& block, Width width, Height height, Step step, const Body& body) {
  const ::dim3 size = block.blockDim, grid = block.gridDim;
  const ::uint3 blockIdx = block.blockIdx;
  const unsigned threadsX = sizeX ? sizeX : size.x, threadsY = sizeY ? sizeY : size.y;
  const std::uint64_t columnsOfGrid = std::uint64_t(grid.x) * size.x,
                      rowsOfGrid = std::uint64_t(grid.y) * size.y,
                      blocks = std::uint64_t(grid.x) * grid.y;
  std::uint64_t columns = detail::numbersBelow<Column>(width);
  const std::uint64_t rows = detail::numbersBelow<Row>(height);
  if (columns > columnsOfGrid)
    columns = columnsOfGrid;
  // Blocks of other sizes than the loop has in mind, layers of blocks or threads, and numbers that
  // the loop could not count.
  if (threadsX != size.x || threadsY != size.y || size.z != 1 || grid.z != 1 ||
      static_cast<std::uint64_t>(step) != rowsOfGrid || columnsOfGrid > detail::mostOf<Column>() ||
      rowsOfGrid > detail::mostOf<Row>() || rows > detail::mostOf<Row>() - rowsOfGrid ||
      blocks > ~0u) {
    detail::eachPlaceOfBlock<Column, Row>(size, blockIdx, threadsX, threadsY, width, height, step,
                                          body);
    return;
  }
  detail::eachPlaceOfStretch<Column, Row>(grid, blockIdx, columns, rows, body);
}

/// eachPlaceInSteps() is the same for all columns x < width, of which threads take every
/// `columnStep`-th.
template <class Column, class Row, unsigned sizeX, unsigned sizeY, class OneBlock, class Width,
          class ColumnStep, class Height, class Step, class Body>
__attribute__((always_inline)) inline void eachPlaceInSteps(const OneBlock& block, Width width,
                                                            ColumnStep columnStep, Height height,
                                                            Step step, const Body& body) {
  const ::dim3 size = block.blockDim, grid = block.gridDim;
  const ::uint3 blockIdx = block.blockIdx;
  const unsigned threadsX = sizeX ? sizeX : size.x, threadsY = sizeY ? sizeY : size.y;
  const std::uint64_t columnsOfGrid = std::uint64_t(grid.x) * size.x,
                      rowsOfGrid = std::uint64_t(grid.y) * size.y,
                      blocks = std::uint64_t(grid.x) * grid.y;
  const std::uint64_t columns = detail::numbersBelow<Column>(width),
                      rows = detail::numbersBelow<Row>(height);
  if (threadsX != size.x || threadsY != size.y || size.z != 1 || grid.z != 1 ||
      static_cast<std::uint64_t>(columnStep) != columnsOfGrid ||
      static_cast<std::uint64_t>(step) != rowsOfGrid || columnsOfGrid > detail::mostOf<Column>() ||
      rowsOfGrid > detail::mostOf<Row>() || columns > detail::mostOf<Column>() - columnsOfGrid ||
      rows > detail::mostOf<Row>() - rowsOfGrid || blocks > ~0u)
    detail::eachPlaceOfBlockInSteps<Column, Row>(size, blockIdx, threadsX, threadsY, width,
                                                 columnStep, height, step, body);
  else
    detail::eachPlaceOfStretch<Column, Row>(grid, blockIdx, columns, rows, body);
}

/// eachBlockInTurn() runs body(block) for the running block and those that follow in its row of the
/// grid: kernels that only count in tables of the block's use one table for all of them.
template <class OneBlock, class Body>
__attribute__((always_inline)) inline void eachBlockInTurn(const OneBlock& block, Body&& body) {
  const Block& running = thisBlock();
  const unsigned last = running.following;
  running.taken = last;
  OneBlock one = block;
  for (unsigned i = 0; i <= last; ++i) {
    body(static_cast<const OneBlock&>(one));
    ++one.blockIdx.x;
  }
}
template <class Body>
__attribute__((always_inline)) inline void eachBlockInTurn(const RareBlock& block, Body&& body) {
  body(block);
}

/// eachRowOfBlocks() does the same where threads go on from block to block: these blocks are some
/// with longer rows, of up to as many threads as a block may have, if they are as long as the
/// kernel takes them for (`known`; 0: whatever they are).
template <unsigned known = 0, class OneBlock, class Body>
__attribute__((always_inline)) inline void eachRowOfBlocks(const OneBlock& block, Body&& body) {
  constexpr unsigned most = Inside::longestRow;
  const Block& running = thisBlock();
  const unsigned last = running.following, size = block.blockDim.x;
  running.taken = last;
  Block row = block;
  const unsigned room = (known == 0 || size == known) && size <= most ? most / size : 1;
  for (unsigned left = last + 1; left != 0;) {
    const unsigned count = left < room ? left : room;
    row.blockDim.x = size * count;
    body(static_cast<const Block&>(row));
    row.blockIdx.x += count;
    left -= count;
  }
}
template <unsigned known = 0, class Body>
__attribute__((always_inline)) inline void eachRowOfBlocks(const RareBlock& block, Body&& body) {
  body(block);
}

} // namespace cu2cpp

#endif

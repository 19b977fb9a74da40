// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block go through the elements of a range together, one thread
// for each: who takes which does not matter then, and rows of elements run as vectors, however long
// they are.
#ifndef CU2CPP_BLOCK_ELEMENTS_H
#define CU2CPP_BLOCK_ELEMENTS_H

#include <cu2cpp/block_ranges.h>
#include <cu2cpp/rare_block.h>

namespace cu2cpp {
namespace detail {

/// The first `count` elements of a row. bounds(row) is the range in which conditions on the column
/// are decided; an Inside in its place says that there are none.
template <class Column, class Row, class Bounds, class Body>
__attribute__((always_inline)) inline void runElements(Row row, std::size_t count, Bounds& bounds,
                                                       Body& body) {
  constexpr bool isFree = std::is_convertible<Bounds, Inside>::value;
  if constexpr (!isFree) {
    const Inside range = bounds(row);
    if (range.begin() != 0 || range.end() < count) {
      CU2CPP_EACH_LANE
      for (std::size_t column = 0; column < count; ++column)
        CU2CPP_IN_LOOP body(std::false_type(), row, Column(column));
      return;
    }
  }
  CU2CPP_EACH_LANE
  for (std::size_t column = 0; column < count; ++column)
    CU2CPP_IN_LOOP body(std::true_type(), row, Column(column));
}

template <class Row, class Column, class Bounds, class Body>
__attribute__((always_inline)) inline void runRows(unsigned rows, unsigned columns, Bounds& bounds,
                                                   Body& body) {
  for (unsigned row = 0; row < rows; ++row)
    runElements<Column>(Row(row), columns, bounds, body);
}

/// Whether an integer of any type is one of 0 .. 2^31 - 1, in which counting is the same in all.
template <class Integer> constexpr bool isCount(Integer value) {
  return !(value < 0) && static_cast<unsigned long long>(value) <= 0x7fffffff;
}

/// elementsByRows() runs body for elements 0 .. limit - 1 by rows, if the block's threads start at
/// places that are their numbers and go on by as many; else it does nothing, and returns false.
template <class OneBlock, class Start, class Step, class Width, class Bounds, class Body>
__attribute__((always_inline)) inline bool elementsByRows(const OneBlock& block, Start& start,
                                                          Step step, unsigned long long limit,
                                                          Width width, Bounds& bounds, Body& body) {
  if constexpr (std::is_same<OneBlock, RareBlock>::value) {
    return false;
  } else {
    using Element = decltype(start(::uint3{}));
    using Row = decltype(Element() / width);
    const ::dim3 size = block.blockDim;
    const auto startsAt = [&](unsigned x, unsigned y, unsigned z) __attribute__((always_inline)) {
      return start(::uint3{x, y, z}) == Element(x + size.x * (y + size.y * z));
    };
    constexpr unsigned long long longestRow = 1u << 20;
    if (!startsAt(0, 0, 0) || !(size.x == 1 || startsAt(1, 0, 0)) ||
        !(size.y == 1 || startsAt(0, 1, 0)) || !(size.z == 1 || startsAt(0, 0, 1)) ||
        static_cast<unsigned long long>(step) != threadsIn(size) || !(width > 0) ||
        static_cast<unsigned long long>(width) > longestRow || limit > 0x7fffffff)
      return false;
    const unsigned end = unsigned(limit), columns = unsigned(width), rows = end / columns;
    runRows<Row, Row>(rows, columns, bounds, body);
    for (unsigned column = 0; column < end - rows * columns; ++column)
      body(std::false_type(), Row(rows), Row(column));
    return true;
  }
}

} // namespace detail

/// eachElement() is, for the threads of a block together,
///
///   for (Element t = start(threadIdx); t < limit; t += step)
///     body(isInside, t / width, t % width);
///
/// where threads start at places that follow threadIdx linearly, and do not mind which of them
/// takes an element. isInside is as for eachThreadInside(): what bounds(row) says for the row's
/// columns.
template <class OneBlock, class Start, class Step, class Limit, class Width, class Bounds,
          class Body>
__attribute__((always_inline)) inline void eachElement(const OneBlock& block, Start&& start,
                                                       Step step, Limit limit, Width width,
                                                       Bounds&& bounds, Body&& body) {
  using Element = decltype(start(::uint3{}));
  using Common = std::common_type_t<Element, Limit>;
  if (detail::isCount(Common(limit)) &&
      detail::elementsByRows(block, start, step, static_cast<unsigned long long>(limit), width,
                             bounds, body))
    return;
  const ::dim3 size = block.blockDim;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        for (Element t = start(::uint3{x, y, z}); Common(t) < Common(limit); t = Element(t + step))
          body(std::false_type(), t / width, t % width);
}

/// eachItem() is, likewise,
///
///   for (Counter i = 0; i < items; ++i)
///     body(isInside, (start(threadIdx) + i * step) / width, ... % width);
template <class Counter, class OneBlock, class Start, class Step, class Items, class Width,
          class Bounds, class Body>
__attribute__((always_inline)) inline void eachItem(const OneBlock& block, Start&& start, Step step,
                                                    Items items, Width width, Bounds&& bounds,
                                                    Body&& body) {
  using Element = decltype(start(::uint3{}));
  using Common = std::common_type_t<Counter, Items>;
  if (detail::isCount(Common(items)) && detail::isCount(step) &&
      detail::elementsByRows(block, start, step,
                             static_cast<unsigned long long>(items) *
                                 static_cast<unsigned long long>(step),
                             width, bounds, body))
    return;
  const ::dim3 size = block.blockDim;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x) {
        Element t = start(::uint3{x, y, z});
        for (Counter i = 0; Common(i) < Common(items); ++i, t = Element(t + Element(step)))
          body(std::false_type(), t / width, t % width);
      }
}

/// eachElementInRows() is, for the threads of a block together,
///
///   for (Row row = threadIdx.y; row < rows; row += rowStep)
///     for (Column column = threadIdx.x; column < columns; column += columnStep)
///       body(isInside, row, column);
template <class Row, class Column, class OneBlock, class RowStep, class Rows, class ColumnStep,
          class Columns, class Bounds, class Body>
__attribute__((always_inline)) inline void
eachElementInRows(const OneBlock& block, RowStep rowStep, Rows rows, ColumnStep columnStep,
                  Columns columns, Bounds&& bounds, Body&& body) {
  const ::dim3 size = block.blockDim;
  using CommonRow = std::common_type_t<Row, Rows>;
  using CommonColumn = std::common_type_t<Column, Columns>;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
    if (size.z == 1 && static_cast<unsigned long long>(rowStep) == size.y &&
        static_cast<unsigned long long>(columnStep) == size.x && detail::isCount(CommonRow(rows)) &&
        detail::isCount(CommonColumn(columns))) {
      detail::runRows<Row, Column>(unsigned(rows), unsigned(columns), bounds, body);
      return;
    }
  }
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        for (Row row = Row(y); CommonRow(row) < CommonRow(rows); row = Row(row + rowStep))
          for (Column column = Column(x); CommonColumn(column) < CommonColumn(columns);
               column = Column(column + columnStep))
            body(std::false_type(), row, column);
}

} // namespace cu2cpp

#endif

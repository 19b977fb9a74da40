// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block fill a shared tile that lies the other way around than what
// they load: `tile[t % 16][t / 16] = in[t / 16 * n + t % 16]`. Rows of elements are loaded as
// vectors into a square, and its columns are stored as such.
#ifndef CU2CPP_TURNED_ELEMENTS_H
#define CU2CPP_TURNED_ELEMENTS_H

#include <cu2cpp/block_elements.h>
#include <cu2cpp/turned_copy.h>

namespace cu2cpp {
namespace detail {

/// TurnedElements is body(isInside, row, column, to), which stores to one place, and place(row,
/// column), which is where: neighbours lie in neighbouring rows.
template <class Place, class Body> class TurnedElements {
public:
  using Element = std::remove_reference_t<decltype(std::declval<Place&>()(0, 0))>;
  TurnedElements(Place& place, Body& body) : place_(place), body_(body) {}

  template <class IsInside, class Row, class Column>
  __attribute__((always_inline)) void operator()(IsInside isInside, Row row, Column column) const {
    body_(isInside, row, column, place_(row, column));
  }

#if defined(__clang__) && (defined(__SSE2__) || defined(__AVX2__))
  /// As many rows and columns as fill squares; returns how many rows.
  template <class Row, class Column, class Bounds>
  __attribute__((always_inline)) unsigned runSquares(unsigned rows, unsigned columns,
                                                     Bounds& bounds) const {
    if constexpr (std::is_arithmetic<Element>::value &&
                  (sizeof(Element) == 4 || sizeof(Element) == 8)) {
      constexpr unsigned longest = bytesOfTurnedRow / sizeof(Element);
      if (&place_(Row(1), Column(0)) == &place_(Row(0), Column(0)) + 1) {
        if (columns % longest == 0)
          return squares<longest, Row, Column>(rows, columns, bounds);
        if (longest > 4 && columns % (longest / 2) == 0)
          return squares<longest / 2, Row, Column>(rows, columns, bounds);
      }
    }
    return 0;
  }

private:
  template <unsigned side, class Row, class Column, class Bounds>
  __attribute__((always_inline)) unsigned squares(unsigned rows, unsigned columns,
                                                  Bounds& bounds) const {
    using Word = std::conditional_t<sizeof(Element) == 4, unsigned, unsigned long long>;
    const unsigned whole = rows / side * side;
    CU2CPP_ROLLED
    for (unsigned row = 0; row < whole; row += side)
      CU2CPP_ROLLED
    for (unsigned column = 0; column < columns; column += side) {
      alignas(64) Element loaded[side][side];
      CU2CPP_ROLLED
      for (unsigned i = 0; i < side; ++i) {
        bool inside = true;
        if constexpr (!std::is_convertible<Bounds, Inside>::value) {
          const Inside range = bounds(Row(row + i));
          inside = range.begin() <= column && range.end() >= column + side;
        }
        if (inside) {
          CU2CPP_EACH_LANE
          for (unsigned k = 0; k < side; ++k)
            CU2CPP_IN_LOOP body_(std::true_type(), Row(row + i), Column(column + k), loaded[i][k]);
        } else {
          CU2CPP_EACH_LANE
          for (unsigned k = 0; k < side; ++k)
            CU2CPP_IN_LOOP body_(std::false_type(), Row(row + i), Column(column + k), loaded[i][k]);
        }
      }
      WordSquare<Word, side> square;
      square.loadTurned(loaded, side);
      CU2CPP_WRITTEN_OUT_LOOP
      for (unsigned i = 0; i < side; ++i)
        std::memcpy(&place_(Row(row), Column(column + i)), &square.rows[i], sizeof(square.rows[i]));
    }
    return whole;
  }
#endif

  Place& place_;
  Body& body_;
};

/// Found before runRows() for other bodies.
template <class Row, class Column, class Bounds, class Place, class Body>
__attribute__((always_inline)) inline void runRows(unsigned rows, unsigned columns, Bounds& bounds,
                                                   TurnedElements<Place, Body>& body) {
  unsigned row = 0;
#if defined(__clang__) && (defined(__SSE2__) || defined(__AVX2__))
  row = body.template runSquares<Row, Column>(rows, columns, bounds);
#endif
  for (; row < rows; ++row)
    runElements<Column>(Row(row), columns, bounds, body);
}

} // namespace detail

/// eachElementTurned(), eachItemTurned() and eachElementInRowsTurned() are eachElement(),
/// eachItem() and eachElementInRows() with body(isInside, row, column, to) that stores to `to`:
/// what place(row, column) refers to, or what is copied there later. It reads nothing of what it
/// stores.
template <class OneBlock, class Start, class Step, class Limit, class Width, class Place,
          class Bounds, class Body>
__attribute__((always_inline)) inline void
eachElementTurned(const OneBlock& block, Start&& start, Step step, Limit limit, Width width,
                  Place&& place, Bounds&& bounds, Body&& body) {
  detail::TurnedElements<Place, Body> turned(place, body);
  eachElement(block, start, step, limit, width, bounds, turned);
}
template <class Counter, class OneBlock, class Start, class Step, class Items, class Width,
          class Place, class Bounds, class Body>
__attribute__((always_inline)) inline void
eachItemTurned(const OneBlock& block, Start&& start, Step step, Items items, Width width,
               Place&& place, Bounds&& bounds, Body&& body) {
  detail::TurnedElements<Place, Body> turned(place, body);
  eachItem<Counter>(block, start, step, items, width, bounds, turned);
}
template <class Row, class Column, class OneBlock, class RowStep, class Rows, class ColumnStep,
          class Columns, class Place, class Bounds, class Body>
__attribute__((always_inline)) inline void
eachElementInRowsTurned(const OneBlock& block, RowStep rowStep, Rows rows, ColumnStep columnStep,
                        Columns columns, Place&& place, Bounds&& bounds, Body&& body) {
  detail::TurnedElements<Place, Body> turned(place, body);
  eachElementInRows<Row, Column>(block, rowStep, rows, columnStep, columns, bounds, turned);
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each update a part of a row of a shared matrix: in triangles, rows are as short as a
// vector or shorter, and begin anywhere. So a row is taken in vectors that begin at multiples of
// their width, of which some columns are left out.
#ifndef CU2CPP_SHORT_ROWS_H
#define CU2CPP_SHORT_ROWS_H

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <cu2cpp/block.h>

namespace cu2cpp {

/// eachOfShortRow() runs body(column) for columns from one to another, whose order does not matter.
template <class Column, bool includesEnd, class Body>
__attribute__((always_inline)) inline void eachOfShortRow(const Column from, const Column to,
                                                          Body&& body) {
  const long long end = static_cast<long long>(to) + (includesEnd ? 1 : 0);
#if defined(__clang__) && defined(__AVX512F__)
  typedef bool Bits __attribute__((ext_vector_type(16)));
  typedef unsigned Words __attribute__((ext_vector_type(16)));
  constexpr long long width = 16;
  for (long long first = static_cast<long long>(from) & -width; first < end; first += width) {
    // The columns as bits: compilers keep these as a mask.
    unsigned bits = 0xffffu;
    if (first < from)
      bits &= 0xffffu << unsigned(from - first);
    if (end - first < width)
      bits &= (1u << unsigned(end - first)) - 1;
    Bits set;
    std::memcpy(&set, &bits, sizeof set);
    const Words words = __builtin_convertvector(set, Words);
    alignas(64) unsigned runs[width];
    std::memcpy(runs, &words, sizeof runs);
    const Column column = static_cast<Column>(first);
    _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) unroll(disable)") for (
        std::ptrdiff_t at = 0; at < width; ++at) if (runs[at] != 0)
        CU2CPP_IN_LOOP body(static_cast<Column>(column + static_cast<Column>(at)));
  }
#else
  CU2CPP_EACH_OF_RANGE
  for (long long at = from; at < end; ++at)
    CU2CPP_IN_LOOP body(static_cast<Column>(at));
#endif
}

namespace detail {

constexpr std::size_t mostOfColumns = 1024;

} // namespace detail

/// ColumnCopy is a column of a matrix, which changes while the copy is there only elsewhere;
/// ColumnCopies the same column of several. Of large ones none is made.
template <class Element, std::size_t Rows, std::size_t Columns> class ColumnCopy {
public:
  static constexpr bool copies = Rows <= detail::mostOfColumns;

  template <class Column>
  __attribute__((always_inline)) ColumnCopy(const Element (&matrix)[Rows][Columns],
                                            const Column column)
      : matrix_(matrix), column_(static_cast<std::ptrdiff_t>(column)) {
    // Nobody may read a column that is none.
    if constexpr (copies)
      if (column_ >= 0 && column_ < std::ptrdiff_t(Columns))
        for (std::size_t row = 0; row < Rows; ++row)
          elements_[row] = matrix[row][column_];
  }
  template <class Row>
  __attribute__((always_inline)) const Element& operator[](const Row row) const {
    if constexpr (copies)
      return elements_[row];
    else
      return matrix_[row][column_];
  }

private:
  const Element (&matrix_)[Rows][Columns];
  std::ptrdiff_t column_;
  alignas(64) Element elements_[copies ? Rows : 1];
};

template <class Element, std::size_t Count, std::size_t Rows, std::size_t Columns>
class ColumnCopies {
public:
  static constexpr bool copies = Count * Rows <= detail::mostOfColumns;

  /// Column is a column of one of the matrices.
  struct Column {
    const ColumnCopies& all;
    std::ptrdiff_t matrix;
    template <class Row>
    __attribute__((always_inline)) const Element& operator[](const Row row) const {
      if constexpr (copies)
        return all.elements_[matrix][row];
      else
        return all.matrices_[matrix][row][all.column_];
    }
  };

  template <class Place>
  __attribute__((always_inline)) ColumnCopies(const Element (&matrices)[Count][Rows][Columns],
                                              const Place column)
      : matrices_(matrices), column_(static_cast<std::ptrdiff_t>(column)) {
    if constexpr (copies)
      if (column_ >= 0 && column_ < std::ptrdiff_t(Columns))
        for (std::size_t matrix = 0; matrix < Count; ++matrix)
          for (std::size_t row = 0; row < Rows; ++row)
            elements_[matrix][row] = matrices[matrix][row][column_];
  }
  template <class Matrix>
  __attribute__((always_inline)) Column operator[](const Matrix matrix) const {
    return {*this, static_cast<std::ptrdiff_t>(matrix)};
  }

private:
  const Element (&matrices_)[Count][Rows][Columns];
  std::ptrdiff_t column_;
  alignas(64) Element elements_[copies ? Count : 1][copies ? Rows : 1];
};

/// columnOf() is a column of a matrix, or of each of several, as it is now.
template <class Element, std::size_t Rows, std::size_t Columns, class Column>
__attribute__((always_inline)) inline ColumnCopy<Element, Rows, Columns>
columnOf(const Element (&matrix)[Rows][Columns], const Column column) {
  return {matrix, column};
}
template <class Element, std::size_t Count, std::size_t Rows, std::size_t Columns, class Column>
__attribute__((always_inline)) inline ColumnCopies<Element, Count, Rows, Columns>
columnOf(const Element (&matrices)[Count][Rows][Columns], const Column column) {
  return {matrices, column};
}

} // namespace cu2cpp

#endif

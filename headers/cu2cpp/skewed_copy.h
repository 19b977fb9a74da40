// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skewed arrays of which a block reads rows when its wavefront has passed: `out[...] = t[i][x]`.
// Elements of a row lie a diagonal and a place apart; so the rows are put together once, a square
// of vectors at a time, and read from there. (The tiles of a dynamic time warping took 1.3 times as
// long without.)
//
// CUDA C++ Programming Guide, 'Shared Memory'.
#ifndef CU2CPP_SKEWED_COPY_H
#define CU2CPP_SKEWED_COPY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/block.h>
#include <cu2cpp/turned_array.h>

namespace cu2cpp {
namespace detail {

#if defined(__clang__) && defined(__AVX2__)
#if defined(__AVX512F__)
constexpr std::size_t bytesOfSkewedRow = 64;
#else
constexpr std::size_t bytesOfSkewedRow = 32;
#endif

/// A square of Side x Side words, of 2 * Side - 1 diagonals that rise with the column.
template <class Word, std::size_t Side> struct SkewedSquare {
  typedef Word Row __attribute__((vector_size(sizeof(Word) * Side)));
  Row rows[2 * Side - 1];

  /// straighten() makes the first `Side` of the rows of diagonals rows of the square: each column
  /// comes from as many rows further on as its number says, by one bit of that after the other.
  __attribute__((always_inline)) void straighten() {
    shift<1, 2 * Side - 1>(std::make_index_sequence<Side>());
  }

private:
  template <std::size_t distance, std::size_t count, std::size_t... lanes>
  __attribute__((always_inline)) void shift(std::index_sequence<lanes...> all) {
    if constexpr (distance < Side) {
      CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t row = 0; row < count - distance; ++row)
        rows[row] = __builtin_shufflevector(rows[row], rows[row + distance],
                                            ((lanes & distance) == 0 ? lanes : Side + lanes)...);
      shift<2 * distance, count - distance>(all);
    }
  }
};

template <class Word, std::size_t Rows, std::size_t Columns>
__attribute__((noinline)) void copySkewed(Word* rows, const Word* diagonals) {
  constexpr std::size_t side = bytesOfSkewedRow / sizeof(Word);
  constexpr std::size_t inSquares = Rows - Rows % side, columnsInSquares = Columns - Columns % side;
  CU2CPP_ROLLED
  for (std::size_t r = 0; r < inSquares; r += side)
    CU2CPP_ROLLED
  for (std::size_t c = 0; c < columnsInSquares; c += side) {
    SkewedSquare<Word, side> square;
    CU2CPP_WRITTEN_OUT_LOOP
    for (std::size_t i = 0; i < 2 * side - 1; ++i)
      std::memcpy(&square.rows[i], diagonals + (r + c + i) * Columns + c, bytesOfSkewedRow);
    square.straighten();
    CU2CPP_WRITTEN_OUT_LOOP
    for (std::size_t i = 0; i < side; ++i)
      std::memcpy(rows + (r + i) * Columns + c, &square.rows[i], bytesOfSkewedRow);
  }
  const auto one = [&](std::size_t r, std::size_t c) __attribute__((always_inline)) {
    std::memcpy(rows + r * Columns + c, diagonals + (r + c) * Columns + c, sizeof(Word));
  };
  CU2CPP_ROLLED
  for (std::size_t r = 0; r < inSquares; ++r)
    for (std::size_t c = columnsInSquares; c < Columns; ++c)
      one(r, c);
  CU2CPP_ROLLED
  for (std::size_t r = inSquares; r < Rows; ++r)
    for (std::size_t c = 0; c < Columns; ++c)
      one(r, c);
}

template <class Element, std::size_t Rows, std::size_t Columns>
constexpr bool isWorthStraightening =
    std::is_arithmetic<Element>::value && (sizeof(Element) == 4 || sizeof(Element) == 8) &&
    Rows >= bytesOfSkewedRow / sizeof(Element) && Columns >= bytesOfSkewedRow / sizeof(Element);
#else
template <class Element, std::size_t Rows, std::size_t Columns>
constexpr bool isWorthStraightening = false;
#endif

} // namespace detail

/// RowCopy is a skewed array as it is, or its rows.
template <class Element, std::size_t Rows, std::size_t Columns,
          bool isCopied = detail::isWorthStraightening<Element, Rows, Columns>>
class RowCopy {
public:
  explicit RowCopy(SkewedArray<Element, Rows, Columns>& array) : array_(array) {}
  template <class Index> __attribute__((always_inline)) auto operator[](const Index row) const {
    return array_[row];
  }

private:
  SkewedArray<Element, Rows, Columns>& array_;
};
#if defined(__clang__) && defined(__AVX2__)
template <class Element, std::size_t Rows, std::size_t Columns>
class RowCopy<Element, Rows, Columns, true> {
public:
  __attribute__((always_inline)) explicit RowCopy(SkewedArray<Element, Rows, Columns>& array) {
    using Word = std::conditional_t<sizeof(Element) == 4, std::uint32_t, std::uint64_t>;
    detail::copySkewed<Word, Rows, Columns>(reinterpret_cast<Word*>(elements_),
                                            reinterpret_cast<const Word*>(&array));
  }
  __attribute__((always_inline)) const Element* operator[](std::ptrdiff_t row) const {
    return elements_ + row * std::ptrdiff_t(Columns);
  }

private:
  alignas(64) Element elements_[Rows * Columns];
};
#endif

/// rowCopy() is a skewed array as neighbouring threads of a block read its rows.
template <class Element, std::size_t Rows, std::size_t Columns>
__attribute__((always_inline)) inline RowCopy<Element, Rows, Columns>
rowCopy(SkewedArray<Element, Rows, Columns>& array) {
  return RowCopy<Element, Rows, Columns>(array);
}

} // namespace cu2cpp

#endif

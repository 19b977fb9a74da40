// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of which neighbouring threads read columns: `out[...] = tile[threadIdx.x][row]`.
// Loads of elements that lie a row apart take as long one by one as all together; so what a block
// reads is transposed once, a square of vectors at a time, and read from there. (A transposition of
// a matrix by tiles of 32 x 32 took 1.4 times as long without.)
//
// CUDA C++ Programming Guide, 'Shared Memory'.
#ifndef CU2CPP_TURNED_COPY_H
#define CU2CPP_TURNED_COPY_H

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <cu2cpp/block.h>
#include <cu2cpp/turned_array.h>

namespace cu2cpp {
namespace detail {

#if defined(__clang__) && (defined(__SSE2__) || defined(__AVX2__))
#if defined(__AVX512F__)
constexpr std::size_t bytesOfTurnedRow = 64;
#elif defined(__AVX2__)
constexpr std::size_t bytesOfTurnedRow = 32;
#else
constexpr std::size_t bytesOfTurnedRow = 16;
#endif

/// A square of Side x Side words, a vector for each row.
template <class Word, std::size_t Side> struct WordSquare {
  typedef Word Row __attribute__((vector_size(sizeof(Word) * Side)));
  Row rows[Side];

  /// turn() exchanges rows and columns: halves of pairs of rows, then quarters, down to single
  /// words.
  __attribute__((always_inline)) void turn() {
    exchange<Side / 2>(std::make_index_sequence<Side>());
  }

private:
  template <std::size_t distance, std::size_t... lanes>
  __attribute__((always_inline)) void exchange(std::index_sequence<lanes...> all) {
    if constexpr (distance != 0) {
      CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t row = 0; row < Side; ++row) {
        if ((row & distance) != 0)
          continue;
        const Row first = rows[row], second = rows[row + distance];
        rows[row] = __builtin_shufflevector(
            first, second, ((lanes & distance) == 0 ? lanes : Side + lanes - distance)...);
        rows[row + distance] = __builtin_shufflevector(
            first, second, ((lanes & distance) == 0 ? lanes + distance : Side + lanes)...);
      }
      exchange<distance / 2>(all);
    }
  }
};

/// copyTurned() copies to[column][row] = from[row][column].
template <class Element, std::size_t Rows, std::size_t Columns>
__attribute__((always_inline)) inline void copyTurned(Element (&to)[Columns * Rows],
                                                      const Element (&from)[Rows][Columns]) {
  using Word = std::conditional_t<sizeof(Element) == 4, unsigned, unsigned long long>;
  constexpr std::size_t side = bytesOfTurnedRow / sizeof(Word);
  constexpr std::size_t rows = Rows / side * side, columns = Columns / side * side;
  CU2CPP_ROLLED
  for (std::size_t column = 0; column < columns; column += side)
    CU2CPP_ROLLED
  for (std::size_t row = 0; row < rows; row += side) {
    WordSquare<Word, side> square;
    CU2CPP_WRITTEN_OUT_LOOP
    for (std::size_t i = 0; i < side; ++i)
      std::memcpy(&square.rows[i], &from[row + i][column], sizeof(square.rows[i]));
    square.turn();
    CU2CPP_WRITTEN_OUT_LOOP
    for (std::size_t i = 0; i < side; ++i)
      std::memcpy(&to[(column + i) * Rows + row], &square.rows[i], sizeof(square.rows[i]));
  }
  for (std::size_t column = columns; column < Columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      to[column * Rows + row] = from[row][column];
  for (std::size_t column = 0; column < Columns; ++column)
    for (std::size_t row = rows; row < Rows; ++row)
      to[column * Rows + row] = from[row][column];
}
#define CU2CPP_TURNS_COPIES 1
#else
#define CU2CPP_TURNS_COPIES 0
#endif

/// Whether a block that reads one column of an array in each row of threads, or more, had better
/// read a turned copy: it reads a quarter of the array at the least.
template <class OneBlock, class Element, std::size_t Rows, std::size_t Columns>
struct IsWorthTurning : std::false_type {};
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Element, std::size_t Rows,
          std::size_t Columns>
struct IsWorthTurning<SizedBlock<SizeX, SizeY, SizeZ, true>, Element, Rows, Columns>
    : std::bool_constant<CU2CPP_TURNS_COPIES && std::is_trivial<Element>::value &&
                         (sizeof(Element) == 4 || sizeof(Element) == 8) && SizeX % 8 == 0 &&
                         SizeX * 2 >= Rows && SizeY * SizeZ * 5 >= Columns &&
                         Rows * Columns <= 8192> {};

} // namespace detail

/// TurnedCopy is used as the array is, which does not change while it is there.
template <class Element, std::size_t Rows, std::size_t Columns, bool copies> class TurnedCopy {
public:
  explicit TurnedCopy(const Element (&array)[Rows][Columns]) : array_(array) {}
  __attribute__((always_inline)) const Element* operator[](std::ptrdiff_t row) const {
    return array_[row];
  }

private:
  const Element (&array_)[Rows][Columns];
};
#if CU2CPP_TURNS_COPIES
template <class Element, std::size_t Rows, std::size_t Columns>
class TurnedCopy<Element, Rows, Columns, true> {
public:
  __attribute__((always_inline)) explicit TurnedCopy(const Element (&array)[Rows][Columns]) {
    detail::copyTurned(elements_, array);
  }
  __attribute__((always_inline)) typename TurnedArray<const Element, Rows, Columns>::Row
  operator[](std::ptrdiff_t row) const {
    return typename TurnedArray<const Element, Rows, Columns>::Row(elements_ + row);
  }

private:
  alignas(64) Element elements_[Columns * Rows];
};
#endif

/// turnedCopy() is an array as neighbouring threads of a block read its columns.
template <class OneBlock, class Element, std::size_t Rows, std::size_t Columns>
__attribute__((always_inline)) inline auto turnedCopy(const OneBlock&,
                                                      const Element (&array)[Rows][Columns]) {
  return TurnedCopy<Element, Rows, Columns,
                    detail::IsWorthTurning<OneBlock, Element, Rows, Columns>::value>(array);
}

} // namespace cu2cpp

#endif

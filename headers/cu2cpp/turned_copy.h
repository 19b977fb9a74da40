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

  /// The square whose rows lie `distance` words apart, turned: words of one row become those of a
  /// column.
  __attribute__((always_inline)) void loadTurned(const void* first, std::size_t distance) {
    const auto* from = static_cast<const char*>(first);
    constexpr std::make_index_sequence<Side> all{};
    if constexpr (sizeof(Row) == 32) {
      // The halves that belong together are loaded so: no shuffle has to bring them there.
      CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t row = 0; row < Side / 2; ++row)
        CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t half = 0; half < 2; ++half) {
        Half low, high;
        std::memcpy(&low, from + row * distance * sizeof(Word) + half * sizeof(Half), sizeof(Half));
        std::memcpy(&high, from + (row + Side / 2) * distance * sizeof(Word) + half * sizeof(Half),
                    sizeof(Half));
        rows[row + half * (Side / 2)] = joined(low, high, all);
      }
      turnLanes<Side / 4>(all);
    } else {
      CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t row = 0; row < Side; ++row)
        std::memcpy(&rows[row], from + row * distance * sizeof(Word), sizeof(Row));
      turnLanes<Side / 2>(all);
    }
  }

private:
  typedef Word Half __attribute__((vector_size(sizeof(Word) * Side / 2)));
  static constexpr std::size_t lane = 16 / sizeof(Word); // what shuffles take words from cheaply

  template <std::size_t... lanes>
  __attribute__((always_inline)) static Row joined(Half low, Half high,
                                                   std::index_sequence<lanes...>) {
    return __builtin_shufflevector(low, high, lanes...);
  }

  /// Halves of pairs of rows are exchanged, then quarters, down to lanes, and then single words.
  template <std::size_t distance, std::size_t... lanes>
  __attribute__((always_inline)) void turnLanes(std::index_sequence<lanes...> all) {
    if constexpr (distance >= lane || (distance > 0 && (lane == 2 || Side < lane))) {
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
      turnLanes<distance / 2>(all);
    } else if constexpr (lane == 4 && Side >= lane) {
      CU2CPP_WRITTEN_OUT_LOOP
      for (std::size_t row = 0; row < Side; row += 4) {
        Row* const four = rows + row;
        const Row low01 = interleaved<1, 0>(four[0], four[1], all);
        const Row high01 = interleaved<1, 1>(four[0], four[1], all);
        const Row low23 = interleaved<1, 0>(four[2], four[3], all);
        const Row high23 = interleaved<1, 1>(four[2], four[3], all);
        four[0] = interleaved<2, 0>(low01, low23, all);
        four[1] = interleaved<2, 1>(low01, low23, all);
        four[2] = interleaved<2, 0>(high01, high23, all);
        four[3] = interleaved<2, 1>(high01, high23, all);
      }
    }
  }

  /// In each lane `words` of the first and `words` of the second, in turn, of its lower or higher
  /// half.
  template <std::size_t words, std::size_t half, std::size_t... lanes>
  __attribute__((always_inline)) static Row interleaved(Row first, Row second,
                                                        std::index_sequence<lanes...>) {
    return __builtin_shufflevector(first, second,
                                   ((lanes / words % 2 == 0 ? 0 : Side) + lanes / lane * lane +
                                    half * (lane / 2) + lanes % lane / (2 * words) * words +
                                    lanes % words)...);
  }
};

/// copyTurned() copies to[column][row] = from[row][column] of the first Columns columns.
template <class Element, std::size_t Rows, std::size_t Columns, std::size_t All>
__attribute__((always_inline)) inline void copyTurned(Element (&to)[Columns * Rows],
                                                      const Element (&from)[Rows][All]) {
  using Word = std::conditional_t<sizeof(Element) == 4, unsigned, unsigned long long>;
  constexpr std::size_t side = bytesOfTurnedRow / sizeof(Word);
  constexpr std::size_t rows = Rows / side * side, columns = Columns / side * side;
  CU2CPP_ROLLED
  for (std::size_t column = 0; column < columns; column += side)
    CU2CPP_ROLLED
  for (std::size_t row = 0; row < rows; row += side) {
    WordSquare<Word, side> square;
    square.loadTurned(&from[row][column], All);
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

/// TurnedCopy is used as the array is, which does not change while it is there, in its first
/// Columns columns.
template <class Element, std::size_t Rows, std::size_t Columns, std::size_t All, bool copies>
class TurnedCopy {
public:
  explicit TurnedCopy(const Element (&array)[Rows][All]) : array_(array) {}
  __attribute__((always_inline)) const Element* operator[](std::ptrdiff_t row) const {
    return array_[row];
  }

private:
  const Element (&array_)[Rows][All];
};
#if CU2CPP_TURNS_COPIES
template <class Element, std::size_t Rows, std::size_t Columns, std::size_t All>
class TurnedCopy<Element, Rows, Columns, All, true> {
public:
  __attribute__((always_inline)) explicit TurnedCopy(const Element (&array)[Rows][All]) {
    detail::copyTurned<Element, Rows, Columns>(elements_, array);
  }
  __attribute__((always_inline)) typename TurnedArray<const Element, Rows, Columns>::Row
  operator[](std::ptrdiff_t row) const {
    return typename TurnedArray<const Element, Rows, Columns>::Row(elements_ + row);
  }

private:
  alignas(64) Element elements_[Columns * Rows];
};
#endif

/// turnedCopy() is an array as neighbouring threads of a block read its columns. turnedCopy<16>()
/// is for threads that read of the first 16 columns alone: what lies behind them pads.
template <std::size_t read = 0, class OneBlock, class Element, std::size_t Rows, std::size_t All>
__attribute__((always_inline)) inline auto turnedCopy(const OneBlock&,
                                                      const Element (&array)[Rows][All]) {
  constexpr std::size_t columns = read > 0 && read < All ? read : All;
  return TurnedCopy<Element, Rows, columns, All,
                    detail::IsWorthTurning<OneBlock, Element, Rows, columns>::value>(array);
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block share the elements of a range, or of a matrix or a part of
// one, and may read what they have written:
//
//   for (int i = k + 1 + threadIdx.y; i < n; i += blockDim.y)
//     for (int j = k + 1 + threadIdx.x; j <= i; j += blockDim.x)
//       a[i][j] -= a[i][k] * a[j][k];
//
// They run by rows of elements, whose order is that of each thread; only neighbours that belong to
// different threads are one vector. Different threads never meet in one place: they would on a GPU.
#ifndef CU2CPP_ELEMENT_ROWS_H
#define CU2CPP_ELEMENT_ROWS_H

#include <cu2cpp/block_elements.h>
#include <cu2cpp/block_ranks.h>

namespace cu2cpp {

/// UpTo is a limit that a loop's last element may be: `i <= n`.
template <class Limit> struct UpTo {
  Limit last;
};
template <class Limit> constexpr UpTo<Limit> upTo(Limit last) { return {last}; }

namespace detail {

template <class Element, class Limit> constexpr bool isBefore(Element element, Limit limit) {
  using Common = std::common_type_t<Element, Limit>;
  return static_cast<Common>(element) < static_cast<Common>(limit);
}
template <class Element, class Limit> constexpr bool isBefore(Element element, UpTo<Limit> limit) {
  using Common = std::common_type_t<Element, Limit>;
  return static_cast<Common>(element) <= static_cast<Common>(limit.last);
}

/// ElementRange is the elements from the first thread's first one to a limit, if counting is the
/// same in all types and nothing wraps around.
struct ElementRange {
  bool isKnown = false;
  int begin = 0, end = 0;

  // In place: what is returned would be packed into words, and taken apart for each row.
  template <class Element, class Limit>
  __attribute__((always_inline)) ElementRange(Element first, Limit limit, int more = 0) {
    using Common = std::common_type_t<Element, Limit>;
    const Common from = static_cast<Common>(first), to = static_cast<Common>(limit);
    if (!isSmall(first) || !isSmall(from) || !isSmall(to))
      return;
    isKnown = true;
    begin = static_cast<int>(from);
    end = static_cast<int>(to) + more;
  }
  template <class Element, class Limit>
  __attribute__((always_inline)) ElementRange(Element first, UpTo<Limit> limit)
      : ElementRange(first, limit.last, 1) {}

private:
  template <class Value> static constexpr bool isSmall(Value value) {
    constexpr long long most = 1 << 30;
    return value <= static_cast<Value>(most) &&
           (std::is_unsigned<Value>::value || value >= static_cast<Value>(-most));
  }
};

// Vectors of `lanes` elements; what is left over takes less one by one than masks.
#if defined(__clang__)
#define CU2CPP_EACH_OF_ROW                                                                         \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(lanes)")                            \
      _Pragma("clang loop interleave_count(1) unroll(disable)")
#endif

/// The bytes of the widest vectors.
#if defined(__AVX512F__)
constexpr unsigned widestVector = 64;
#elif defined(__AVX2__)
constexpr unsigned widestVector = 32;
#else
constexpr unsigned widestVector = 0;
#endif

/// The elements of a row, as many at a time as it has threads: body(element, lane), where `lane` is
/// one more from element to element of a vector. Bodies whose neighbours are none in memory run one
/// by one. `bytes` of an element, if it is not 0, tell how many a vector can have at most.
template <bool neighbours, class Element, std::size_t bytes = 0, class Body>
__attribute__((always_inline)) inline void runElementsInOrder(int begin, int end, unsigned sizeX,
                                                              Body& body) {
  if constexpr (!neighbours) {
    CU2CPP_ONE_BY_ONE_LOOP
    for (int at = begin; at < end; ++at)
      body(Element(at), 0u);
  } else {
    const int size = int(sizeX);
    constexpr int fewLanes = 32;
    int at = begin;
#if defined(__clang__)
    // No vector has two elements of one thread.
    if constexpr (bytes > 0 && bytes < widestVector && (bytes & (bytes - 1)) == 0) {
      [[maybe_unused]] constexpr unsigned lanes = widestVector / bytes;
      if (unsigned(size) >= lanes && size <= fewLanes) {
        const std::size_t count = end > at ? std::size_t(end - at) : 0;
        CU2CPP_EACH_OF_ROW
        for (std::size_t i = 0; i < count; ++i)
          CU2CPP_IN_LOOP body(Element(at + int(i)), unsigned(i));
        return;
      }
    }
#endif
    // Of long rows what is left over from vectors is little.
    if (size > fewLanes) {
      for (; at < end; at += size) {
        const unsigned count = unsigned(end - at < size ? end - at : size);
        CU2CPP_EACH_NEIGHBOUR
        for (std::size_t i = 0; i < count; ++i)
          CU2CPP_IN_LOOP body(Element(at + int(i)), unsigned(i));
      }
      return;
    }
    for (; at + size <= end; at += size) {
      CU2CPP_EACH_LANE
      for (std::size_t i = 0; i < unsigned(size); ++i)
        CU2CPP_IN_LOOP body(Element(at + int(i)), unsigned(i));
    }
    const unsigned rest = end > at ? unsigned(end - at) : 0;
    CU2CPP_EACH_OF_RANGE
    for (std::size_t i = 0; i < rest; ++i)
      CU2CPP_IN_LOOP body(Element(at + int(i)), unsigned(i));
  }
}

/// The columns of rows that some neighbours of a block's threads take, the first of which is
/// `thread`.
struct ColumnsOfRow {
  ::uint3 thread;
  unsigned width;

  template <class Column, bool neighbours, std::size_t bytes = 0, class Start, class Step,
            class Limit, class Body>
  __attribute__((always_inline)) void each(Start&& start, Step step, Limit limit,
                                           Body&& body) const {
    const auto startOf = [&](unsigned lane) __attribute__((always_inline)) {
      return Column(start(::uint3{thread.x + lane, thread.y, thread.z}));
    };
    const Column first = startOf(0);
    // The last one tells of remainders that none begins anew on the way.
    if ((width == 1 ||
         (startOf(1) == Column(first + 1) && startOf(width - 1) == Column(first + (width - 1)))) &&
        static_cast<unsigned long long>(step) == width)
      if (const ElementRange range(first, limit); range.isKnown)
        return runElementsInOrder<neighbours, Column, bytes>(range.begin, range.end, width, body);
    comesRarely();
    for (unsigned lane = 0; lane < width; ++lane)
      for (Column column = startOf(lane); isBefore(column, limit); column = Column(column + step))
        body(column, 0u);
  }
};

/// The columns of one thread.
struct ColumnsOfThread {
  ::uint3 threadIdx;

  template <class Column, bool, std::size_t = 0, class Start, class Step, class Limit, class Body>
  void each(Start&& start, Step step, Limit limit, Body&& body) const {
    for (Column column = start(threadIdx); isBefore(column, limit); column = Column(column + step))
      body(column, 0u);
  }
};

} // namespace detail

/// PackedColumn is a copy of a column of a matrix, whose elements are neighbours.
template <class Element, std::size_t Rows, std::size_t Columns> class PackedColumn {
public:
  template <class Column>
  __attribute__((always_inline)) PackedColumn(const Element (&matrix)[Rows][Columns], Column column)
      : matrix_(matrix), column_(static_cast<std::size_t>(column)) {
    if constexpr (isCopied)
      if (column_ < Columns)
        for (std::size_t row = 0; row < Rows; ++row)
          values_[row] = matrix[row][column_];
  }
  template <class Index> __attribute__((always_inline)) const Element& operator[](Index row) const {
    if constexpr (isCopied)
      return values_[row];
    else
      return matrix_[row][column_];
  }

private:
  static constexpr bool isCopied = std::is_arithmetic<Element>::value;
  const Element (&matrix_)[Rows][Columns];
  const std::size_t column_;
  alignas(64) std::conditional_t<isCopied, Element, char> values_[isCopied ? Rows : 1];
};

namespace detail {

/// The rows of a range, of which `rows` groups of `width` neighbours each take one after the other:
/// threadOf(group) is a group's first thread.
template <class Row, class ThreadOf, class Body>
__attribute__((always_inline)) inline void
runRowsInOrder(ElementRange range, unsigned rows, unsigned width, ThreadOf threadOf, Body& body) {
  unsigned group = 0;
  CU2CPP_ONE_BY_ONE_LOOP
  for (int row = range.begin; row < range.end; ++row) {
    body(ColumnsOfRow{threadOf(group), width}, Row(row));
    group = group + 1 == rows ? 0 : group + 1;
  }
}

template <class Row, class Start, class Step, class Limit, class Body>
__attribute__((always_inline)) inline void runRowsOfThreads(const ::dim3& size, Start& start,
                                                            Step step, Limit limit, Body& body) {
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        for (Row row = start(::uint3{x, y, z}); isBefore(row, limit); row = Row(row + step))
          body(ColumnsOfThread{{x, y, z}}, row);
}

} // namespace detail

/// eachElementRow() is, for the threads of a block together,
///
///   for (Row row = start(threadIdx); row < limit; row += step)
///     body(columns, row);
///
/// where columns.each<Column, neighbours>(start, step, limit, body) is such a loop once more,
/// around body(column, lane). Starts follow threadIdx linearly.
template <class Row, class OneBlock, class Start, class Step, class Limit, class Body>
__attribute__((always_inline)) inline void eachElementRow(const OneBlock& block, Start&& start,
                                                          Step step, Limit limit, Body&& body) {
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
    const Row first = start(::uint3{0, 0, 0});
    if (size.z == 1 && (size.x == 1 || Row(start(::uint3{1, 0, 0})) == first) &&
        (size.y == 1 || Row(start(::uint3{0, 1, 0})) == Row(first + 1)) &&
        static_cast<unsigned long long>(step) == size.y)
      if (const detail::ElementRange range(first, limit); range.isKnown)
        return detail::runRowsInOrder<Row>(
            range, size.y, size.x, [](unsigned group) { return ::uint3{0, group, 0}; }, body);
    detail::comesRarely();
  }
  detail::runRowsOfThreads<Row>(size, start, step, limit, body);
}

/// eachElementRowOfWarps() is the same where rows start at quotients, and columns at remainders, of
/// threadIdx.x: `threadIdx.x / 32`.
template <class Row, class OneBlock, class Start, class Step, class Limit, class Body>
__attribute__((always_inline)) inline void
eachElementRowOfWarps(const OneBlock& block, Start&& start, Step step, Limit limit, Body&& body) {
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
    const bool divides =
        step > 0 && static_cast<unsigned long long>(step) <= size.x && size.x % unsigned(step) == 0;
    const unsigned rows = divides ? unsigned(step) : 1, width = size.x / rows;
    const auto startOf = [&](unsigned x) __attribute__((always_inline)) {
      return Row(start(::uint3{x, 0, 0}));
    };
    const Row first = startOf(0);
    // Of a quotient these tell by what was divided; a remainder by a mask needs a power of two.
    if (divides && size.y == 1 && size.z == 1 && (width & (width - 1)) == 0 &&
        startOf(width - 1) == first && (rows == 1 || startOf(width) == Row(first + 1)))
      if (const detail::ElementRange range(first, limit); range.isKnown)
        return detail::runRowsInOrder<Row>(
            range, rows, width, [&](unsigned group) { return ::uint3{group * width, 0, 0}; }, body);
    detail::comesRarely();
  }
  detail::runRowsOfThreads<Row>(size, start, step, limit, body);
}

/// eachElementInTurn() is, for the threads of a block together,
///
///   for (Element element = start(threadIdx); element < limit; element += step)
///     body(element, lane);
template <class Element, bool neighbours, class OneBlock, class Start, class Step, class Limit,
          class Body>
__attribute__((always_inline)) inline void eachElementInTurn(const OneBlock& block, Start&& start,
                                                             Step step, Limit limit, Body&& body) {
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
    const Element first = start(::uint3{0, 0, 0});
    const auto follows = [&](unsigned x, unsigned y, unsigned z) __attribute__((always_inline)) {
      return Element(start(::uint3{x, y, z})) ==
             Element(first + Element(x + size.x * (y + size.y * z)));
    };
    if ((size.x == 1 || follows(1, 0, 0)) && (size.y == 1 || follows(0, 1, 0)) &&
        (size.z == 1 || follows(0, 0, 1)) &&
        static_cast<unsigned long long>(step) == threadsIn(size))
      if (const detail::ElementRange range(first, limit); range.isKnown)
        return detail::runElementsInOrder<neighbours, Element>(range.begin, range.end,
                                                               threadsIn(size), body);
    detail::comesRarely();
  }
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        for (Element element = start(::uint3{x, y, z}); detail::isBefore(element, limit);
             element = Element(element + step))
          body(element, 0u);
}

/// eachElementInTurnByRows() is, for the threads of a block together,
///
///   for (Element t = start(threadIdx); t < limit; t += step)
///     body(t / width, t % width, lane);
template <bool neighbours, class OneBlock, class Start, class Step, class Limit, class Width,
          class Body>
__attribute__((always_inline)) inline void
eachElementInTurnByRows(const OneBlock& block, Start&& start, Step step, Limit limit, Width width,
                        Body&& body) {
  using Element = decltype(start(::uint3{}));
  using Row = decltype(Element() / width);
  const ::dim3 size = block.blockDim;
  if constexpr (!std::is_same<OneBlock, RareBlock>::value) {
    constexpr unsigned long long longestRow = 1u << 20;
    if (detail::isRank(size, start) && static_cast<unsigned long long>(step) == threadsIn(size) &&
        width > 0 && static_cast<unsigned long long>(width) <= longestRow)
      if (const detail::ElementRange range(Element(0), limit); range.isKnown) {
        const int columns = int(width);
        CU2CPP_ONE_BY_ONE_LOOP
        for (int row = 0, left = range.end; left > 0; ++row, left -= columns) {
          const auto ofRow = [&](const Row column, const unsigned lane)
                                 __attribute__((always_inline)) { body(Row(row), column, lane); };
          detail::runElementsInOrder<neighbours, Row>(0, left < columns ? left : columns,
                                                      threadsIn(size), ofRow);
        }
        return;
      }
    detail::comesRarely();
  }
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        for (Element t = start(::uint3{x, y, z}); detail::isBefore(t, limit); t = Element(t + step))
          body(t / width, t % width, 0u);
}

} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of a matrix in shared memory, or of a part of it, by rows and columns of it that they
// leave alone, as in factorisations:
//
//   for (int i = k + 1 + threadIdx.y; i < n; i += blockDim.y)
//     for (int j = k + 1 + threadIdx.x; j <= i; j += blockDim.x)
//       a[i][j] -= a[i][k] * a[j][k];
//
// Each element depends on itself and on what nobody changes, so their order does not matter. They
// run strip by strip: one vector of columns, for all rows one after the other. What a strip reads
// along its columns is loaded once. Strips begin at multiples of their width, so that the next
// update finds whole vectors in the processor's store buffers; columns beyond the part are stored
// as they were.
#ifndef CU2CPP_ELEMENT_STRIPS_H
#define CU2CPP_ELEMENT_STRIPS_H

#include <cu2cpp/element_rows.h>

namespace cu2cpp {

/// SharedTable is a matrix in shared memory: `size` elements may be loaded and stored.
template <class Element> struct SharedTable {
  Element* at;
  long long columns, size;
};

template <class Element, std::size_t Rows, std::size_t Columns>
SharedTable<Element> tableOf(Element (&matrix)[Rows][Columns]) {
  return {&matrix[0][0], (long long)(Columns), (long long)(Rows * Columns)};
}
/// flatTableOf() is one that a program lays out itself: `a[i * columns + j]`.
template <class Element, std::size_t Size, class Columns>
SharedTable<Element> flatTableOf(Element (&matrix)[Size], Columns columns) {
  return {matrix, (long long)(columns), (long long)(Size)};
}
/// dynamicTableOf() is one in dynamic shared memory; of any other it knows no element.
template <class Element, class Columns>
SharedTable<Element> dynamicTableOf(Element* matrix, Columns columns) {
  const Block& block = thisBlock();
  const auto begin = reinterpret_cast<std::uintptr_t>(block.dynamicShared);
  const auto from = reinterpret_cast<std::uintptr_t>(matrix);
  if (begin == 0 || from < begin || from - begin > block.dynamicSharedBytes)
    return {matrix, 0, 0};
  const std::size_t left = block.dynamicSharedBytes + dynamicSharedSlack - (from - begin);
  return {matrix, (long long)(columns), (long long)(left / sizeof(Element))};
}

/// tableWithin() is one that begins somewhere in an array; of any other it knows no element.
template <class Element, class Array, class Columns>
SharedTable<Element> tableWithin(const Array& array, Element* matrix, Columns columns) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&array);
  const auto from = reinterpret_cast<std::uintptr_t>(matrix);
  if (from < begin || from - begin > sizeof array)
    return {matrix, 0, 0};
  return {matrix, (long long)(columns),
          (long long)((sizeof array - (from - begin)) / sizeof(Element))};
}

/// Where a row's columns begin or end: at(row), which is one more from row to row if it rises.
template <bool rises, class At> struct ColumnEdge {
  At at;
};
template <bool rises, class At> constexpr ColumnEdge<rises, At> columnEdge(At at) { return {at}; }
/// Behind is a column behind which a row begins: `j > i`.
template <class Column> struct Behind {
  Column column;
};
template <class Column> constexpr Behind<Column> behind(Column column) { return {column}; }
struct NoEdge {};

/// What an update reads of the matrix but its element: `a[row][j]`, `a[j][column]`, and
/// `a[i][column]`.
template <class Row> struct AlongRow {
  Row row;
};
template <class Row> constexpr AlongRow<Row> alongRow(Row row) { return {row}; }
template <class Column> struct AlongColumn {
  Column column;
};
template <class Column> constexpr AlongColumn<Column> alongColumn(Column column) {
  return {column};
}
template <class Column> struct OfColumn {
  Column column;
};
template <class Column> constexpr OfColumn<Column> ofColumn(Column column) { return {column}; }
template <class Row> struct OfRow {
  Row row;
};
template <class Row> constexpr OfRow<Row> ofRow(Row row) { return {row}; }
template <class Row, class Column> struct OnePlace {
  Row row;
  Column column;
};
template <class Row, class Column>
constexpr OnePlace<Row, Column> onePlace(Row row, Column column) {
  return {row, column};
}
/// A value for each row that the update begins with: it is none of the matrix.
template <class Element> struct ValuesOfRows {
  const Element* first;
};

namespace detail {

template <class Value> constexpr bool isBehind = false;
template <class Column> constexpr bool isBehind<Behind<Column>> = true;

/// A number of a row or column; -1 if it is none or a very large one.
template <class Value> constexpr int numberOf(Value value) {
  constexpr int most = 1 << 20;
  return value < 0 || static_cast<unsigned long long>(value) > most ? -1 : int(value);
}

/// A column that begins or ends a row, of rows that count from 0 on.
template <bool rises> struct EdgeAt {
  static constexpr bool isRising = rises;
  int first;
  constexpr int at(int row) const { return rises ? first + row : first; }
  /// The rows for which it is not less than a column start here.
  constexpr int reaches(int column) const {
    return rises ? column - first : first >= column ? -(1 << 30) : 1 << 30;
  }
};

template <class Low0, class Low1, class High0, class High1> struct PartOfTable {
  Low0 low0;
  Low1 low1;
  High0 high0;
  High1 high1;
  constexpr int low(int row) const {
    return low0.at(row) > low1.at(row) ? low0.at(row) : low1.at(row);
  }
  constexpr int high(int row) const {
    return high0.at(row) < high1.at(row) ? high0.at(row) : high1.at(row);
  }
  /// The first row that ends behind `column`, or further on.
  constexpr int endsFrom(int column) const {
    return high0.reaches(column) > high1.reaches(column) ? high0.reaches(column)
                                                         : high1.reaches(column);
  }
  /// The first row that begins at `column` or behind.
  constexpr int beginsFrom(int column) const {
    return low0.reaches(column) < low1.reaches(column) ? low0.reaches(column)
                                                       : low1.reaches(column);
  }
};

template <class Element>
constexpr bool runsInStrips = widestVector > 0 && (std::is_same<Element, float>::value ||
                                                   std::is_same<Element, double>::value);

// Of strips as long as two vectors of AVX2 compilers say that functions give them back otherwise
// with AVX-512: these here are all written out where they are called.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__clang__)
constexpr std::size_t stripBytes = widestVector == 32 ? 64 : widestVector;
#else
constexpr std::size_t stripBytes = widestVector;
#endif

template <class Element> struct StripOf {
  static constexpr std::size_t bytes = stripBytes;
  static constexpr int lanes = int(bytes / sizeof(Element));
  using Lane = std::conditional_t<sizeof(Element) == 8, long long, int>;
  typedef Element Vector __attribute__((vector_size(bytes)));
  typedef Lane Mask __attribute__((vector_size(bytes)));

  __attribute__((always_inline)) static Vector load(const Element* from) {
    Vector all;
    __builtin_memcpy(&all, from, sizeof(all));
    return all;
  }
  __attribute__((always_inline)) static void store(Element* to, const Vector& all) {
    __builtin_memcpy(to, &all, sizeof(all));
  }
};

/// The rows and columns of an update.
struct PartBounds {
  int firstRow, endRow, firstColumn, endColumn, endOfStrips;
  long long columns; ///< of the matrix

  /// Whether a column is another one than those that change.
  template <class Column> bool keeps(Column which) const {
    const int column = numberOf(which);
    return column >= 0 && column < columns && (column < firstColumn || column >= endColumn);
  }
};

template <class Element, class Row>
bool isApart(const SharedTable<Element>& table, const PartBounds& part, AlongRow<Row> along) {
  const int row = numberOf(along.row);
  return row >= 0 && (row < part.firstRow || row >= part.endRow) &&
         row * table.columns + part.endOfStrips <= table.size;
}
template <class Element, class Column>
bool isApart(const SharedTable<Element>& table, const PartBounds& part, AlongColumn<Column> along) {
  return part.keeps(along.column) &&
         (part.endColumn - 1) * table.columns + int(along.column) < table.size;
}

template <class Element, class Column>
bool isApart(const SharedTable<Element>&, const PartBounds& part, OfColumn<Column> of) {
  return part.keeps(of.column);
}

template <class Element, class Row>
__attribute__((always_inline)) inline typename StripOf<Element>::Vector
loadStrip(const SharedTable<Element>& table, const PartBounds&, int column, AlongRow<Row> along) {
  return StripOf<Element>::load(table.at + int(along.row) * table.columns + column);
}
template <class Element, class Column>
__attribute__((always_inline)) inline typename StripOf<Element>::Vector
loadStrip(const SharedTable<Element>& table, const PartBounds& part, int column,
          AlongColumn<Column> along) {
  constexpr int lanes = StripOf<Element>::lanes;
  typename StripOf<Element>::Vector all;
  const Element* at = table.at + column * table.columns + int(along.column);
  // Rows that the part has not are rows of the matrix, mostly.
  if ((column + lanes - 1) * table.columns + int(along.column) < table.size) {
    for (int lane = 0; lane < lanes; ++lane, at += table.columns)
      all[lane] = *at;
    return all;
  }
  const int last = part.endColumn - column - 1;
  for (int lane = 0; lane < lanes; ++lane, at += lane <= last ? table.columns : 0)
    all[lane] = *at;
  return all;
}

template <class Element, class Row>
bool isApart(const SharedTable<Element>& table, const PartBounds& part, OfRow<Row> of) {
  const int row = numberOf(of.row);
  return row >= 0 && (row < part.firstRow || row >= part.endRow) && part.endRow <= table.columns &&
         row * table.columns + part.endRow <= table.size;
}
template <class Element, class Row, class Column>
bool isApart(const SharedTable<Element>& table, const PartBounds& part,
             OnePlace<Row, Column> place) {
  const int row = numberOf(place.row);
  return row >= 0 && part.keeps(place.column) &&
         row * table.columns + int(place.column) < table.size;
}
template <class Element, class Row, class Column>
__attribute__((always_inline)) inline Element
loadStrip(const SharedTable<Element>& table, const PartBounds&, int, OnePlace<Row, Column> place) {
  return table.at[int(place.row) * table.columns + int(place.column)];
}

/// One element for each row: of a column, or of a row.
template <class Element> struct ColumnOfTable {
  const Element* at;
};
template <class Element> struct RowOfTable {
  const Element* at;
};
template <class Element, class Column>
__attribute__((always_inline)) inline ColumnOfTable<Element>
loadStrip(const SharedTable<Element>& table, const PartBounds&, int, OfColumn<Column> of) {
  return {table.at + int(of.column)};
}
template <class Element, class Row>
__attribute__((always_inline)) inline RowOfTable<Element>
loadStrip(const SharedTable<Element>& table, const PartBounds&, int, OfRow<Row> of) {
  return {table.at + int(of.row) * table.columns};
}

template <class Element>
bool isApart(const SharedTable<Element>&, const PartBounds&, const ValuesOfRows<Element>&) {
  return true;
}
template <class Element>
__attribute__((always_inline)) inline RowOfTable<Element>
loadStrip(const SharedTable<Element>&, const PartBounds& part, int,
          const ValuesOfRows<Element>& of) {
  return {of.first - part.firstRow};
}

/// What a row gets, whose first element is at `at`.
template <class Element>
__attribute__((always_inline)) inline Element valueOf(const ColumnOfTable<Element>& column,
                                                      long long at, int) {
  return column.at[at];
}
template <class Element>
__attribute__((always_inline)) inline Element valueOf(const RowOfTable<Element>& of, long long,
                                                      int row) {
  return of.at[row];
}
template <class Vector>
__attribute__((always_inline)) inline const Vector& valueOf(const Vector& strip, long long, int) {
  return strip;
}

/// Which lanes of a strip are behind an edge, or before it, from row to row.
template <class Element, bool rises> class LanesFromEdge {
  using Mask = typename StripOf<Element>::Mask;
  using Lane = typename StripOf<Element>::Lane;

public:
  __attribute__((always_inline)) LanesFromEdge(const EdgeAt<rises>& edge, int row, int column) {
    for (int lane = 0; lane < StripOf<Element>::lanes; ++lane)
      distance_[lane] = Lane(lane);
    distance_ -= Lane(edge.at(row) - column);
  }
  __attribute__((always_inline)) Mask behind() const { return distance_ >= Lane(0); }
  __attribute__((always_inline)) Mask before() const { return distance_ < Lane(0); }
  __attribute__((always_inline)) void next() {
    if constexpr (rises)
      distance_ -= Lane(1);
  }

private:
  Mask distance_;
};

/// Of masks whose edges do not rise compilers see that they are the same in all rows.
template <class Element, class Low0, class Low1, class High0, class High1> class LanesOfPart {
public:
  __attribute__((always_inline)) LanesOfPart(const PartOfTable<Low0, Low1, High0, High1>& part,
                                             int row, int column)
      : low0_(part.low0, row, column), low1_(part.low1, row, column),
        high0_(part.high0, row, column), high1_(part.high1, row, column) {}
  __attribute__((always_inline)) typename StripOf<Element>::Mask mask() const {
    return (low0_.behind() & low1_.behind()) & (high0_.before() & high1_.before());
  }
  __attribute__((always_inline)) void next() {
    low0_.next();
    low1_.next();
    high0_.next();
    high1_.next();
  }

private:
  LanesFromEdge<Element, Low0::isRising> low0_;
  LanesFromEdge<Element, Low1::isRising> low1_;
  LanesFromEdge<Element, High0::isRising> high0_;
  LanesFromEdge<Element, High1::isRising> high1_;
};

/// The rows of a strip of which all columns belong to the part.
template <class Row, class Element, class Body, class... Strips>
__attribute__((always_inline)) inline void
runWholeRows(const SharedTable<Element>& table, int firstRow, int begin, int end, int column,
             Body& body, const Strips&... strips) {
  using Strip = StripOf<Element>;
  long long at = (firstRow + begin) * table.columns;
  CU2CPP_ONE_BY_ONE_LOOP
  for (int row = begin; row < end; ++row, at += table.columns) {
    typename Strip::Vector element = Strip::load(table.at + at + column);
    body(Row(firstRow + row), element, valueOf(strips, at, firstRow + row)...);
    Strip::store(table.at + at + column, element);
  }
}

/// Those of which some do.
template <class Row, class Element, class Low0, class Low1, class High0, class High1, class Body,
          class... Strips>
__attribute__((always_inline)) inline void
runPartsOfRows(const SharedTable<Element>& table, const PartOfTable<Low0, Low1, High0, High1>& part,
               int firstRow, int begin, int end, int column, Body& body, const Strips&... strips) {
  using Strip = StripOf<Element>;
  LanesOfPart<Element, Low0, Low1, High0, High1> lanes(part, begin, column);
  long long at = (firstRow + begin) * table.columns;
  CU2CPP_ONE_BY_ONE_LOOP
  for (int row = begin; row < end; ++row, at += table.columns) {
    const typename Strip::Vector before = Strip::load(table.at + at + column);
    typename Strip::Vector after = before;
    body(Row(firstRow + row), after, valueOf(strips, at, firstRow + row)...);
    Strip::store(table.at + at + column, lanes.mask() ? after : before);
    lanes.next();
  }
}

/// A row behind whose part of a strip memory may end.
template <class Row, class Element, class Part, class Body, class... Strips>
__attribute__((always_inline)) inline void
runLastRow(const SharedTable<Element>& table, const Part& part, int firstRow, int row, int column,
           Body& body, const Strips&... strips) {
  const int low = part.low(row) - column, high = part.high(row) - column;
  const long long at = (firstRow + row) * table.columns;
  typename StripOf<Element>::Vector element = {};
  for (int lane = 0; lane < StripOf<Element>::lanes; ++lane)
    if (lane >= low && lane < high)
      element[lane] = table.at[at + column + lane];
  body(Row(firstRow + row), element, valueOf(strips, at, firstRow + row)...);
  for (int lane = 0; lane < StripOf<Element>::lanes; ++lane)
    if (lane >= low && lane < high)
      table.at[at + column + lane] = element[lane];
}

template <class Row, class Element, class Part, class Body, class... Strips>
__attribute__((always_inline)) inline void
runStrip(const SharedTable<Element>& table, const Part& part, int firstRow, int rows, bool hasLast,
         int column, Body& body, const Strips&... strips) {
  constexpr int lanes = StripOf<Element>::lanes;
  const auto within = [](int row, int least, int most) {
    return row < least ? least : row < most ? row : most;
  };
  const int begin = within(part.endsFrom(column + 1), 0, rows - int(hasLast));
  const int end = within(part.beginsFrom(column + lanes), begin, rows - int(hasLast));
  const int wholeFrom = within(part.endsFrom(column + lanes), begin, end);
  const int wholeTo = within(part.beginsFrom(column + 1), wholeFrom, end);
  runPartsOfRows<Row>(table, part, firstRow, begin, wholeFrom, column, body, strips...);
  runWholeRows<Row>(table, firstRow, wholeFrom, wholeTo, column, body, strips...);
  runPartsOfRows<Row>(table, part, firstRow, wholeTo, end, column, body, strips...);
  if (hasLast)
    runLastRow<Row>(table, part, firstRow, rows - 1, column, body, strips...);
}

/// What an update begins with: start() is called when it is certain that it runs.
struct NoStart {
  constexpr void operator()() const {}
};

template <class Row, class Element, class Part, class Start, class Body, class... Along>
__attribute__((always_inline)) inline bool
runStrips(const SharedTable<Element>& table, const ElementRange& range, const Part& part,
          const Start& start, Body& body, const Along&... along) {
  constexpr int lanes = StripOf<Element>::lanes, most = 1 << 20;
  const int rows = range.end - range.begin;
  if (rows <= 0)
    return true;
  PartBounds bounds{range.begin, range.end, part.low(0), part.high(rows - 1), 0, table.columns};
  if (bounds.firstColumn >= bounds.endColumn) {
    start();
    return true;
  }
  if (range.begin < 0 || range.end > most || bounds.firstColumn < 0 || table.columns > most ||
      bounds.endColumn > table.columns)
    return false;
  const int begin = bounds.firstColumn / lanes * lanes;
  bounds.endOfStrips = begin + (bounds.endColumn - begin + lanes - 1) / lanes * lanes;
  const long long endOfLast = (range.end - 1) * table.columns;
  const bool hasLast = endOfLast + bounds.endOfStrips > table.size;
  if (endOfLast + bounds.endColumn > table.size ||
      (hasLast && endOfLast - table.columns + bounds.endOfStrips > table.size) ||
      !(isApart(table, bounds, along) && ...))
    return false;
  start();
  for (int column = begin; column < bounds.endColumn; column += lanes)
    runStrip<Row>(table, part, range.begin, rows, hasLast, column, body,
                  loadStrip(table, bounds, column, along)...);
  return true;
}

/// The edges that conditions in a loop's body add to those of the loop.
template <class Column, class Row> EdgeAt<false> lowEdge(NoEdge, Column, Row, bool&) { return {0}; }
template <class Column, class Row> EdgeAt<false> highEdge(NoEdge, Column, Row, bool&) {
  return {1 << 29};
}
template <bool rises, class Column, class At, class Row>
__attribute__((always_inline)) inline EdgeAt<rises> highEdge(const ColumnEdge<rises, At>& edge,
                                                             Column first, Row row, bool& isKnown) {
  const ElementRange range(first, edge.at(row));
  isKnown &= range.isKnown;
  return {range.end};
}
template <bool rises, class Column, class At, class Row>
__attribute__((always_inline)) inline EdgeAt<rises> lowEdge(const ColumnEdge<rises, At>& edge,
                                                            Column first, Row row, bool& isKnown) {
  const auto least = edge.at(row);
  const auto rangeTo = [&](auto column, int more) __attribute__((always_inline)) {
    const ElementRange range(first, column, more);
    isKnown &= range.isKnown;
    return range.end;
  };
  if constexpr (isBehind<std::decay_t<decltype(least)>>)
    return {rangeTo(least.column, 1)};
  else
    return {rangeTo(least, 0)};
}

template <class Row, class Element, class Low0, class High0, class Column, class Low, class High,
          class Start, class Body, class... Along>
__attribute__((always_inline)) inline bool
runPart(const SharedTable<Element>& table, const ElementRange& rows, Low0 low0, High0 high0,
        Column first, const Low& low, const High& high, const Start& start, Body& body,
        const Along&... along) {
  bool isKnown = true;
  const auto low1 = lowEdge(low, first, Row(rows.begin), isKnown);
  const auto high1 = highEdge(high, first, Row(rows.begin), isKnown);
  using Part = PartOfTable<Low0, decltype(low1), High0, decltype(high1)>;
  return isKnown &&
         runStrips<Row>(table, rows, Part{low0, low1, high0, high1}, start, body, along...);
}

} // namespace detail

#pragma GCC diagnostic pop

/// updateInStrips() is, for the threads of a block together,
///
///   for (Row row = start(threadIdx); row < limit; row += step)
///     for (Column column = columnStart.at(row, threadIdx); column < columnLimit.at(row);
///          column += columnStep)
///       if (column >= low.at(row) && column < high.at(row))
///         body(row, <element of row and column>, <what else it reads>...);
///
/// It returns false, and has done nothing, where it does not know that this is an update in which
/// the order of elements does not matter. With `ofWarps` rows start at quotients of threadIdx.x.
template <class Row, class Column, bool ofWarps, class OneBlock, class Element, class Start,
          class Step, class Limit, bool startRises, class ColumnStart, class ColumnStep,
          bool limitRises, class ColumnLimit, class Low, class High, class Body, class... Along>
__attribute__((always_inline)) inline bool
updateInStrips(const OneBlock& block, SharedTable<Element> table, Start&& start, Step step,
               Limit limit, ColumnEdge<startRises, ColumnStart> columnStart, ColumnStep columnStep,
               ColumnEdge<limitRises, ColumnLimit> columnLimit, Low low, High high, Body&& body,
               Along... along) {
  if constexpr (!std::is_same<OneBlock, RareBlock>::value && detail::runsInStrips<Element>) {
    const ::dim3 size = block.blockDim;
    const Row first = start(::uint3{0, 0, 0});
    const auto startsAt = [&](unsigned x, unsigned y, int more) __attribute__((always_inline)) {
      return Row(start(::uint3{x, y, 0})) == Row(first + more);
    };
    unsigned width = size.x;
    if constexpr (ofWarps) {
      if (step <= 0 || static_cast<unsigned long long>(step) > size.x ||
          size.x % unsigned(step) != 0 || size.y != 1 || size.z != 1)
        return false;
      width = size.x / unsigned(step);
      if ((width & (width - 1)) != 0 || !startsAt(width - 1, 0, 0) ||
          (step > 1 && !startsAt(width, 0, 1)))
        return false;
    } else if (size.z != 1 || static_cast<unsigned long long>(step) != size.y ||
               (size.x > 1 && !startsAt(1, 0, 0)) || (size.y > 1 && !startsAt(0, 1, 1))) {
      return false;
    }
    const detail::ElementRange rows(first, limit);
    const auto columnOf = [&](unsigned x, unsigned y) __attribute__((always_inline)) {
      return Column(columnStart.at(first, ::uint3{x, y, 0}));
    };
    const Column column = columnOf(0, 0);
    // Each row of threads begins with the same column.
    if (ofWarps ? size.x > width && columnOf(width, 0) != column
                : size.y > 1 && columnOf(0, 1) != column)
      return false;
    const detail::ElementRange columns(column, columnLimit.at(first));
    if (!rows.isKnown || !columns.isKnown || static_cast<unsigned long long>(columnStep) != width ||
        (width > 1 && (columnOf(1, 0) != Column(column + 1) ||
                       columnOf(width - 1, 0) != Column(column + (width - 1)))))
      return false;
    return detail::runPart<Row>(table, rows, detail::EdgeAt<startRises>{columns.begin},
                                detail::EdgeAt<limitRises>{columns.end}, column, low, high,
                                detail::NoStart(), body, along...);
  }
  return false;
}

/// updateInStripsByRows() is the same for
///
///   for (Element t = start(threadIdx); t < limit; t += step) {
///     const Row row = rowOf(t / width); const Column column = columnOf(t % width);
///     if (column >= low.at(row) && column < high.at(row)) ...
template <class Row, class Column, class OneBlock, class Element, class Start, class Step,
          class Limit, class Width, class RowOf, class ColumnOf, class Low, class High, class Body,
          class... Along>
__attribute__((always_inline)) inline bool
updateInStripsByRows(const OneBlock& block, SharedTable<Element> table, Start&& start, Step step,
                     Limit limit, Width width, RowOf&& rowOf, ColumnOf&& columnOf, Low low,
                     High high, Body&& body, Along... along) {
  if constexpr (!std::is_same<OneBlock, RareBlock>::value && detail::runsInStrips<Element>) {
    using Number = decltype(start(::uint3{}));
    const ::dim3 size = block.blockDim;
    const int columns = detail::numberOf(width);
    const detail::ElementRange all(Number(0), limit);
    if (!detail::isRank(size, start) || static_cast<unsigned long long>(step) != threadsIn(size) ||
        !all.isKnown || columns <= 0 || all.end % columns != 0)
      return false;
    const Row first = rowOf(Number(0));
    const Column column = columnOf(Number(0));
    const detail::ElementRange rows(first, Row(0), 0), from(column, Column(0));
    if (!rows.isKnown || !from.isKnown)
      return false;
    detail::ElementRange part = rows;
    part.end = part.begin + (all.end > 0 ? all.end / columns : 0);
    return detail::runPart<Row>(table, part, detail::EdgeAt<false>{from.begin},
                                detail::EdgeAt<false>{from.begin + columns}, column, low, high,
                                detail::NoStart(), body, along...);
  }
  return false;
}

/// updateColumnsInStrips() is the same for
///
///   for (Row row = start(threadIdx); row < limit; row += step)
///     if (row >= lowRow && row < highRow &&
///         columnOf(threadIdx) >= low.at(row) && columnOf(threadIdx) < high.at(row))
///       body(row, <element of row and columnOf(threadIdx)>, <what else it reads>...);
///
/// where the start is one value for each row of threads, and the column one more from thread to
/// thread of a row.
template <class Row, class OneBlock, class Element, class Start, class Step, class Limit,
          class LowRow, class HighRow, class ColumnOf, class Low, class High, class Body,
          class... Along>
__attribute__((always_inline)) inline bool
updateColumnsInStrips(const OneBlock& block, SharedTable<Element> table, Start&& start, Step step,
                      Limit limit, LowRow lowRow, HighRow highRow, ColumnOf&& columnOf, Low low,
                      High high, Body&& body, Along... along) {
  if constexpr (!std::is_same<OneBlock, RareBlock>::value && detail::runsInStrips<Element>) {
    using Column = std::decay_t<decltype(columnOf(::uint3{}))>;
    const ::dim3 size = block.blockDim;
    const Row first = start(::uint3{0, 0, 0});
    const Column column = columnOf(::uint3{0, 0, 0});
    if (size.z != 1 || static_cast<unsigned long long>(step) != size.y)
      return false;
    // Each row of threads begins with the next row, and with the same column.
    bool isKnown = true;
    for (unsigned y = 1; y < size.y; ++y)
      isKnown &= Row(start(::uint3{0, y, 0})) == Row(first + y) &&
                 Column(columnOf(::uint3{0, y, 0})) == column;
    detail::ElementRange rows(first, limit);
    const detail::ElementRange columns(column, Column(0));
    if (!rows.isKnown || !columns.isKnown)
      return false;
    const int lowest = detail::lowEdge(lowRow, first, first, isKnown).first,
              highest = detail::highEdge(highRow, first, first, isKnown).first;
    if constexpr (!std::is_same<LowRow, NoEdge>::value)
      rows.begin = rows.begin > lowest ? rows.begin : lowest;
    if constexpr (!std::is_same<HighRow, NoEdge>::value)
      rows.end = rows.end < highest ? rows.end : highest;
    return isKnown && columns.begin >= 0 && size.x <= 1024 &&
           detail::runPart<Row>(table, rows, detail::EdgeAt<false>{columns.begin},
                                detail::EdgeAt<false>{columns.begin + int(size.x)}, column, low,
                                high, detail::NoStart(), body, along...);
  }
  return false;
}

/// updateElementsInStrips() is the same for threads that have one element each,
///
///   if (rowOf(threadIdx) >= lowRow && ... columnOf(threadIdx) >= low.at(row) && ...)
///     body(row, <element of rowOf(threadIdx) and columnOf(threadIdx)>, <what else it reads>...);
template <class Row, class OneBlock, class Element, class RowOf, class LowRow, class HighRow,
          class ColumnOf, class Low, class High, class Body, class... Along>
__attribute__((always_inline)) inline bool
updateElementsInStrips(const OneBlock& block, SharedTable<Element> table, RowOf&& rowOf,
                       LowRow lowRow, HighRow highRow, ColumnOf&& columnOf, Low low, High high,
                       Body&& body, Along... along) {
  if constexpr (!std::is_same<OneBlock, RareBlock>::value && detail::runsInStrips<Element>) {
    const ::dim3 size = block.blockDim;
    const int first = detail::numberOf(Row(rowOf(::uint3{0, 0, 0})));
    return first >= 0 && size.y <= 1024 &&
           updateColumnsInStrips<Row>(block, table, rowOf, size.y, first + int(size.y), lowRow,
                                      highRow, columnOf, low, high, body, along...);
  }
  return false;
}

} // namespace cu2cpp

#endif

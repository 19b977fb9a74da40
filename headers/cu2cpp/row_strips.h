// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that own a row of a matrix in shared memory each and update a part of it by rows and
// columns which they leave alone, as in factorisations:
//
//   if (row > k)
//     for (int j = k + 1; j <= row; ++j)
//       a[row][j] -= a[row][k] * a[j][k];
//
// The rows of neighbouring threads run strip by strip (element_strips.h).
#ifndef CU2CPP_ROW_STRIPS_H
#define CU2CPP_ROW_STRIPS_H

#include <cu2cpp/each_lane.h>
#include <cu2cpp/element_strips.h>

namespace cu2cpp {

namespace detail {

template <class Column, bool startRises, bool limitRises, class Table, class Row, class Start,
          class Limit, class Begin, class Body, class... Along>
__attribute__((always_inline)) inline bool
updateRowsOf(const ::uint3& first, const unsigned count, const Table& table, Row&& row,
             Start&& start, Limit&& limit, const Begin& begin, Body&& body, const Along&... along) {
  const ::uint3 last{first.x + (count - 1), first.y, first.z};
  const auto columnsOf = [&](const ::uint3& thread) __attribute__((always_inline)) {
    return ElementRange(static_cast<Column>(start(thread)), limit(thread));
  };
  const ElementRange rows(row(first), row(last), 1), ofFirst = columnsOf(first),
                                                     ofLast = columnsOf(last);
  const int more = int(count - 1);
  if (!rows.isKnown || !ofFirst.isKnown || !ofLast.isKnown || rows.end - rows.begin != more + 1 ||
      ofLast.begin - ofFirst.begin != (startRises ? more : 0) ||
      ofLast.end - ofFirst.end != (limitRises ? more : 0))
    return false;
  return runPart<int>(table, rows, EdgeAt<startRises>{ofFirst.begin},
                      EdgeAt<limitRises>{ofFirst.end}, Column(), NoEdge(), NoEdge(), begin, body,
                      along...);
}

} // namespace detail

/// updateRows() is, for `count` neighbours in a row of threads together, `first` being the first,
///
///   for (Column column = start(threadIdx); column < limit(threadIdx); ++column)
///     body(row(threadIdx), <element of row and column>, <what else it reads>...);
///
/// where the start and the limit may be one more from thread to thread. It returns false, and has
/// done nothing, where it does not know that this is an update in which the order of elements does
/// not matter.
template <class Column, bool startRises, bool limitRises, class TableOf, class Row, class Start,
          class Limit, class Body, class... Along>
__attribute__((always_inline)) inline bool updateRows(const ::uint3& first, const unsigned count,
                                                      TableOf&& tableOf, Row&& row, Start&& start,
                                                      Limit&& limit, Body&& body, Along... along) {
  const auto table = tableOf(first);
  if constexpr (detail::runsInStrips<std::remove_pointer_t<decltype(table.at)>>)
    return detail::updateRowsOf<Column, startRises, limitRises>(
        first, count, table, row, start, limit, detail::NoStart(), body, along...);
  return false;
}

/// updateRowsFrom() is updateRows() for threads that begin with something else each,
///
///   Element values[count];
///   begin(threadIdx, values);
///   for (...) body(row(threadIdx), <element>, values..., <what else it reads>...);
///
/// which all of them do first: none reads what another one has done.
template <class Column, bool startRises, bool limitRises, std::size_t... values, class Begin,
          class TableOf, class Row, class Start, class Limit, class Body, class... Along>
__attribute__((always_inline)) inline bool
updateRowsFrom(std::index_sequence<values...>, const ::uint3& first, const unsigned count,
               Begin&& begin, TableOf&& tableOf, Row&& row, Start&& start, Limit&& limit,
               Body&& body, Along... along) {
  const auto table = tableOf(first);
  using Element = std::remove_pointer_t<decltype(table.at)>;
  if constexpr (detail::runsInStrips<Element>) {
    constexpr unsigned most = 256;
    if (count > most)
      return false;
    typedef Element Values[sizeof...(values) + 1];
    Element all[sizeof...(values) + 1][most];
    const auto beginAll = [&]() __attribute__((always_inline)) {
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned at = 0; at < count; ++at) {
        Values ofThread;
        begin(::uint3{first.x + at, first.y, first.z}, ofThread);
        ((all[values][at] = ofThread[values]), ...);
      }
    };
    return detail::updateRowsOf<Column, startRises, limitRises>(
        first, count, table, row, start, limit, beginAll, body,
        ValuesOfRows<Element>{all[values]}..., along...);
  }
  return false;
}

/// eachThreadInStrips() is eachThread() for bodies that do nothing in threads outside of a range,
/// bounds(threadIdx) in the row that begins with that thread, and make an update by rows in the
/// others: update(first, count) makes it for all of these, or returns false.
template <class OneBlock, class Bounds, class Update, class Body>
__attribute__((always_inline)) inline void eachThreadInStrips(const OneBlock& block, Bounds&&,
                                                              Update&&, Body&& body) {
  eachThread(block, body);
}
template <unsigned SizeX, unsigned SizeY, unsigned SizeZ, class Bounds, class Update, class Body>
__attribute__((always_inline)) inline void
eachThreadInStrips(const SizedBlock<SizeX, SizeY, SizeZ, true>& block, Bounds&& bounds,
                   Update&& update, Body&& body) {
  for (unsigned z = 0; z < SizeZ; ++z)
    for (unsigned y = 0; y < SizeY; ++y) {
      const Inside range = bounds(::uint3{0, y, z});
      const unsigned from = range.isKnown() ? range.begin() : 0;
      const unsigned to = range.isKnown() && range.end() < SizeX ? range.end() : SizeX;
      if (from >= to || (range.isKnown() && update(::uint3{from, y, z}, to - from)))
        continue;
      const unsigned row = (z * SizeY + y) * SizeX;
      CU2CPP_ONE_BY_ONE_LOOP
      for (unsigned x = from; x < to; ++x)
        body(Thread{::uint3{x, y, z}, &block, row + x});
    }
}

/// eachLaneInStrips() is the same for the lanes of a warp.
template <class OneWarp, class Bounds, class Update, class Body>
__attribute__((always_inline)) inline void eachLaneInStrips(const OneWarp& warp, const Lanes lanes,
                                                            Bounds&& bounds, Update&& update,
                                                            Body&& body) {
  if constexpr (detail::isFullRow<OneWarp>) {
    detail::assumeRow(warp);
    const ::uint3 first = warp.first;
    const Inside range = bounds(first);
    const unsigned from = range.begin(), to = range.end() < warpLanes ? range.end() : warpLanes;
    if (lanes.all() && range.isKnown() &&
        (from >= to || update(::uint3{first.x + from, first.y, first.z}, to - from)))
      return;
  }
  eachLane(warp, lanes, body);
}

} // namespace cu2cpp

#endif

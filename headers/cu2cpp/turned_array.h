// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays that lie in memory in another way than in the program, so that threads which run
// one after the other reach for neighbours: those whose first place is threadIdx.x with their
// dimensions the other way around, and those in which the threads of a wavefront take an
// anti-diagonal each step with these as rows.
//
// CUDA C++ Programming Guide, 'Shared Memory'.
#ifndef CU2CPP_TURNED_ARRAY_H
#define CU2CPP_TURNED_ARRAY_H

#include <cstddef>

namespace cu2cpp {

/// TurnedArray<Element, 16, 17> is used as `Element array[16][17]` is, but has no rows in memory:
/// only single elements of it can be named. As with an array, no Element is given a value.
template <class Element, std::size_t Rows, std::size_t Columns> class TurnedArray {
public:
  /// Row is what `array[i]` names.
  class Row {
  public:
    explicit Row(Element* first) : first_(first) {}
    __attribute__((always_inline)) Element& operator[](std::ptrdiff_t column) const {
      return first_[column * std::ptrdiff_t(Rows)];
    }

  private:
    Element* first_;
  };
  __attribute__((always_inline)) Row operator[](std::ptrdiff_t row) { return Row(elements_ + row); }

private:
  Element elements_[Rows * Columns];
};

/// SkewedArray<Element, 33, 33> is used as `Element array[33][33]` is, and single elements of it
/// are neighbours where one place is one more and the other one less: `array[d - x][x]`. They rise
/// with the last place, or with the first.
template <class Element, std::size_t Rows, std::size_t Columns, bool FirstRises = false>
class SkewedArray {
public:
  template <class RowIndex> class Row {
  public:
    Row(Element* elements, RowIndex row) : elements_(elements), row_(row) {}
    // The sum is one of the program's integers: in it `d - x + x` is d.
    template <class Index>
    __attribute__((always_inline)) Element& operator[](const Index column) const {
      const auto diagonal = static_cast<std::ptrdiff_t>(row_ + column);
      if constexpr (FirstRises)
        return elements_[diagonal * std::ptrdiff_t(Rows) + static_cast<std::ptrdiff_t>(row_)];
      else
        return elements_[diagonal * std::ptrdiff_t(Columns) + static_cast<std::ptrdiff_t>(column)];
    }

  private:
    Element* elements_;
    RowIndex row_;
  };
  template <class Index> __attribute__((always_inline)) Row<Index> operator[](const Index row) {
    return {elements_, row};
  }

private:
  Element elements_[(Rows + Columns - 1) * (FirstRises ? Rows : Columns)];
};

} // namespace cu2cpp

#endif

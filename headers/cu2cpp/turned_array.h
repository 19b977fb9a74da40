// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared array whose first place is threadIdx.x: in memory its dimensions stand the other way
// around, so that threads which run one after the other reach for neighbours.
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

} // namespace cu2cpp

#endif

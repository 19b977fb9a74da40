// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread learns of its neighbours: the last item of the thread before it and the first item
// of the one behind it.
#ifndef CU2CPP_CUB_DETAIL_NEIGHBOUR_OPERAND_CUH
#define CU2CPP_CUB_DETAIL_NEIGHBOUR_OPERAND_CUH

#include <cub/detail/collective.cuh>

namespace cub {
namespace detail {

template <class Type> struct NeighbourOperand {
  Type first, last;   // of the thread's own items
  Type before, after; // of its neighbours
  bool hasBefore = false, hasAfter = false;
  unsigned rank = 0;

  NeighbourOperand(const Type& f, const Type& l) : first(f), last(l), before(f), after(l) {}

  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    NeighbourOperand* previous = nullptr;
    ::cu2cpp::detail::eachOperand<NeighbourOperand>(group, [&](unsigned i, NeighbourOperand& mine) {
      mine.rank = i;
      if (previous) {
        mine.before = previous->last;
        mine.hasBefore = true;
        previous->after = mine.first;
        previous->hasAfter = true;
      }
      previous = &mine;
    });
  }
};

template <class Type, int Count>
inline NeighbourOperand<Type> meetNeighbours(const Type (&items)[Count], const char* name) {
  NeighbourOperand<Type> mine(items[0], items[Count - 1]);
  ::cu2cpp::detail::meetBlock(mine, name);
  return mine;
}

} // namespace detail
} // namespace cub

#endif

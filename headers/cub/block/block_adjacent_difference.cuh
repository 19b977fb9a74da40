// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockAdjacentDifference: a function of each item and its left or right neighbour.
//
// CUB documentation, 'BlockAdjacentDifference'.
#ifndef CU2CPP_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define CU2CPP_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH

#include <cub/detail/neighbour_operand.cuh>

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractLeft(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOp op) {
    left(input, output, op, all, nullptr);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractLeft(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOp op,
                                    T tile_predecessor_item) {
    left(input, output, op, all, &tile_predecessor_item);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractLeftPartialTile(T (&input)[ITEMS], OutputT (&output)[ITEMS],
                                               DifferenceOp op, int valid_items) {
    left(input, output, op, valid_items, nullptr);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void SubtractLeftPartialTile(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOp op,
                                   int valid_items, T tile_predecessor_item) {
    left(input, output, op, valid_items, &tile_predecessor_item);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractRight(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOp op) {
    right(input, output, op, all, nullptr);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractRight(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOp op,
                                     T tile_successor_item) {
    right(input, output, op, all, &tile_successor_item);
  }
  template <int ITEMS, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractRightPartialTile(T (&input)[ITEMS], OutputT (&output)[ITEMS],
                                                DifferenceOp op, int valid_items) {
    right(input, output, op, valid_items, nullptr);
  }

private:
  static constexpr int all = 0x7fffffff;

  // The output may be the input: the items are kept while they are still needed.
  template <int ITEMS, class OutputT, class Op>
  static void left(T (&input)[ITEMS], OutputT (&output)[ITEMS], Op op, int valid, const T* before) {
    const auto mine = detail::meetNeighbours(input, "cub::BlockAdjacentDifference");
    const int first = int(mine.rank) * ITEMS;
    for (int i = ITEMS - 1; i > 0; --i)
      output[i] = first + i < valid ? OutputT(op(input[i], input[i - 1])) : OutputT(input[i]);
    if (first < valid && (mine.hasBefore || before))
      output[0] = op(input[0], mine.hasBefore ? mine.before : *before);
    else
      output[0] = input[0];
  }
  template <int ITEMS, class OutputT, class Op>
  static void right(T (&input)[ITEMS], OutputT (&output)[ITEMS], Op op, int valid, const T* after) {
    const auto mine = detail::meetNeighbours(input, "cub::BlockAdjacentDifference");
    const int first = int(mine.rank) * ITEMS;
    for (int i = 0; i + 1 < ITEMS; ++i)
      output[i] = first + i + 1 < valid ? OutputT(op(input[i], input[i + 1])) : OutputT(input[i]);
    if (first + ITEMS < valid && (mine.hasAfter || after))
      output[ITEMS - 1] = op(input[ITEMS - 1], mine.hasAfter ? mine.after : *after);
    else
      output[ITEMS - 1] = input[ITEMS - 1];
  }
};

} // namespace cub

#endif

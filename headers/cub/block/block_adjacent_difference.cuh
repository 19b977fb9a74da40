// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockAdjacentDifference: a function of each item and its left or right neighbour.
//
// CUB documentation, 'BlockAdjacentDifference'.
#ifndef CU2CPP_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define CU2CPP_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH

#include <cub/detail/neighbour_operand.cuh>

namespace cub {

template <class Type, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockAdjacentDifference : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void SubtractLeft(Type (&input)[Items], OutputT (&output)[Items], DifferenceOp op) {
    left(input, output, op, all, nullptr);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractLeft(Type (&input)[Items], OutputT (&output)[Items], DifferenceOp op,
                                    Type tile_predecessor_item) {
    left(input, output, op, all, &tile_predecessor_item);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractLeftPartialTile(Type (&input)[Items], OutputT (&output)[Items],
                                               DifferenceOp op, int valid_items) {
    left(input, output, op, valid_items, nullptr);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void SubtractLeftPartialTile(Type (&input)[Items], OutputT (&output)[Items], DifferenceOp op,
                                   int valid_items, Type tile_predecessor_item) {
    left(input, output, op, valid_items, &tile_predecessor_item);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void SubtractRight(Type (&input)[Items], OutputT (&output)[Items], DifferenceOp op) {
    right(input, output, op, all, nullptr);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractRight(Type (&input)[Items], OutputT (&output)[Items],
                                     DifferenceOp op, Type tile_successor_item) {
    right(input, output, op, all, &tile_successor_item);
  }
  template <int Items, class OutputT, class DifferenceOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void SubtractRightPartialTile(Type (&input)[Items], OutputT (&output)[Items],
                                                DifferenceOp op, int valid_items) {
    right(input, output, op, valid_items, nullptr);
  }

private:
  static constexpr int all = 0x7fffffff;

  // The output may be the input: the items are kept while they are still needed.
  template <int Items, class OutputT, class Op>
  static void left(Type (&input)[Items], OutputT (&output)[Items], Op op, int valid,
                   const Type* before) {
    const auto mine = detail::meetNeighbours(input, "cub::BlockAdjacentDifference");
    const int first = int(mine.rank) * Items;
    for (int i = Items - 1; i > 0; --i)
      output[i] = first + i < valid ? OutputT(op(input[i], input[i - 1])) : OutputT(input[i]);
    if (first < valid && (mine.hasBefore || before))
      output[0] = op(input[0], mine.hasBefore ? mine.before : *before);
    else
      output[0] = input[0];
  }
  template <int Items, class OutputT, class Op>
  static void right(Type (&input)[Items], OutputT (&output)[Items], Op op, int valid,
                    const Type* after) {
    const auto mine = detail::meetNeighbours(input, "cub::BlockAdjacentDifference");
    const int first = int(mine.rank) * Items;
    for (int i = 0; i + 1 < Items; ++i)
      output[i] = first + i + 1 < valid ? OutputT(op(input[i], input[i + 1])) : OutputT(input[i]);
    if (first + Items < valid && (mine.hasAfter || after))
      output[Items - 1] = op(input[Items - 1], mine.hasAfter ? mine.after : *after);
    else
      output[Items - 1] = input[Items - 1];
  }
};

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockDiscontinuity: flags where neighbouring items differ.
//
// CUB documentation, 'BlockDiscontinuity'.
#ifndef CU2CPP_CUB_BLOCK_DISCONTINUITY_CUH
#define CU2CPP_CUB_BLOCK_DISCONTINUITY_CUH

#include <type_traits>

#include <cub/detail/neighbour_operand.cuh>

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity : public detail::Collective {
public:
  using detail::Collective::Collective;

  // Without a neighbour the first item is a head and the last one a tail.
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeads(FlagT (&head_flags)[ITEMS], T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeads(FlagT (&head_flags)[ITEMS], T (&input)[ITEMS], FlagOp differ,
                                 T tile_predecessor_item) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagTails(FlagT (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagTails(FlagT (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp differ,
                                 T tile_successor_item) {
    const auto mine = meet(input);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeadsAndTails(FlagT (&head_flags)[ITEMS], FlagT (&tail_flags)[ITEMS],
                                         T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeadsAndTails(FlagT (&head_flags)[ITEMS], FlagT (&tail_flags)[ITEMS],
                                         T tile_successor_item, T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void FlagHeadsAndTails(FlagT (&head_flags)[ITEMS], T tile_predecessor_item,
                             FlagT (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeadsAndTails(FlagT (&head_flags)[ITEMS], T tile_predecessor_item,
                                         FlagT (&tail_flags)[ITEMS], T tile_successor_item,
                                         T (&input)[ITEMS], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }

private:
  template <int ITEMS> static detail::NeighbourOperand<T> meet(const T (&input)[ITEMS]) {
    return detail::meetNeighbours(input, "cub::BlockDiscontinuity");
  }
  // A functor may take the later item's number in the block as well.
  template <class FlagOp> static bool differs(FlagOp& differ, const T& a, const T& b, int index) {
    if constexpr (std::is_invocable<FlagOp&, const T&, const T&, int>::value)
      return differ(a, b, index);
    else
      return differ(a, b);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  static void heads(FlagT (&flags)[ITEMS], const T (&input)[ITEMS], FlagOp& differ,
                    const detail::NeighbourOperand<T>& mine, const T* before) {
    const int first = int(mine.rank) * ITEMS;
    for (int i = 1; i < ITEMS; ++i)
      flags[i] = FlagT(differs(differ, input[i - 1], input[i], first + i));
    if (mine.hasBefore || before)
      flags[0] = FlagT(differs(differ, mine.hasBefore ? mine.before : *before, input[0], first));
    else
      flags[0] = FlagT(1);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  static void tails(FlagT (&flags)[ITEMS], const T (&input)[ITEMS], FlagOp& differ,
                    const detail::NeighbourOperand<T>& mine, const T* after) {
    const int first = int(mine.rank) * ITEMS;
    for (int i = 0; i + 1 < ITEMS; ++i)
      flags[i] = FlagT(differs(differ, input[i], input[i + 1], first + i + 1));
    if (mine.hasAfter || after)
      flags[ITEMS - 1] = FlagT(
          differs(differ, input[ITEMS - 1], mine.hasAfter ? mine.after : *after, first + ITEMS));
    else
      flags[ITEMS - 1] = FlagT(1);
  }
};

} // namespace cub

#endif

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

template <class Type, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockDiscontinuity : public detail::Collective {
public:
  using detail::Collective::Collective;

  // Without a neighbour the first item is a head and the last one a tail.
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeads(FlagT (&head_flags)[Items], Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeads(FlagT (&head_flags)[Items], Type (&input)[Items], FlagOp differ,
                                 Type tile_predecessor_item) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagTails(FlagT (&tail_flags)[Items], Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagTails(FlagT (&tail_flags)[Items], Type (&input)[Items], FlagOp differ,
                                 Type tile_successor_item) {
    const auto mine = meet(input);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeadsAndTails(FlagT (&head_flags)[Items], FlagT (&tail_flags)[Items],
                                         Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void FlagHeadsAndTails(FlagT (&head_flags)[Items], FlagT (&tail_flags)[Items],
                             Type tile_successor_item, Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, nullptr);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void FlagHeadsAndTails(FlagT (&head_flags)[Items], Type tile_predecessor_item,
                             FlagT (&tail_flags)[Items], Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
    tails(tail_flags, input, differ, mine, nullptr);
  }
  template <int Items, class FlagT, class FlagOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void FlagHeadsAndTails(FlagT (&head_flags)[Items], Type tile_predecessor_item,
                                         FlagT (&tail_flags)[Items], Type tile_successor_item,
                                         Type (&input)[Items], FlagOp differ) {
    const auto mine = meet(input);
    heads(head_flags, input, differ, mine, &tile_predecessor_item);
    tails(tail_flags, input, differ, mine, &tile_successor_item);
  }

private:
  template <int Items> static detail::NeighbourOperand<Type> meet(const Type (&input)[Items]) {
    return detail::meetNeighbours(input, "cub::BlockDiscontinuity");
  }
  // A functor may take the later item's number in the block as well.
  template <class FlagOp>
  static bool differs(FlagOp& differ, const Type& a, const Type& b, int index) {
    if constexpr (std::is_invocable<FlagOp&, const Type&, const Type&, int>::value)
      return differ(a, b, index);
    else
      return differ(a, b);
  }
  template <int Items, class FlagT, class FlagOp>
  static void heads(FlagT (&flags)[Items], const Type (&input)[Items], FlagOp& differ,
                    const detail::NeighbourOperand<Type>& mine, const Type* before) {
    const int first = int(mine.rank) * Items;
    for (int i = 1; i < Items; ++i)
      flags[i] = FlagT(differs(differ, input[i - 1], input[i], first + i));
    if (mine.hasBefore || before)
      flags[0] = FlagT(differs(differ, mine.hasBefore ? mine.before : *before, input[0], first));
    else
      flags[0] = FlagT(1);
  }
  template <int Items, class FlagT, class FlagOp>
  static void tails(FlagT (&flags)[Items], const Type (&input)[Items], FlagOp& differ,
                    const detail::NeighbourOperand<Type>& mine, const Type* after) {
    const int first = int(mine.rank) * Items;
    for (int i = 0; i + 1 < Items; ++i)
      flags[i] = FlagT(differs(differ, input[i], input[i + 1], first + i + 1));
    if (mine.hasAfter || after)
      flags[Items - 1] = FlagT(
          differs(differ, input[Items - 1], mine.hasAfter ? mine.after : *after, first + Items));
    else
      flags[Items - 1] = FlagT(1);
  }
};

} // namespace cub

#endif

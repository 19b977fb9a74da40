// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockShuffle: items of a block's threads moved by a distance.
//
// CUB documentation, 'BlockShuffle'.
#ifndef CU2CPP_CUB_BLOCK_SHUFFLE_CUH
#define CU2CPP_CUB_BLOCK_SHUFFLE_CUH

#include <cub/detail/neighbour_operand.cuh>

namespace cub {
namespace detail {

template <class Type> struct ShiftOperand {
  Type value, result;
  long long distance;
  bool rotates;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    ::cu2cpp::detail::eachOperand<ShiftOperand>(group, [&](unsigned i, ShiftOperand& mine) {
      long long from = static_cast<long long>(i) + mine.distance;
      if (mine.rotates)
        from %= group.count;
      if (from >= 0 && from < static_cast<long long>(group.count) && group.operand[from])
        mine.result = static_cast<ShiftOperand*>(group.operand[from])->value;
    });
  }
};

} // namespace detail

template <class Type, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockShuffle : public detail::Collective {
public:
  using detail::Collective::Collective;

  /// Threads without a source keep what `output` held.
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void Offset(Type input, Type& output, int distance = 1) {
    detail::ShiftOperand<Type> mine{input, output, distance, false};
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    output = mine.result;
  }
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Rotate(Type input, Type& output, unsigned int distance = 1) {
    detail::ShiftOperand<Type> mine{input, output, static_cast<long long>(distance), true};
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    output = mine.result;
  }
  /// Each item goes one place up; the first one stays.
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Up(Type (&input)[Items], Type (&prev)[Items]) {
    up(input, prev);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Up(Type (&input)[Items], Type (&prev)[Items], Type& block_suffix) {
    block_suffix = up(input, prev);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Down(Type (&input)[Items], Type (&next)[Items]) {
    down(input, next);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Down(Type (&input)[Items], Type (&next)[Items], Type& block_prefix) {
    block_prefix = down(input, next);
  }

private:
  // One meeting for the neighbours and the block's ends.
  struct Both : detail::NeighbourOperand<Type> {
    Type blockFirst, blockLast;
    Both(const Type& f, const Type& l)
        : detail::NeighbourOperand<Type>(f, l), blockFirst(f), blockLast(l) {}
    static void resolve(const ::cu2cpp::detail::TileGroup& group) {
      Both* previous = nullptr;
      Both* first = nullptr;
      ::cu2cpp::detail::eachOperand<Both>(group, [&](unsigned, Both& mine) {
        if (previous) {
          mine.before = previous->last;
          mine.hasBefore = true;
          previous->after = mine.first;
          previous->hasAfter = true;
        } else {
          first = &mine;
        }
        previous = &mine;
      });
      ::cu2cpp::detail::eachOperand<Both>(group, [&](unsigned, Both& mine) {
        mine.blockFirst = first->first;
        mine.blockLast = previous->last;
      });
    }
  };
  template <int Items> static Both meet(const Type (&input)[Items]) {
    Both mine(input[0], input[Items - 1]);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    return mine;
  }
  template <int Items> static Type up(Type (&input)[Items], Type (&prev)[Items]) {
    const Both mine = meet(input);
    for (int i = Items - 1; i > 0; --i)
      prev[i] = input[i - 1];
    if (mine.hasBefore)
      prev[0] = mine.before;
    return mine.blockLast;
  }
  template <int Items> static Type down(Type (&input)[Items], Type (&next)[Items]) {
    const Both mine = meet(input);
    for (int i = 0; i + 1 < Items; ++i)
      next[i] = input[i + 1];
    if (mine.hasAfter)
      next[Items - 1] = mine.after;
    return mine.blockFirst;
  }
};

} // namespace cub

#endif

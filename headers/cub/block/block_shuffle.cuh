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

template <class T> struct ShiftOperand {
  T value, result;
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

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockShuffle : public detail::Collective {
public:
  using detail::Collective::Collective;

  /// Threads without a source keep what `output` held.
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void Offset(T input, T& output, int distance = 1) {
    detail::ShiftOperand<T> mine{input, output, distance, false};
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    output = mine.result;
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void Rotate(T input, T& output, unsigned int distance = 1) {
    detail::ShiftOperand<T> mine{input, output, static_cast<long long>(distance), true};
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    output = mine.result;
  }
  /// Each item goes one place up; the first one stays.
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Up(T (&input)[ITEMS], T (&prev)[ITEMS]) {
    up(input, prev);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Up(T (&input)[ITEMS], T (&prev)[ITEMS], T& block_suffix) {
    block_suffix = up(input, prev);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Down(T (&input)[ITEMS], T (&next)[ITEMS]) {
    down(input, next);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void Down(T (&input)[ITEMS], T (&next)[ITEMS], T& block_prefix) {
    block_prefix = down(input, next);
  }

private:
  // One meeting for the neighbours and the block's ends.
  struct Both : detail::NeighbourOperand<T> {
    T blockFirst, blockLast;
    Both(const T& f, const T& l) : detail::NeighbourOperand<T>(f, l), blockFirst(f), blockLast(l) {}
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
  template <int ITEMS> static Both meet(const T (&input)[ITEMS]) {
    Both mine(input[0], input[ITEMS - 1]);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockShuffle");
    return mine;
  }
  template <int ITEMS> static T up(T (&input)[ITEMS], T (&prev)[ITEMS]) {
    const Both mine = meet(input);
    for (int i = ITEMS - 1; i > 0; --i)
      prev[i] = input[i - 1];
    if (mine.hasBefore)
      prev[0] = mine.before;
    return mine.blockLast;
  }
  template <int ITEMS> static T down(T (&input)[ITEMS], T (&next)[ITEMS]) {
    const Both mine = meet(input);
    for (int i = 0; i + 1 < ITEMS; ++i)
      next[i] = input[i + 1];
    if (mine.hasAfter)
      next[ITEMS - 1] = mine.after;
    return mine.blockFirst;
  }
};

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockReduce: the total of what the threads of a block bring, for the first thread.
//
// CUB documentation, 'BlockReduce'.
#ifndef CU2CPP_CUB_BLOCK_REDUCE_CUH
#define CU2CPP_CUB_BLOCK_REDUCE_CUH

#include <cub/detail/collective.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

namespace detail {

/// reduceGroup() leaves the total of `count` operands in the first: pairs, pairs of pairs ...
/// within a warp, as shuffles by 1, 2, 4 ... lanes do, then one warp after the other.
template <class Operand> inline void reduceGroup(void* const* operand, unsigned count) {
  Operand* warpFirst[32];
  unsigned warps = 0;
  for (unsigned start = 0; start < count; start += 32) {
    Operand* lane[32];
    unsigned lanes = 0;
    for (unsigned i = start; i < start + 32 && i < count; ++i)
      if (auto* mine = static_cast<Operand*>(operand[i]); mine && mine->valid)
        lane[lanes++] = mine;
    for (unsigned step = 1; step < lanes; step *= 2)
      for (unsigned i = 0; i + step < lanes; i += 2 * step)
        lane[i]->value = lane[i]->op(lane[i]->value, lane[i + step]->value);
    if (lanes != 0)
      warpFirst[warps++] = lane[0];
  }
  for (unsigned w = 1; w < warps; ++w)
    warpFirst[0]->value = warpFirst[0]->op(warpFirst[0]->value, warpFirst[w]->value);
}

template <class Type, class Op> struct BlockReduceOperand {
  Type value;
  Op op;
  int validCount; // what the first thread says holds
  bool valid;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    using Self = BlockReduceOperand;
    ::cu2cpp::detail::eachOperand<Self>(
        group, [](unsigned i, Self& mine) { mine.valid = int(i) < mine.validCount; });
    reduceGroup<Self>(group.operand, group.count);
  }
};

/// total() is what a thread's own items add up to.
template <class Type, int Count, class Op> inline Type total(const Type (&items)[Count], Op& op) {
  Type out = items[0];
  for (int i = 1; i < Count; ++i)
    out = op(out, items[i]);
  return out;
}

} // namespace detail

template <class Type, int BlockDimX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockReduce : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class ReductionOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER Type Reduce(Type input, ReductionOp op) {
    return reduce(input, op, threads);
  }
  template <int Items, class ReductionOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER Type Reduce(Type (&inputs)[Items], ReductionOp op) {
    return reduce(detail::total(inputs, op), op, threads);
  }
  template <class ReductionOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER Type Reduce(Type input, ReductionOp op, int num_valid) {
    return reduce(input, op, num_valid);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER Type Sum(Type input) {
    return reduce(input, cub::Sum(), threads);
  }
  template <int Items> CU2CPP_SYNC(block) CU2CPP_TOGETHER Type Sum(Type (&inputs)[Items]) {
    cub::Sum op;
    return reduce(Type(detail::total(inputs, op)), op, threads);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER Type Sum(Type input, int num_valid) {
    return reduce(input, cub::Sum(), num_valid);
  }

private:
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;
  template <class Op> static Type reduce(Type input, Op op, int count) {
    detail::BlockReduceOperand<Type, Op> mine{input, op, count, true};
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockReduce");
    return mine.value;
  }
};

} // namespace cub

#endif

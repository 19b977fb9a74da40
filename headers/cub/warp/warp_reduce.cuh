// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::WarpReduce: totals of a warp or of a part of it, for its first lane; head- and tail-flagged
// segments.
//
// CUB documentation, 'WarpReduce'.
#ifndef CU2CPP_CUB_WARP_REDUCE_CUH
#define CU2CPP_CUB_WARP_REDUCE_CUH

#include <cub/block/block_reduce.cuh>

namespace cub {
namespace detail {

enum class Flagged { heads, tails };

template <class Type, class Op, Flagged kind> struct SegmentOperand {
  Type value;
  Op op;
  bool flag;
  // The first lane of each segment gets its total.
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    using Self = SegmentOperand;
    Self* head = nullptr;
    bool ended = true;
    ::cu2cpp::detail::eachOperand<Self>(group, [&](unsigned, Self& mine) {
      if (!head || ended || (kind == Flagged::heads && mine.flag))
        head = &mine;
      else
        head->value = mine.op(head->value, mine.value);
      ended = kind == Flagged::tails && mine.flag;
    });
  }
};

} // namespace detail

template <class Type, int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpReduce : public detail::Collective {
public:
  using detail::Collective::Collective;

  CU2CPP_SYNC(warp) CU2CPP_TOGETHER Type Sum(Type input) {
    return reduce(input, cub::Sum(), LogicalWarpThreads);
  }
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER Type Sum(Type input, int valid_items) {
    return reduce(input, cub::Sum(), valid_items);
  }
  template <class ReductionOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type Reduce(Type input, ReductionOp op) {
    return reduce(input, op, LogicalWarpThreads);
  }
  template <class ReductionOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type Reduce(Type input, ReductionOp op, int valid_items) {
    return reduce(input, op, valid_items);
  }
  template <class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type HeadSegmentedSum(Type input, FlagT flag) {
    return segments<detail::Flagged::heads>(input, flag != FlagT(), cub::Sum());
  }
  template <class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type TailSegmentedSum(Type input, FlagT flag) {
    return segments<detail::Flagged::tails>(input, flag != FlagT(), cub::Sum());
  }
  template <class ReductionOp, class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type HeadSegmentedReduce(Type input, FlagT flag, ReductionOp op) {
    return segments<detail::Flagged::heads>(input, flag != FlagT(), op);
  }
  template <class ReductionOp, class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER Type TailSegmentedReduce(Type input, FlagT flag, ReductionOp op) {
    return segments<detail::Flagged::tails>(input, flag != FlagT(), op);
  }

private:
  template <class Op> static Type reduce(Type input, Op op, int count) {
    detail::BlockReduceOperand<Type, Op> mine{input, op, count, true};
    ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpReduce");
    return mine.value;
  }
  template <detail::Flagged kind, class Op> static Type segments(Type input, bool flag, Op op) {
    detail::SegmentOperand<Type, Op, kind> mine{input, op, flag};
    ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpReduce");
    return mine.value;
  }
};

} // namespace cub

#endif

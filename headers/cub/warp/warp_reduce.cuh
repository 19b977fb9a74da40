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

template <class T, class Op, Flagged kind> struct SegmentOperand {
  T value;
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

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpReduce : public detail::Collective {
public:
  using detail::Collective::Collective;

  CU2CPP_SYNC(warp) CU2CPP_TOGETHER T Sum(T input) {
    return reduce(input, cub::Sum(), LOGICAL_WARP_THREADS);
  }
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER T Sum(T input, int valid_items) {
    return reduce(input, cub::Sum(), valid_items);
  }
  template <class ReductionOp> CU2CPP_SYNC(warp) CU2CPP_TOGETHER T Reduce(T input, ReductionOp op) {
    return reduce(input, op, LOGICAL_WARP_THREADS);
  }
  template <class ReductionOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER T Reduce(T input, ReductionOp op, int valid_items) {
    return reduce(input, op, valid_items);
  }
  template <class FlagT> CU2CPP_SYNC(warp) CU2CPP_TOGETHER T HeadSegmentedSum(T input, FlagT flag) {
    return segments<detail::Flagged::heads>(input, flag != FlagT(), cub::Sum());
  }
  template <class FlagT> CU2CPP_SYNC(warp) CU2CPP_TOGETHER T TailSegmentedSum(T input, FlagT flag) {
    return segments<detail::Flagged::tails>(input, flag != FlagT(), cub::Sum());
  }
  template <class ReductionOp, class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER T HeadSegmentedReduce(T input, FlagT flag, ReductionOp op) {
    return segments<detail::Flagged::heads>(input, flag != FlagT(), op);
  }
  template <class ReductionOp, class FlagT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER T TailSegmentedReduce(T input, FlagT flag, ReductionOp op) {
    return segments<detail::Flagged::tails>(input, flag != FlagT(), op);
  }

private:
  template <class Op> static T reduce(T input, Op op, int count) {
    detail::BlockReduceOperand<T, Op> mine{input, op, count, true};
    ::cu2cpp::detail::meetLanes<LOGICAL_WARP_THREADS>(mine, "cub::WarpReduce");
    return mine.value;
  }
  template <detail::Flagged kind, class Op> static T segments(T input, bool flag, Op op) {
    detail::SegmentOperand<T, Op, kind> mine{input, op, flag};
    ::cu2cpp::detail::meetLanes<LOGICAL_WARP_THREADS>(mine, "cub::WarpReduce");
    return mine.value;
  }
};

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::WarpScan: running totals over the lanes of a warp or of a part of it.
//
// CUB documentation, 'WarpScan'.
#ifndef CU2CPP_CUB_WARP_SCAN_CUH
#define CU2CPP_CUB_WARP_SCAN_CUH

#include <cub/detail/scan_operand.cuh>

namespace cub {
namespace detail {

template <class Type> struct BroadcastOperand {
  Type value;
  Type result;
  unsigned source;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    using Self = BroadcastOperand;
    ::cu2cpp::detail::eachOperand<Self>(group, [&](unsigned, Self& mine) {
      if (mine.source < group.count && group.operand[mine.source])
        mine.result = static_cast<Self*>(group.operand[mine.source])->value;
    });
  }
};

} // namespace detail

template <class Type, int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpScan : public detail::Collective {
public:
  using detail::Collective::Collective;

  CU2CPP_SYNC(warp) CU2CPP_TOGETHER void InclusiveSum(Type input, Type& inclusive_output) {
    scan<true>(input, inclusive_output, cub::Sum(), nullptr);
  }
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void InclusiveSum(Type input, Type& inclusive_output, Type& warp_aggregate) {
    scan<true>(input, inclusive_output, cub::Sum(), nullptr, &warp_aggregate);
  }
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER void ExclusiveSum(Type input, Type& exclusive_output) {
    Type initial{};
    scan<false>(input, exclusive_output, cub::Sum(), &initial);
  }
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void ExclusiveSum(Type input, Type& exclusive_output, Type& warp_aggregate) {
    Type initial{};
    scan<false>(input, exclusive_output, cub::Sum(), &initial, &warp_aggregate);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void InclusiveScan(Type input, Type& inclusive_output, ScanOp op) {
    scan<true>(input, inclusive_output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER
      void InclusiveScan(Type input, Type& inclusive_output, ScanOp op, Type& warp_aggregate) {
    scan<true>(input, inclusive_output, op, nullptr, &warp_aggregate);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& exclusive_output, ScanOp op) {
    scan<false>(input, exclusive_output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER
      void ExclusiveScan(Type input, Type& exclusive_output, Type initial_value, ScanOp op) {
    scan<false>(input, exclusive_output, op, &initial_value);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER
      void ExclusiveScan(Type input, Type& exclusive_output, ScanOp op, Type& warp_aggregate) {
    scan<false>(input, exclusive_output, op, nullptr, &warp_aggregate);
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& exclusive_output, Type initial_value,
                                     ScanOp op, Type& warp_aggregate) {
    scan<false>(input, exclusive_output, op, &initial_value, &warp_aggregate);
  }
  /// Both results at once.
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void Scan(Type input, Type& inclusive_output, Type& exclusive_output, ScanOp op) {
    Type exclusive = input;
    both(input, inclusive_output, exclusive, op, nullptr);
    exclusive_output = exclusive;
  }
  template <class ScanOp>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void Scan(Type input, Type& inclusive_output, Type& exclusive_output,
                            Type initial_value, ScanOp op) {
    Type exclusive = input;
    both(input, inclusive_output, exclusive, op, &initial_value);
    exclusive_output = exclusive;
  }
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER Type Broadcast(Type input, unsigned int src_lane) {
    detail::BroadcastOperand<Type> mine{input, input, src_lane};
    ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpScan::Broadcast()");
    return mine.result;
  }

private:
  template <bool inclusive, class Op>
  static void scan(const Type& input, Type& output, Op op, const Type* initial,
                   Type* aggregate = nullptr) {
    detail::ScanOperand<Type, 1, inclusive, Op, detail::NoPrefix> mine(&input, op, initial,
                                                                       nullptr);
    ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpScan");
    mine.store(&output, aggregate);
  }
  template <class Op> struct BothOperand {
    Type value, exclusive, initial;
    bool hasInitial;
    Op op;
    static void resolve(const ::cu2cpp::detail::TileGroup& group) {
      BothOperand* before = nullptr;
      ::cu2cpp::detail::eachOperand<BothOperand>(group, [&](unsigned, BothOperand& mine) {
        if (before)
          mine.exclusive = before->value;
        else if (mine.hasInitial)
          mine.exclusive = mine.initial;
        if (before || mine.hasInitial)
          mine.value = mine.op(mine.exclusive, mine.value);
        before = &mine;
      });
    }
  };
  template <class Op>
  static void both(const Type& input, Type& inclusive, Type& exclusive, Op op,
                   const Type* initial) {
    BothOperand<Op> mine{input, input, initial ? *initial : input, initial != nullptr, op};
    ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpScan");
    inclusive = mine.value;
    exclusive = mine.exclusive;
  }
};

} // namespace cub

#endif

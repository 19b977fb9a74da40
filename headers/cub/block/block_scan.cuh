// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockScan: running totals over the items of a block's threads, in the order of the threads.
//
// CUB documentation, 'BlockScan'.
#ifndef CU2CPP_CUB_BLOCK_SCAN_CUH
#define CU2CPP_CUB_BLOCK_SCAN_CUH

#include <cub/detail/scan_operand.cuh>

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class Type, int BlockDimX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockScan : public detail::Collective {
public:
  using detail::Collective::Collective;

  // One item each.
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void ExclusiveSum(Type input, Type& output) {
    Type initial{};
    scan<false>(&input, &output, cub::Sum(), &initial);
  }
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(Type input, Type& output, Type& block_aggregate) {
    Type initial{};
    scan<false>(&input, &output, cub::Sum(), &initial, &block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(Type input, Type& output, BlockPrefixCallbackOp& prefix) {
    scan<false>(&input, &output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& output, Type initial_value, ScanOp op) {
    scan<false>(&input, &output, op, &initial_value);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& output, Type initial_value, ScanOp op,
                                     Type& block_aggregate) {
    scan<false>(&input, &output, op, &initial_value, &block_aggregate);
  }
  template <class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveScan(Type input, Type& output, ScanOp op, BlockPrefixCallbackOp& prefix) {
    scan<false>(&input, &output, op, nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& output, ScanOp op) {
    scan<false>(&input, &output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type input, Type& output, ScanOp op, Type& block_aggregate) {
    scan<false>(&input, &output, op, nullptr, &block_aggregate);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void InclusiveSum(Type input, Type& output) {
    scan<true>(&input, &output, cub::Sum(), nullptr);
  }
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(Type input, Type& output, Type& block_aggregate) {
    scan<true>(&input, &output, cub::Sum(), nullptr, &block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(Type input, Type& output, BlockPrefixCallbackOp& prefix) {
    scan<true>(&input, &output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(Type input, Type& output, ScanOp op) {
    scan<true>(&input, &output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(Type input, Type& output, ScanOp op, Type& block_aggregate) {
    scan<true>(&input, &output, op, nullptr, &block_aggregate);
  }
  template <class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void InclusiveScan(Type input, Type& output, ScanOp op, BlockPrefixCallbackOp& prefix) {
    scan<true>(&input, &output, op, nullptr, nullptr, &prefix);
  }

  // Several neighbouring items each.
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(Type (&input)[Items], Type (&output)[Items]) {
    Type initial{};
    scanArray<false, Items>(input, output, cub::Sum(), &initial);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveSum(Type (&input)[Items], Type (&output)[Items], Type& block_aggregate) {
    Type initial{};
    scanArray<false, Items>(input, output, cub::Sum(), &initial, &block_aggregate);
  }
  template <int Items, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(Type (&input)[Items], Type (&output)[Items],
                                    BlockPrefixCallbackOp& prefix) {
    scanArray<false, Items>(input, output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type (&input)[Items], Type (&output)[Items],
                                     Type initial_value, ScanOp op) {
    scanArray<false, Items>(input, output, op, &initial_value);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type (&input)[Items], Type (&output)[Items],
                                     Type initial_value, ScanOp op, Type& block_aggregate) {
    scanArray<false, Items>(input, output, op, &initial_value, &block_aggregate);
  }
  template <int Items, class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op,
                                     BlockPrefixCallbackOp& prefix) {
    scanArray<false, Items>(input, output, op, nullptr, nullptr, &prefix);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op) {
    scanArray<false, Items>(input, output, op, nullptr);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op,
                                     Type& block_aggregate) {
    scanArray<false, Items>(input, output, op, nullptr, &block_aggregate);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(Type (&input)[Items], Type (&output)[Items]) {
    scanArray<true, Items>(input, output, cub::Sum(), nullptr);
  }
  template <int Items>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void InclusiveSum(Type (&input)[Items], Type (&output)[Items], Type& block_aggregate) {
    scanArray<true, Items>(input, output, cub::Sum(), nullptr, &block_aggregate);
  }
  template <int Items, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(Type (&input)[Items], Type (&output)[Items],
                                    BlockPrefixCallbackOp& prefix) {
    scanArray<true, Items>(input, output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op) {
    scanArray<true, Items>(input, output, op, nullptr);
  }
  template <int Items, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op,
                                     Type& block_aggregate) {
    scanArray<true, Items>(input, output, op, nullptr, &block_aggregate);
  }
  template <int Items, class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(Type (&input)[Items], Type (&output)[Items], ScanOp op,
                                     BlockPrefixCallbackOp& prefix) {
    scanArray<true, Items>(input, output, op, nullptr, nullptr, &prefix);
  }

private:
  template <bool inclusive, int Items, class Op, class Prefix = detail::NoPrefix>
  static void scanArray(const Type* input, Type* output, Op op, const Type* initial,
                        Type* aggregate = nullptr, Prefix* prefix = nullptr) {
    detail::ScanOperand<Type, Items, inclusive, Op, Prefix> mine(input, op, initial, prefix);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockScan");
    mine.store(output, aggregate);
  }
  template <bool inclusive, class Op, class Prefix = detail::NoPrefix>
  static void scan(const Type* input, Type* output, Op op, const Type* initial,
                   Type* aggregate = nullptr, Prefix* prefix = nullptr) {
    scanArray<inclusive, 1>(input, output, op, initial, aggregate, prefix);
  }
};

} // namespace cub

#endif

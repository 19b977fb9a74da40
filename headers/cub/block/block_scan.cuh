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

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan : public detail::Collective {
public:
  using detail::Collective::Collective;

  // One item each.
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void ExclusiveSum(T input, T& output) {
    T initial{};
    scan<false>(&input, &output, cub::Sum(), &initial);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void ExclusiveSum(T input, T& output, T& block_aggregate) {
    T initial{};
    scan<false>(&input, &output, cub::Sum(), &initial, &block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(T input, T& output, BlockPrefixCallbackOp& prefix) {
    scan<false>(&input, &output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T input, T& output, T initial_value, ScanOp op) {
    scan<false>(&input, &output, op, &initial_value);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveScan(T input, T& output, T initial_value, ScanOp op, T& block_aggregate) {
    scan<false>(&input, &output, op, &initial_value, &block_aggregate);
  }
  template <class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T input, T& output, ScanOp op, BlockPrefixCallbackOp& prefix) {
    scan<false>(&input, &output, op, nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T input, T& output, ScanOp op) {
    scan<false>(&input, &output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T input, T& output, ScanOp op, T& block_aggregate) {
    scan<false>(&input, &output, op, nullptr, &block_aggregate);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void InclusiveSum(T input, T& output) {
    scan<true>(&input, &output, cub::Sum(), nullptr);
  }
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void InclusiveSum(T input, T& output, T& block_aggregate) {
    scan<true>(&input, &output, cub::Sum(), nullptr, &block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(T input, T& output, BlockPrefixCallbackOp& prefix) {
    scan<true>(&input, &output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(T input, T& output, ScanOp op) {
    scan<true>(&input, &output, op, nullptr);
  }
  template <class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(T input, T& output, ScanOp op, T& block_aggregate) {
    scan<true>(&input, &output, op, nullptr, &block_aggregate);
  }
  template <class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(T input, T& output, ScanOp op, BlockPrefixCallbackOp& prefix) {
    scan<true>(&input, &output, op, nullptr, nullptr, &prefix);
  }

  // Several neighbouring items each.
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    T initial{};
    scanArray<false, ITEMS>(input, output, cub::Sum(), &initial);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {
    T initial{};
    scanArray<false, ITEMS>(input, output, cub::Sum(), &initial, &block_aggregate);
  }
  template <int ITEMS, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], BlockPrefixCallbackOp& prefix) {
    scanArray<false, ITEMS>(input, output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value, ScanOp op) {
    scanArray<false, ITEMS>(input, output, op, &initial_value);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value,
                                     ScanOp op, T& block_aggregate) {
    scanArray<false, ITEMS>(input, output, op, &initial_value, &block_aggregate);
  }
  template <int ITEMS, class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op,
                                     BlockPrefixCallbackOp& prefix) {
    scanArray<false, ITEMS>(input, output, op, nullptr, nullptr, &prefix);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op) {
    scanArray<false, ITEMS>(input, output, op, nullptr);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op, T& block_aggregate) {
    scanArray<false, ITEMS>(input, output, op, nullptr, &block_aggregate);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    scanArray<true, ITEMS>(input, output, cub::Sum(), nullptr);
  }
  template <int ITEMS>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {
    scanArray<true, ITEMS>(input, output, cub::Sum(), nullptr, &block_aggregate);
  }
  template <int ITEMS, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], BlockPrefixCallbackOp& prefix) {
    scanArray<true, ITEMS>(input, output, cub::Sum(), nullptr, nullptr, &prefix);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op) {
    scanArray<true, ITEMS>(input, output, op, nullptr);
  }
  template <int ITEMS, class ScanOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER
      void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op, T& block_aggregate) {
    scanArray<true, ITEMS>(input, output, op, nullptr, &block_aggregate);
  }
  template <int ITEMS, class ScanOp, class BlockPrefixCallbackOp>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp op,
                                     BlockPrefixCallbackOp& prefix) {
    scanArray<true, ITEMS>(input, output, op, nullptr, nullptr, &prefix);
  }

private:
  template <bool inclusive, int ITEMS, class Op, class Prefix = detail::NoPrefix>
  static void scanArray(const T* input, T* output, Op op, const T* initial, T* aggregate = nullptr,
                        Prefix* prefix = nullptr) {
    detail::ScanOperand<T, ITEMS, inclusive, Op, Prefix> mine(input, op, initial, prefix);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockScan");
    mine.store(output, aggregate);
  }
  template <bool inclusive, class Op, class Prefix = detail::NoPrefix>
  static void scan(const T* input, T* output, Op op, const T* initial, T* aggregate = nullptr,
                   Prefix* prefix = nullptr) {
    scanArray<inclusive, 1>(input, output, op, initial, aggregate, prefix);
  }
};

} // namespace cub

#endif

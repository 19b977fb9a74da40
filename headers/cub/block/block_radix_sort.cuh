// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockRadixSort: the keys of a block's threads sorted, with values that go with them, by some
// of the keys' bits. Equal keys keep their order.
//
// CUB documentation, 'BlockRadixSort'.
#ifndef CU2CPP_CUB_BLOCK_RADIX_SORT_CUH
#define CU2CPP_CUB_BLOCK_RADIX_SORT_CUH

#include <driver_types.h>

#include <cub/block/block_scan.cuh>
#include <cub/detail/sort_operand.cuh>

namespace cub {
namespace detail {

template <class KeyT, bool descending> struct BitsLess {
  int begin, end;
  bool operator()(const KeyT& a, const KeyT& b) const {
    return descending ? digitsOf(b, begin, end) < digitsOf(a, begin, end)
                      : digitsOf(a, begin, end) < digitsOf(b, begin, end);
  }
};

} // namespace detail

template <class KeyT, int BlockDimX, int ItemsPerThread, class ValueT = NullType, int RadixBits = 4,
          bool MemoizeOuterScan = true,
          BlockScanAlgorithm InnerScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SmemConfig = cudaSharedMemBankSizeFourByte, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockRadixSort : public detail::Collective {
  using Way = detail::Arrangement;
  static constexpr int allBits = int(sizeof(KeyT)) * 8;

public:
  using detail::Collective::Collective;

#define CU2CPP_CUB_SORT(name, descending, to)                                                      \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], int begin_bit = 0,                        \
                            int end_bit = allBits) {                                               \
    sort<descending, Way::to>(keys, begin_bit, end_bit);                                           \
  }                                                                                                \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], ValueT(&values)[ItemsPerThread],          \
                            int begin_bit = 0, int end_bit = allBits) {                            \
    sort<descending, Way::to>(keys, values, begin_bit, end_bit);                                   \
  }
  CU2CPP_CUB_SORT(Sort, false, blocked)
  CU2CPP_CUB_SORT(SortDescending, true, blocked)
  CU2CPP_CUB_SORT(SortBlockedToStriped, false, striped)
  CU2CPP_CUB_SORT(SortDescendingBlockedToStriped, true, striped)
#undef CU2CPP_CUB_SORT

private:
  template <bool descending, detail::Arrangement to>
  static void sort(KeyT (&keys)[ItemsPerThread], int begin, int end) {
    detail::SortOperand<KeyT, NullType, ItemsPerThread, to, detail::BitsLess<KeyT, descending>>
        mine({begin, end});
    mine.keys.load(keys);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockRadixSort");
    mine.keys.store(keys);
  }
  template <bool descending, detail::Arrangement to>
  static void sort(KeyT (&keys)[ItemsPerThread], ValueT (&values)[ItemsPerThread], int begin,
                   int end) {
    detail::SortOperand<KeyT, ValueT, ItemsPerThread, to, detail::BitsLess<KeyT, descending>> mine(
        {begin, end});
    mine.keys.load(keys);
    mine.values.load(values);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockRadixSort");
    mine.keys.store(keys);
    mine.values.store(values);
  }
};

} // namespace cub

#endif

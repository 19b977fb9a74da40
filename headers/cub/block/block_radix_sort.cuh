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

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort : public detail::Collective {
  using Way = detail::Arrangement;
  static constexpr int allBits = int(sizeof(KeyT)) * 8;

public:
  using detail::Collective::Collective;

#define CU2CPP_CUB_SORT(name, descending, to)                                                      \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ITEMS_PER_THREAD], int begin_bit = 0,                      \
                            int end_bit = allBits) {                                               \
    sort<descending, Way::to>(keys, begin_bit, end_bit);                                           \
  }                                                                                                \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ITEMS_PER_THREAD], ValueT(&values)[ITEMS_PER_THREAD],      \
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
  static void sort(KeyT (&keys)[ITEMS_PER_THREAD], int begin, int end) {
    detail::SortOperand<KeyT, NullType, ITEMS_PER_THREAD, to, detail::BitsLess<KeyT, descending>>
        mine({begin, end});
    mine.keys.load(keys);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockRadixSort");
    mine.keys.store(keys);
  }
  template <bool descending, detail::Arrangement to>
  static void sort(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD], int begin,
                   int end) {
    detail::SortOperand<KeyT, ValueT, ITEMS_PER_THREAD, to, detail::BitsLess<KeyT, descending>>
        mine({begin, end});
    mine.keys.load(keys);
    mine.values.load(values);
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockRadixSort");
    mine.keys.store(keys);
    mine.values.store(values);
  }
};

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockMergeSort and cub::WarpMergeSort: items of threads sorted by any comparison. Equal keys
// keep their order.
//
// CUB documentation, 'BlockMergeSort', 'WarpMergeSort'.
#ifndef CU2CPP_CUB_BLOCK_MERGE_SORT_CUH
#define CU2CPP_CUB_BLOCK_MERGE_SORT_CUH

#include <cub/detail/sort_operand.cuh>

namespace cub {

// Sort() and StableSort() of keys, of pairs, and of the first valid_items of them.
#define CU2CPP_CUB_MERGE_SORT(name, scope)                                                         \
  template <class CompareOp>                                                                       \
  CU2CPP_SYNC(scope)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], CompareOp less) {                         \
    sort(keys, less, -1, keys[0]);                                                                 \
  }                                                                                                \
  template <class CompareOp>                                                                       \
  CU2CPP_SYNC(scope)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], CompareOp less, int valid_items,          \
                            KeyT oob_default) {                                                    \
    sort(keys, less, valid_items, oob_default);                                                    \
  }                                                                                                \
  template <class CompareOp>                                                                       \
  CU2CPP_SYNC(scope)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], ValueT(&items)[ItemsPerThread],           \
                            CompareOp less) {                                                      \
    sort(keys, items, less, -1, keys[0]);                                                          \
  }                                                                                                \
  template <class CompareOp>                                                                       \
  CU2CPP_SYNC(scope)                                                                               \
  CU2CPP_TOGETHER void name(KeyT(&keys)[ItemsPerThread], ValueT(&items)[ItemsPerThread],           \
                            CompareOp less, int valid_items, KeyT oob_default) {                   \
    sort(keys, items, less, valid_items, oob_default);                                             \
  }

namespace detail {

template <class KeyT, class ValueT, int Count, class Less, class Meet>
inline void mergeSort(KeyT (&keys)[Count], ValueT* values, Less less, int valid,
                      const KeyT& outside, Meet meet) {
  SortOperand<KeyT, ValueT, Count, Arrangement::blocked, Less> mine(less);
  mine.validItems = valid;
  mine.outside = outside;
  mine.keys.load(keys);
  if (values)
    mine.values.load(values);
  meet(mine);
  mine.keys.store(keys);
  if (values)
    mine.values.store(values);
}

} // namespace detail

template <class KeyT, int BlockDimX, int ItemsPerThread, class ValueT = NullType, int BlockDimY = 1,
          int BlockDimZ = 1>
class BlockMergeSort : public detail::Collective {
public:
  using detail::Collective::Collective;
  CU2CPP_CUB_MERGE_SORT(Sort, block)
  CU2CPP_CUB_MERGE_SORT(StableSort, block)

private:
  static auto meet() {
    return [](auto& mine) { ::cu2cpp::detail::meetBlock(mine, "cub::BlockMergeSort"); };
  }
  template <class Less>
  static void sort(KeyT (&keys)[ItemsPerThread], Less less, int valid, const KeyT& outside) {
    detail::mergeSort(keys, static_cast<NullType*>(nullptr), less, valid, outside, meet());
  }
  template <class Less>
  static void sort(KeyT (&keys)[ItemsPerThread], ValueT (&values)[ItemsPerThread], Less less,
                   int valid, const KeyT& outside) {
    detail::mergeSort(keys, values, less, valid, outside, meet());
  }
};

template <class KeyT, int ItemsPerThread, int LogicalWarpThreads = 32, class ValueT = NullType,
          int LegacyPtxArch = 1>
class WarpMergeSort : public detail::Collective {
public:
  using detail::Collective::Collective;
  CU2CPP_CUB_MERGE_SORT(Sort, warp)
  CU2CPP_CUB_MERGE_SORT(StableSort, warp)

private:
  static auto meet() {
    return [](auto& mine) {
      ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpMergeSort");
    };
  }
  template <class Less>
  static void sort(KeyT (&keys)[ItemsPerThread], Less less, int valid, const KeyT& outside) {
    detail::mergeSort(keys, static_cast<NullType*>(nullptr), less, valid, outside, meet());
  }
  template <class Less>
  static void sort(KeyT (&keys)[ItemsPerThread], ValueT (&values)[ItemsPerThread], Less less,
                   int valid, const KeyT& outside) {
    detail::mergeSort(keys, values, less, valid, outside, meet());
  }
};

#undef CU2CPP_CUB_MERGE_SORT

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockStore and the functions StoreDirect...: each thread writes its items (see
// block_load.cuh).
//
// CUB documentation, 'BlockStore'.
#ifndef CU2CPP_CUB_BLOCK_STORE_CUH
#define CU2CPP_CUB_BLOCK_STORE_CUH

#include <cub/detail/collective.cuh>

namespace cub {

template <class Type, int Items, class It>
inline void StoreDirectBlocked(int linear_tid, It out, Type (&items)[Items]) {
  for (int i = 0; i < Items; ++i)
    out[linear_tid * Items + i] = items[i];
}
template <class Type, int Items, class It>
inline void StoreDirectBlocked(int linear_tid, It out, Type (&items)[Items], int valid_items) {
  for (int i = 0; i < Items; ++i)
    if (linear_tid * Items + i < valid_items)
      out[linear_tid * Items + i] = items[i];
}
template <class Type, int Items>
inline void StoreDirectBlockedVectorized(int linear_tid, Type* out, Type (&items)[Items]) {
  StoreDirectBlocked(linear_tid, out, items);
}
template <int BlockThreads, class Type, int Items, class It>
inline void StoreDirectStriped(int linear_tid, It out, Type (&items)[Items]) {
  for (int i = 0; i < Items; ++i)
    out[linear_tid + i * BlockThreads] = items[i];
}
template <int BlockThreads, class Type, int Items, class It>
inline void StoreDirectStriped(int linear_tid, It out, Type (&items)[Items], int valid_items) {
  for (int i = 0; i < Items; ++i)
    if (linear_tid + i * BlockThreads < valid_items)
      out[linear_tid + i * BlockThreads] = items[i];
}
template <class Type, int Items, class It>
inline void StoreDirectWarpStriped(int linear_tid, It out, Type (&items)[Items]) {
  StoreDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * Items, out, items);
}
template <class Type, int Items, class It>
inline void StoreDirectWarpStriped(int linear_tid, It out, Type (&items)[Items], int valid_items) {
  StoreDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * Items, out, items, valid_items);
}

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class Type, int BlockDimX, int ItemsPerThread,
          BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int BlockDimY = 1, int BlockDimZ = 1,
          int LegacyPtxArch = 0>
class BlockStore : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Store(It out, Type (&items)[ItemsPerThread]) {
    if constexpr (Algorithm == BLOCK_STORE_STRIPED)
      StoreDirectStriped<threads>(rank(), out, items);
    else
      StoreDirectBlocked(rank(), out, items);
  }
  template <class It>
  CU2CPP_THREAD void Store(It out, Type (&items)[ItemsPerThread], int valid_items) {
    if constexpr (Algorithm == BLOCK_STORE_STRIPED)
      StoreDirectStriped<threads>(rank(), out, items, valid_items);
    else
      StoreDirectBlocked(rank(), out, items, valid_items);
  }

private:
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;
  static int rank() { return int(::cu2cpp::thisThread().rank()); }
};

} // namespace cub

#endif

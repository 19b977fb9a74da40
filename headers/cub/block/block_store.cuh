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

template <class T, int ITEMS, class It>
inline void StoreDirectBlocked(int linear_tid, It out, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i)
    out[linear_tid * ITEMS + i] = items[i];
}
template <class T, int ITEMS, class It>
inline void StoreDirectBlocked(int linear_tid, It out, T (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i)
    if (linear_tid * ITEMS + i < valid_items)
      out[linear_tid * ITEMS + i] = items[i];
}
template <class T, int ITEMS>
inline void StoreDirectBlockedVectorized(int linear_tid, T* out, T (&items)[ITEMS]) {
  StoreDirectBlocked(linear_tid, out, items);
}
template <int BLOCK_THREADS, class T, int ITEMS, class It>
inline void StoreDirectStriped(int linear_tid, It out, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i)
    out[linear_tid + i * BLOCK_THREADS] = items[i];
}
template <int BLOCK_THREADS, class T, int ITEMS, class It>
inline void StoreDirectStriped(int linear_tid, It out, T (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i)
    if (linear_tid + i * BLOCK_THREADS < valid_items)
      out[linear_tid + i * BLOCK_THREADS] = items[i];
}
template <class T, int ITEMS, class It>
inline void StoreDirectWarpStriped(int linear_tid, It out, T (&items)[ITEMS]) {
  StoreDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * ITEMS, out, items);
}
template <class T, int ITEMS, class It>
inline void StoreDirectWarpStriped(int linear_tid, It out, T (&items)[ITEMS], int valid_items) {
  StoreDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * ITEMS, out, items, valid_items);
}

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Store(It out, T (&items)[ITEMS_PER_THREAD]) {
    if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
      StoreDirectStriped<threads>(rank(), out, items);
    else
      StoreDirectBlocked(rank(), out, items);
  }
  template <class It>
  CU2CPP_THREAD void Store(It out, T (&items)[ITEMS_PER_THREAD], int valid_items) {
    if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
      StoreDirectStriped<threads>(rank(), out, items, valid_items);
    else
      StoreDirectBlocked(rank(), out, items, valid_items);
  }

private:
  static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static int rank() { return int(::cu2cpp::thisThread().rank()); }
};

} // namespace cub

#endif

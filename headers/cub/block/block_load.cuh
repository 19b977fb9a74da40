// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockLoad and the functions LoadDirect...: each thread reads its items. All algorithms give
// each thread the same items (a blocked arrangement; BLOCK_LOAD_STRIPED a striped one) and differ
// in how a GPU's memory is read only, so that nobody waits for anybody here.
//
// CUB documentation, 'BlockLoad'.
#ifndef CU2CPP_CUB_BLOCK_LOAD_CUH
#define CU2CPP_CUB_BLOCK_LOAD_CUH

#include <cub/detail/collective.cuh>

namespace cub {

/// Items i * N, i * N + 1 ... for thread i.
template <class InputT, int ITEMS, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i)
    items[i] = in[linear_tid * ITEMS + i];
}
template <class InputT, int ITEMS, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i)
    if (linear_tid * ITEMS + i < valid_items)
      items[i] = in[linear_tid * ITEMS + i];
}
template <class InputT, class DefaultT, int ITEMS, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[ITEMS], int valid_items,
                              DefaultT oob_default) {
  for (int i = 0; i < ITEMS; ++i)
    items[i] = oob_default;
  LoadDirectBlocked(linear_tid, in, items, valid_items);
}
template <class T, int ITEMS>
inline void LoadDirectBlockedVectorized(int linear_tid, T* in, T (&items)[ITEMS]) {
  LoadDirectBlocked(linear_tid, in, items);
}
/// Items i, i + BLOCK_THREADS, i + 2 * BLOCK_THREADS ... for thread i.
template <int BLOCK_THREADS, class InputT, int ITEMS, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i)
    items[i] = in[linear_tid + i * BLOCK_THREADS];
}
template <int BLOCK_THREADS, class InputT, int ITEMS, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i)
    if (linear_tid + i * BLOCK_THREADS < valid_items)
      items[i] = in[linear_tid + i * BLOCK_THREADS];
}
template <int BLOCK_THREADS, class InputT, class DefaultT, int ITEMS, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[ITEMS], int valid_items,
                              DefaultT oob_default) {
  for (int i = 0; i < ITEMS; ++i)
    items[i] = oob_default;
  LoadDirectStriped<BLOCK_THREADS>(linear_tid, in, items, valid_items);
}
/// Striped over each warp's part.
template <class InputT, int ITEMS, class It>
inline void LoadDirectWarpStriped(int linear_tid, It in, InputT (&items)[ITEMS]) {
  LoadDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * ITEMS, in, items);
}
template <class InputT, int ITEMS, class It>
inline void LoadDirectWarpStriped(int linear_tid, It in, InputT (&items)[ITEMS], int valid_items) {
  LoadDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * ITEMS, in, items, valid_items);
}

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class InputT, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD]) {
    if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items);
    else
      LoadDirectBlocked(rank(), in, items);
  }
  template <class It>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD], int valid_items) {
    if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items, valid_items);
    else
      LoadDirectBlocked(rank(), in, items, valid_items);
  }
  template <class It, class DefaultT>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD], int valid_items,
                          DefaultT oob_default) {
    if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items, valid_items, oob_default);
    else
      LoadDirectBlocked(rank(), in, items, valid_items, oob_default);
  }

private:
  static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static int rank() { return int(::cu2cpp::thisThread().rank()); }
};

} // namespace cub

#endif

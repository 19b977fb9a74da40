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
template <class InputT, int Items, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[Items]) {
  for (int i = 0; i < Items; ++i)
    items[i] = in[linear_tid * Items + i];
}
template <class InputT, int Items, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[Items], int valid_items) {
  for (int i = 0; i < Items; ++i)
    if (linear_tid * Items + i < valid_items)
      items[i] = in[linear_tid * Items + i];
}
template <class InputT, class DefaultT, int Items, class It>
inline void LoadDirectBlocked(int linear_tid, It in, InputT (&items)[Items], int valid_items,
                              DefaultT oob_default) {
  for (int i = 0; i < Items; ++i)
    items[i] = oob_default;
  LoadDirectBlocked(linear_tid, in, items, valid_items);
}
template <class Type, int Items>
inline void LoadDirectBlockedVectorized(int linear_tid, Type* in, Type (&items)[Items]) {
  LoadDirectBlocked(linear_tid, in, items);
}
/// Items i, i + BlockThreads, i + 2 * BlockThreads ... for thread i.
template <int BlockThreads, class InputT, int Items, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[Items]) {
  for (int i = 0; i < Items; ++i)
    items[i] = in[linear_tid + i * BlockThreads];
}
template <int BlockThreads, class InputT, int Items, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[Items], int valid_items) {
  for (int i = 0; i < Items; ++i)
    if (linear_tid + i * BlockThreads < valid_items)
      items[i] = in[linear_tid + i * BlockThreads];
}
template <int BlockThreads, class InputT, class DefaultT, int Items, class It>
inline void LoadDirectStriped(int linear_tid, It in, InputT (&items)[Items], int valid_items,
                              DefaultT oob_default) {
  for (int i = 0; i < Items; ++i)
    items[i] = oob_default;
  LoadDirectStriped<BlockThreads>(linear_tid, in, items, valid_items);
}
/// Striped over each warp's part.
template <class InputT, int Items, class It>
inline void LoadDirectWarpStriped(int linear_tid, It in, InputT (&items)[Items]) {
  LoadDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * Items, in, items);
}
template <class InputT, int Items, class It>
inline void LoadDirectWarpStriped(int linear_tid, It in, InputT (&items)[Items], int valid_items) {
  LoadDirectStriped<32>(linear_tid % 32 + linear_tid / 32 * 32 * Items, in, items, valid_items);
}

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class InputT, int BlockDimX, int ItemsPerThread,
          BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int BlockDimY = 1, int BlockDimZ = 1,
          int LegacyPtxArch = 0>
class BlockLoad : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread]) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items);
    else
      LoadDirectBlocked(rank(), in, items);
  }
  template <class It>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread], int valid_items) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items, valid_items);
    else
      LoadDirectBlocked(rank(), in, items, valid_items);
  }
  template <class It, class DefaultT>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread], int valid_items,
                          DefaultT oob_default) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(rank(), in, items, valid_items, oob_default);
    else
      LoadDirectBlocked(rank(), in, items, valid_items, oob_default);
  }

private:
  static constexpr int threads = BlockDimX * BlockDimY * BlockDimZ;
  static int rank() { return int(::cu2cpp::thisThread().rank()); }
};

} // namespace cub

#endif

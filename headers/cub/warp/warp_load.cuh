// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::WarpLoad and cub::WarpStore: each lane reads or writes its items. The pointer is the one of
// the lane's (logical) warp.
//
// CUB documentation, 'WarpLoad', 'WarpStore'.
#ifndef CU2CPP_CUB_WARP_LOAD_CUH
#define CU2CPP_CUB_WARP_LOAD_CUH

#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

namespace cub {

enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

template <class InputT, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT,
          int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpLoad : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD]) {
    if constexpr (ALGORITHM == WARP_LOAD_STRIPED)
      LoadDirectStriped<LOGICAL_WARP_THREADS>(lane(), in, items);
    else
      LoadDirectBlocked(lane(), in, items);
  }
  template <class It>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD], int valid_items) {
    if constexpr (ALGORITHM == WARP_LOAD_STRIPED)
      LoadDirectStriped<LOGICAL_WARP_THREADS>(lane(), in, items, valid_items);
    else
      LoadDirectBlocked(lane(), in, items, valid_items);
  }
  template <class It, class DefaultT>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ITEMS_PER_THREAD], int valid_items,
                          DefaultT oob_default) {
    if constexpr (ALGORITHM == WARP_LOAD_STRIPED)
      LoadDirectStriped<LOGICAL_WARP_THREADS>(lane(), in, items, valid_items, oob_default);
    else
      LoadDirectBlocked(lane(), in, items, valid_items, oob_default);
  }

private:
  static int lane() { return int(::cu2cpp::detail::laneId()) % LOGICAL_WARP_THREADS; }
};

template <class T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT,
          int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpStore : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Store(It out, T (&items)[ITEMS_PER_THREAD]) {
    if constexpr (ALGORITHM == WARP_STORE_STRIPED)
      StoreDirectStriped<LOGICAL_WARP_THREADS>(lane(), out, items);
    else
      StoreDirectBlocked(lane(), out, items);
  }
  template <class It>
  CU2CPP_THREAD void Store(It out, T (&items)[ITEMS_PER_THREAD], int valid_items) {
    if constexpr (ALGORITHM == WARP_STORE_STRIPED)
      StoreDirectStriped<LOGICAL_WARP_THREADS>(lane(), out, items, valid_items);
    else
      StoreDirectBlocked(lane(), out, items, valid_items);
  }

private:
  static int lane() { return int(::cu2cpp::detail::laneId()) % LOGICAL_WARP_THREADS; }
};

} // namespace cub

#endif

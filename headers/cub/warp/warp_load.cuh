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

template <class InputT, int ItemsPerThread, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT,
          int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpLoad : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread]) {
    if constexpr (Algorithm == WARP_LOAD_STRIPED)
      LoadDirectStriped<LogicalWarpThreads>(lane(), in, items);
    else
      LoadDirectBlocked(lane(), in, items);
  }
  template <class It>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread], int valid_items) {
    if constexpr (Algorithm == WARP_LOAD_STRIPED)
      LoadDirectStriped<LogicalWarpThreads>(lane(), in, items, valid_items);
    else
      LoadDirectBlocked(lane(), in, items, valid_items);
  }
  template <class It, class DefaultT>
  CU2CPP_THREAD void Load(It in, InputT (&items)[ItemsPerThread], int valid_items,
                          DefaultT oob_default) {
    if constexpr (Algorithm == WARP_LOAD_STRIPED)
      LoadDirectStriped<LogicalWarpThreads>(lane(), in, items, valid_items, oob_default);
    else
      LoadDirectBlocked(lane(), in, items, valid_items, oob_default);
  }

private:
  static int lane() { return int(::cu2cpp::detail::laneId()) % LogicalWarpThreads; }
};

template <class Type, int ItemsPerThread, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT,
          int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpStore : public detail::Collective {
public:
  using detail::Collective::Collective;

  template <class It> CU2CPP_THREAD void Store(It out, Type (&items)[ItemsPerThread]) {
    if constexpr (Algorithm == WARP_STORE_STRIPED)
      StoreDirectStriped<LogicalWarpThreads>(lane(), out, items);
    else
      StoreDirectBlocked(lane(), out, items);
  }
  template <class It>
  CU2CPP_THREAD void Store(It out, Type (&items)[ItemsPerThread], int valid_items) {
    if constexpr (Algorithm == WARP_STORE_STRIPED)
      StoreDirectStriped<LogicalWarpThreads>(lane(), out, items, valid_items);
    else
      StoreDirectBlocked(lane(), out, items, valid_items);
  }

private:
  static int lane() { return int(::cu2cpp::detail::laneId()) % LogicalWarpThreads; }
};

} // namespace cub

#endif

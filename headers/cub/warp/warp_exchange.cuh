// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::WarpExchange: BlockExchange for the lanes of a warp.
//
// CUB documentation, 'WarpExchange'.
#ifndef CU2CPP_CUB_WARP_EXCHANGE_CUH
#define CU2CPP_CUB_WARP_EXCHANGE_CUH

#include <cub/block/block_exchange.cuh>

namespace cub {

template <class InputT, int ItemsPerThread, int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpExchange : public detail::Collective {
  using Way = detail::Arrangement;

public:
  using detail::Collective::Collective;

  template <class OutputT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void BlockedToStriped(const InputT (&input)[ItemsPerThread],
                                        OutputT (&output)[ItemsPerThread]) {
    detail::rearrange<Way::blocked, Way::striped>(input, output, meet());
  }
  template <class OutputT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER void StripedToBlocked(const InputT (&input)[ItemsPerThread],
                                        OutputT (&output)[ItemsPerThread]) {
    detail::rearrange<Way::striped, Way::blocked>(input, output, meet());
  }
  template <class OffsetT>
  CU2CPP_SYNC(warp)
  CU2CPP_TOGETHER
      void ScatterToStriped(InputT (&items)[ItemsPerThread], OffsetT (&ranks)[ItemsPerThread]) {
    detail::scatterTo<Way::striped>(items, items, ranks, [](int) { return true; }, meet());
  }

private:
  static auto meet() {
    return [](auto& mine) {
      ::cu2cpp::detail::meetLanes<LogicalWarpThreads>(mine, "cub::WarpExchange");
    };
  }
};

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockExchange: items move between the threads of a block, from one arrangement to another or
// to ranks that the threads name.
//
// CUB documentation, 'BlockExchange'.
#ifndef CU2CPP_CUB_BLOCK_EXCHANGE_CUH
#define CU2CPP_CUB_BLOCK_EXCHANGE_CUH

#include <cub/detail/item_operand.cuh>

namespace cub {
namespace detail {

template <class T, int N, Arrangement from, Arrangement to> struct RearrangeOperand : Items<T, N> {
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    const auto items = [](RearrangeOperand& mine) { return mine.item; };
    scatter<to, N, RearrangeOperand, T>(group, gather<from, N, RearrangeOperand, T>(group, items),
                                        items);
  }
};

/// Items go to the place that their rank names; those without a valid one go nowhere.
template <class T, int N, Arrangement to> struct ScatterOperand : Items<T, N> {
  long long rank[N];
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    const auto items = [](ScatterOperand& mine) { return mine.item; };
    auto all = gather<to, N, ScatterOperand, T>(group, items);
    const auto old = all;
    ::cu2cpp::detail::eachOperand<ScatterOperand>(group, [&](unsigned t, ScatterOperand& mine) {
      for (int i = 0; i < N; ++i)
        if (mine.rank[i] >= 0 && std::size_t(mine.rank[i]) < all.size())
          all[std::size_t(mine.rank[i])] = old[placeOf<to, N>(t, i, group.count)];
    });
    scatter<to, N, ScatterOperand, T>(group, all, items);
  }
};

template <Arrangement from, Arrangement to, class T, int N, class Out, class Meet>
inline void rearrange(const T (&input)[N], Out (&output)[N], Meet meet) {
  RearrangeOperand<T, N, from, to> mine;
  mine.load(input);
  meet(mine);
  for (int i = 0; i < N; ++i)
    output[i] = mine.item[i];
}
template <Arrangement to, class T, int N, class Out, class Rank, class Valid, class Meet>
inline void scatterTo(const T (&input)[N], Out (&output)[N], const Rank (&ranks)[N], Valid valid,
                      Meet meet) {
  ScatterOperand<T, N, to> mine;
  mine.load(input);
  for (int i = 0; i < N; ++i)
    mine.rank[i] = valid(i) ? static_cast<long long>(ranks[i]) : -1;
  meet(mine);
  for (int i = 0; i < N; ++i)
    output[i] = mine.item[i];
}

} // namespace detail

template <class InputT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange : public detail::Collective {
  using Way = detail::Arrangement;

public:
  using detail::Collective::Collective;

#define CU2CPP_CUB_REARRANGE(name, from, to)                                                       \
  template <class OutputT>                                                                         \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(InputT(&input)[ITEMS_PER_THREAD],                                      \
                            OutputT(&output)[ITEMS_PER_THREAD]) {                                  \
    detail::rearrange<Way::from, Way::to>(input, output, meet());                                  \
  }                                                                                                \
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void name(InputT(&items)[ITEMS_PER_THREAD]) {                 \
    detail::rearrange<Way::from, Way::to>(items, items, meet());                                   \
  }
  CU2CPP_CUB_REARRANGE(StripedToBlocked, striped, blocked)
  CU2CPP_CUB_REARRANGE(BlockedToStriped, blocked, striped)
  CU2CPP_CUB_REARRANGE(WarpStripedToBlocked, warpStriped, blocked)
  CU2CPP_CUB_REARRANGE(BlockedToWarpStriped, blocked, warpStriped)
#undef CU2CPP_CUB_REARRANGE

#define CU2CPP_CUB_SCATTER(name, to)                                                               \
  template <class OutputT, class OffsetT>                                                          \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(InputT(&input)[ITEMS_PER_THREAD], OutputT(&output)[ITEMS_PER_THREAD],  \
                            OffsetT(&ranks)[ITEMS_PER_THREAD]) {                                   \
    detail::scatterTo<Way::to>(input, output, ranks, [](int) { return true; }, meet());            \
  }                                                                                                \
  template <class OffsetT>                                                                         \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(InputT(&items)[ITEMS_PER_THREAD], OffsetT(&ranks)[ITEMS_PER_THREAD]) { \
    detail::scatterTo<Way::to>(items, items, ranks, [](int) { return true; }, meet());             \
  }
  CU2CPP_CUB_SCATTER(ScatterToBlocked, blocked)
  CU2CPP_CUB_SCATTER(ScatterToStriped, striped)
#undef CU2CPP_CUB_SCATTER
  /// Items of negative rank are left out.
  template <class OutputT, class OffsetT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ScatterToStripedGuarded(InputT (&input)[ITEMS_PER_THREAD],
                                               OutputT (&output)[ITEMS_PER_THREAD],
                                               OffsetT (&ranks)[ITEMS_PER_THREAD]) {
    detail::scatterTo<Way::striped>(input, output, ranks, [](int) { return true; }, meet());
  }
  template <class OutputT, class OffsetT, class ValidFlag>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ScatterToStripedFlagged(InputT (&input)[ITEMS_PER_THREAD],
                                               OutputT (&output)[ITEMS_PER_THREAD],
                                               OffsetT (&ranks)[ITEMS_PER_THREAD],
                                               ValidFlag (&is_valid)[ITEMS_PER_THREAD]) {
    detail::scatterTo<Way::striped>(
        input, output, ranks, [&](int i) { return bool(is_valid[i]); }, meet());
  }

private:
  static auto meet() {
    return [](auto& mine) { ::cu2cpp::detail::meetBlock(mine, "cub::BlockExchange"); };
  }
};

} // namespace cub

#endif

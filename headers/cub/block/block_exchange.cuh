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

template <class Type, int Count, Arrangement from, Arrangement to>
struct RearrangeOperand : Items<Type, Count> {
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    const auto items = [](RearrangeOperand& mine) { return mine.item; };
    scatter<to, Count, RearrangeOperand, Type>(
        group, gather<from, Count, RearrangeOperand, Type>(group, items), items);
  }
};

/// Items go to the place that their rank names; those without a valid one go nowhere.
template <class Type, int Count, Arrangement to> struct ScatterOperand : Items<Type, Count> {
  long long rank[Count];
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    const auto items = [](ScatterOperand& mine) { return mine.item; };
    auto all = gather<to, Count, ScatterOperand, Type>(group, items);
    const auto old = all;
    ::cu2cpp::detail::eachOperand<ScatterOperand>(group, [&](unsigned t, ScatterOperand& mine) {
      for (int i = 0; i < Count; ++i)
        if (mine.rank[i] >= 0 && std::size_t(mine.rank[i]) < all.size())
          all[std::size_t(mine.rank[i])] = old[placeOf<to, Count>(t, i, group.count)];
    });
    scatter<to, Count, ScatterOperand, Type>(group, all, items);
  }
};

template <Arrangement from, Arrangement to, class Type, int Count, class Out, class Meet>
inline void rearrange(const Type (&input)[Count], Out (&output)[Count], Meet meet) {
  RearrangeOperand<Type, Count, from, to> mine;
  mine.load(input);
  meet(mine);
  for (int i = 0; i < Count; ++i)
    output[i] = mine.item[i];
}
template <Arrangement to, class Type, int Count, class Out, class Rank, class Valid, class Meet>
inline void scatterTo(const Type (&input)[Count], Out (&output)[Count], const Rank (&ranks)[Count],
                      Valid valid, Meet meet) {
  ScatterOperand<Type, Count, to> mine;
  mine.load(input);
  for (int i = 0; i < Count; ++i)
    mine.rank[i] = valid(i) ? static_cast<long long>(ranks[i]) : -1;
  meet(mine);
  for (int i = 0; i < Count; ++i)
    output[i] = mine.item[i];
}

} // namespace detail

template <class InputT, int BlockDimX, int ItemsPerThread, bool WarpTimeSlicing = false,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockExchange : public detail::Collective {
  using Way = detail::Arrangement;

public:
  using detail::Collective::Collective;

#define CU2CPP_CUB_REARRANGE(name, from, to)                                                       \
  template <class OutputT>                                                                         \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(InputT(&input)[ItemsPerThread], OutputT(&output)[ItemsPerThread]) {    \
    detail::rearrange<Way::from, Way::to>(input, output, meet());                                  \
  }                                                                                                \
  CU2CPP_SYNC(block) CU2CPP_TOGETHER void name(InputT(&items)[ItemsPerThread]) {                   \
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
  CU2CPP_TOGETHER void name(InputT(&input)[ItemsPerThread], OutputT(&output)[ItemsPerThread],      \
                            OffsetT(&ranks)[ItemsPerThread]) {                                     \
    detail::scatterTo<Way::to>(input, output, ranks, [](int) { return true; }, meet());            \
  }                                                                                                \
  template <class OffsetT>                                                                         \
  CU2CPP_SYNC(block)                                                                               \
  CU2CPP_TOGETHER void name(InputT(&items)[ItemsPerThread], OffsetT(&ranks)[ItemsPerThread]) {     \
    detail::scatterTo<Way::to>(items, items, ranks, [](int) { return true; }, meet());             \
  }
  CU2CPP_CUB_SCATTER(ScatterToBlocked, blocked)
  CU2CPP_CUB_SCATTER(ScatterToStriped, striped)
#undef CU2CPP_CUB_SCATTER
  /// Items of negative rank are left out.
  template <class OutputT, class OffsetT>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ScatterToStripedGuarded(InputT (&input)[ItemsPerThread],
                                               OutputT (&output)[ItemsPerThread],
                                               OffsetT (&ranks)[ItemsPerThread]) {
    detail::scatterTo<Way::striped>(input, output, ranks, [](int) { return true; }, meet());
  }
  template <class OutputT, class OffsetT, class ValidFlag>
  CU2CPP_SYNC(block)
  CU2CPP_TOGETHER void ScatterToStripedFlagged(InputT (&input)[ItemsPerThread],
                                               OutputT (&output)[ItemsPerThread],
                                               OffsetT (&ranks)[ItemsPerThread],
                                               ValidFlag (&is_valid)[ItemsPerThread]) {
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

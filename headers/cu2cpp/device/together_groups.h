// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collectives of cooperative groups as the split form calls them (see together.h): for all
// lanes of a warp at once, with the group of each lane as first operand.
//
// CUDA C++ Programming Guide, 'Thread Block Tile', 'Coalesced Groups', 'reduce', 'inclusive_scan
// and exclusive_scan'.
#ifndef CU2CPP_DEVICE_TOGETHER_GROUPS_H
#define CU2CPP_DEVICE_TOGETHER_GROUPS_H

#include <optional>

#include <cu2cpp/device/group_coalesced.h>
#include <cu2cpp/device/group_reduce.h>
#include <cu2cpp/device/group_tile.h>
#include <cu2cpp/device/together.h>

namespace cu2cpp {

/// tileOf<Size> stands for the lanes' tiles of that size: which one a lane is in, its number tells.
template <unsigned Size> struct TileOf {};
template <unsigned Size> constexpr TileOf<Size> tileOf{};

namespace together {
namespace detail {

/// maskOf() is the lanes of a group; its ranks count them from below.
template <unsigned Size> inline unsigned maskOf(TileOf<Size>, unsigned lane) {
  static_assert(Size <= 32, "a tile within one warp");
  return (~0u >> (32 - Size)) << (lane / Size * Size);
}
template <unsigned Size, class Parent>
inline unsigned maskOf(const cooperative_groups::thread_block_tile<Size, Parent>&, unsigned lane) {
  return maskOf(tileOf<Size>, lane);
}
inline unsigned maskOf(const cooperative_groups::coalesced_group& group, unsigned) {
  return cu2cpp::detail::GroupAccess::mask(group);
}

/// exchange() gives each lane the value of the lane that source(mask, rank, size, lane) names.
template <class Result, class GroupType, class Value, class Source>
inline PerLane<Result> exchange(Lanes lanes, const GroupType& groups, const Value& value,
                                Source source) {
  PerLane<Result> out;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    const unsigned mask = maskOf(of(groups, lane), lane);
    const unsigned rank = unsigned(__builtin_popcount(mask & ((1u << lane) - 1)));
    const unsigned from = source(mask, rank, unsigned(__builtin_popcount(mask)), lane);
    if (lanes.has(from))
      new (&out.at(lane)) Result(of(value, from));
    else
      std::memset(static_cast<void*>(&out.at(lane)), 0, sizeof(Result));
  }
  return out;
}

template <class Group> struct TileSize {
  static constexpr unsigned value = 0;
};
template <unsigned Size, class Parent>
struct TileSize<cooperative_groups::thread_block_tile<Size, Parent>> {
  static constexpr unsigned value = Size;
};
template <unsigned Size> struct TileSize<TileOf<Size>> {
  static constexpr unsigned value = Size;
};
template <class GroupType> constexpr unsigned tileSize = TileSize<ValueOf<GroupType>>::value;

/// groupMasks() is the lanes of each lane's group: one mask if that is the warp.
template <class Group> inline auto groupMasks(Lanes lanes, const Group& groups) {
  if constexpr (tileSize<Group> == warpLanes) {
    return ~0u;
  } else {
    PerLane<unsigned> masks;
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      masks.at(lane) = lanes.has(lane) ? maskOf(of(groups, lane), lane) : 0;
    return masks;
  }
}

} // namespace detail

template <class OneWarp, class GroupType, class Value, class Argument>
inline auto shfl(const OneWarp& warp, Lanes lanes, const GroupType& group, const Value& value,
                 const Argument& rank) {
  using Result = detail::ValueOf<Value>;
  if constexpr (detail::tileSize<GroupType> != 0)
    return detail::shuffle<cu2cpp::detail::Shuffle::index, Result>(warp, lanes, value, rank,
                                                                   detail::tileSize<GroupType>);
  else
    return detail::exchange<Result>(
        lanes, group, value, [&](unsigned mask, unsigned, unsigned size, unsigned lane) {
          return cu2cpp::detail::nthLane(mask, unsigned(detail::of(rank, lane)) % size);
        });
}
template <class OneWarp, class GroupType, class Value, class Argument>
inline auto shfl_up(const OneWarp& warp, Lanes lanes, const GroupType& group, const Value& value,
                    const Argument& delta) {
  using Result = detail::ValueOf<Value>;
  if constexpr (detail::tileSize<GroupType> != 0)
    return detail::shuffle<cu2cpp::detail::Shuffle::up, Result>(warp, lanes, value, delta,
                                                                detail::tileSize<GroupType>);
  else
    return detail::exchange<Result>(
        lanes, group, value, [&](unsigned mask, unsigned rank, unsigned, unsigned lane) {
          const unsigned by = unsigned(detail::of(delta, lane));
          return cu2cpp::detail::nthLane(mask, by <= rank ? rank - by : rank);
        });
}
template <class OneWarp, class GroupType, class Value, class Argument>
inline auto shfl_down(const OneWarp& warp, Lanes lanes, const GroupType& group, const Value& value,
                      const Argument& delta) {
  using Result = detail::ValueOf<Value>;
  if constexpr (detail::tileSize<GroupType> != 0)
    return detail::shuffle<cu2cpp::detail::Shuffle::down, Result>(warp, lanes, value, delta,
                                                                  detail::tileSize<GroupType>);
  else
    return detail::exchange<Result>(
        lanes, group, value, [&](unsigned mask, unsigned rank, unsigned size, unsigned lane) {
          const unsigned by = unsigned(detail::of(delta, lane));
          return cu2cpp::detail::nthLane(mask, by < size - rank ? rank + by : rank);
        });
}
template <class OneWarp, class GroupType, class Value, class Argument>
inline auto shfl_xor(const OneWarp& warp, Lanes lanes, const GroupType&, const Value& value,
                     const Argument& bits) {
  return detail::shuffle<cu2cpp::detail::Shuffle::exclusiveOr, detail::ValueOf<Value>>(
      warp, lanes, value, bits, detail::tileSize<GroupType>);
}

template <class GroupType, class Predicate>
inline auto any(const Warp& warp, Lanes lanes, const GroupType& group, const Predicate& predicate) {
  return __any_sync(warp, lanes, detail::groupMasks(lanes, group), predicate);
}
template <class GroupType, class Predicate>
inline auto all(const Warp& warp, Lanes lanes, const GroupType& group, const Predicate& predicate) {
  return __all_sync(warp, lanes, detail::groupMasks(lanes, group), predicate);
}
namespace detail {
/// Bits of lanes become bits of ranks.
template <class GroupType>
inline PerLane<unsigned> packed(Lanes lanes, const GroupType& group,
                                const PerLane<unsigned>& bits) {
  PerLane<unsigned> out;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    out.at(lane) = cu2cpp::detail::packLanes(bits.at(lane), maskOf(of(group, lane), lane));
  }
  return out;
}
} // namespace detail
template <class GroupType, class Predicate>
inline auto ballot(const Warp& warp, Lanes lanes, const GroupType& group,
                   const Predicate& predicate) {
  return detail::packed(lanes, group,
                        __ballot_sync(warp, lanes, detail::groupMasks(lanes, group), predicate));
}
template <class GroupType, class Value>
inline auto match_any(const Warp& warp, Lanes lanes, const GroupType& group, const Value& value) {
  return detail::packed(lanes, group,
                        __match_any_sync(warp, lanes, detail::groupMasks(lanes, group), value));
}
template <class GroupType, class Value>
inline auto match_all(const Warp& warp, Lanes lanes, const GroupType& group, const Value& value,
                      PerLane<int>& predicate) {
  PerLane<int*> places;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    places.at(lane) = &predicate.at(lane);
  return detail::packed(
      lanes, group, __match_all_sync(warp, lanes, detail::groupMasks(lanes, group), value, places));
}

namespace detail {

/// combineTiles() is combineInSteps() for all tiles of a whole warp at once, step by step; or of a
/// tile of so many lanes.
template <cu2cpp::detail::Combine mode, unsigned width, unsigned lanes, class Result, class Op>
__attribute__((always_inline)) inline PerLane<Result> combineTiles(PerLane<Result> values, Op& op) {
  using cu2cpp::detail::Combine;
  if constexpr (mode == Combine::reduce) {
    for (unsigned step = width / 2; step > 0; step /= 2) {
      const PerLane<Result> old = values;
      PerLane<Result> other;
      if (!wholeShuffle<cu2cpp::detail::Shuffle::exclusiveOr, lanes, lanes>(old, other, step))
        break;
      if constexpr (lanes == warpLanes) {
        CU2CPP_EACH_OF_WARP
        for (unsigned lane = 0; lane < lanes; ++lane)
          values.at(lane) = op(old.at(lane), other.at(lane));
      } else {
        for (unsigned lane = 0; lane < lanes; ++lane)
          values.at(lane) = op(old.at(lane), other.at(lane));
      }
    }
  } else {
    for (unsigned step = 1; step < width; step *= 2) {
      const PerLane<Result> old = values;
      for (unsigned lane = step; lane < lanes; ++lane)
        if (lane % width >= step)
          values.at(lane) = op(old.at(lane), old.at(lane - step));
    }
    if constexpr (mode == Combine::exclusiveScan) {
      const PerLane<Result> old = values;
      for (unsigned lane = 0; lane < lanes; ++lane)
        values.at(lane) = lane % width == 0 ? Result{} : old.at((lane - 1) % lanes);
    }
  }
  return values;
}

/// combineSome() is for any lanes and groups. Never part of its callers: it is long and seldom
/// runs.
template <cu2cpp::detail::Combine mode, class GroupType, class Value, class Op>
__attribute__((noinline)) auto combineSome(Lanes lanes, const GroupType& group, const Value& value,
                                           const Op& op) {
  using Result = ValueOf<Value>;
  using Function = ValueOf<Op>;
  PerLane<Result> out;
  forMasks(lanes, groupMasks(lanes, group), [&](Lanes members) {
    if (!members.any())
      return;
    using Operand = cu2cpp::detail::Operand<Result, Function>;
    Function function = of(op, members.first());
    std::optional<Operand> operands[warpLanes];
    cu2cpp::detail::LaneCall calls[warpLanes];
    cu2cpp::detail::LaneCall* places[warpLanes];
    const unsigned width = tileSize<GroupType> != 0 ? tileSize<GroupType> : members.count();
    for (unsigned left = members.bits(); left != 0; left &= left - 1) {
      const unsigned lane = unsigned(__builtin_ctz(left));
      operands[lane].emplace(Operand{of(value, lane), &function});
      calls[lane] = {nullptr, &*operands[lane], 0, width};
      places[lane] = &calls[lane];
    }
    cu2cpp::detail::resolveCombine<Result, Function, mode>({members.bits(), places});
    for (unsigned left = members.bits(); left != 0; left &= left - 1) {
      const unsigned lane = unsigned(__builtin_ctz(left));
      new (&out.at(lane)) Result(operands[lane]->value);
    }
  });
  return out;
}

template <cu2cpp::detail::Combine mode, class OneWarp, class GroupType, class Value, class Op>
__attribute__((always_inline)) inline auto
combine(const OneWarp&, Lanes lanes, const GroupType& group, const Value& value, const Op& op) {
  using Result = ValueOf<Value>;
  using Function = ValueOf<Op>;
  constexpr unsigned count = cu2cpp::detail::lanesTogether<OneWarp>;
  if constexpr (tileSize<GroupType> != 0 && tileSize<GroupType> <= count &&
                std::is_trivially_copyable<Result>::value && std::is_empty<Function>::value)
    if (lanes.bits() == ~0u >> (warpLanes - count)) {
      PerLane<Result> values;
      for (unsigned lane = 0; lane < count; ++lane)
        new (&values.at(lane)) Result(of(value, lane));
      Function function = of(op, 0);
      return combineTiles<mode, tileSize<GroupType>, count>(values, function);
    }
  return combineSome<mode>(lanes, group, value, op);
}
} // namespace detail

template <class OneWarp, class GroupType, class Value, class Op>
inline auto reduce(const OneWarp& warp, Lanes lanes, const GroupType& group, const Value& value,
                   const Op& op) {
  return detail::combine<cu2cpp::detail::Combine::reduce>(warp, lanes, group, value, op);
}
template <class OneWarp, class GroupType, class Value, class Op>
inline auto inclusive_scan(const OneWarp& warp, Lanes lanes, const GroupType& group,
                           const Value& value, const Op& op) {
  return detail::combine<cu2cpp::detail::Combine::inclusiveScan>(warp, lanes, group, value, op);
}
template <class OneWarp, class GroupType, class Value>
inline auto inclusive_scan(const OneWarp& warp, Lanes lanes, const GroupType& group,
                           const Value& value) {
  return inclusive_scan(warp, lanes, group, value,
                        cooperative_groups::plus<detail::ValueOf<Value>>());
}
template <class OneWarp, class GroupType, class Value, class Op>
inline auto exclusive_scan(const OneWarp& warp, Lanes lanes, const GroupType& group,
                           const Value& value, const Op& op) {
  return detail::combine<cu2cpp::detail::Combine::exclusiveScan>(warp, lanes, group, value, op);
}
template <class OneWarp, class GroupType, class Value>
inline auto exclusive_scan(const OneWarp& warp, Lanes lanes, const GroupType& group,
                           const Value& value) {
  return exclusive_scan(warp, lanes, group, value,
                        cooperative_groups::plus<detail::ValueOf<Value>>());
}

inline PerLane<cooperative_groups::coalesced_group> coalesced_threads(const Warp&, Lanes lanes) {
  using Group = cooperative_groups::coalesced_group;
  PerLane<Group> out;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    new (&out.at(lane)) Group(cu2cpp::detail::GroupAccess::make<Group>(lanes.bits()));
  return out;
}
template <class GroupType, class Predicate>
inline auto binary_partition(const Warp& warp, Lanes lanes, const GroupType& group,
                             const Predicate& predicate) {
  using Group = cooperative_groups::coalesced_group;
  const PerLane<unsigned> votes =
      __ballot_sync(warp, lanes, detail::groupMasks(lanes, group), predicate);
  PerLane<Group> out;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    const bool mine = votes.at(lane) >> lane & 1;
    const unsigned members = detail::maskOf(detail::of(group, lane), lane) & lanes.bits();
    new (&out.at(lane)) Group(cu2cpp::detail::GroupAccess::make<Group>(
        mine ? votes.at(lane) : members & ~votes.at(lane), mine, 2));
  }
  return out;
}
template <class GroupType, class Label>
inline auto labeled_partition(const Warp& warp, Lanes lanes, const GroupType& group,
                              const Label& label) {
  using Group = cooperative_groups::coalesced_group;
  const auto masks = detail::groupMasks(lanes, group);
  const PerLane<unsigned> same = __match_any_sync(warp, lanes, masks, label);
  PerLane<int> leads;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    leads.at(lane) = lanes.has(lane) && lane == unsigned(__builtin_ctz(same.at(lane)));
  const auto leaders = __ballot_sync(warp, lanes, masks, leads);
  PerLane<Group> out;
  for (unsigned left = lanes.bits(); left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    const unsigned first = unsigned(__builtin_ctz(same.at(lane)));
    const unsigned all = detail::of(leaders, lane), before = all & ((1u << first) - 1);
    new (&out.at(lane)) Group(cu2cpp::detail::GroupAccess::make<Group>(
        same.at(lane), unsigned(__builtin_popcount(before)), unsigned(__builtin_popcount(all))));
  }
  return out;
}

} // namespace together
} // namespace cu2cpp

#endif

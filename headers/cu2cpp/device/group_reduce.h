// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups: reduce(), inclusive_scan(), exclusive_scan() over tiles and coalesced groups.
// Values are combined in the order of the lanes.
//
// CUDA C++ Programming Guide, 'reduce', 'Reduce Operators', 'inclusive_scan and exclusive_scan'.
#ifndef CU2CPP_DEVICE_GROUP_REDUCE_H
#define CU2CPP_DEVICE_GROUP_REDUCE_H

#include <type_traits>
#include <utility>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/group_tile.h>
#include <cu2cpp/device/lane_call.h>

namespace cu2cpp {
namespace detail {

/// Operand is what a thread brings to a reduction or scan, and where its result goes.
template <class T, class Op> struct Operand {
  T value;
  Op* op;
};

/// reduceAll() and scanAll() go through the operands that each() visits in the order of their
/// threads.
template <class T, class Op, class Each> void reduceAll(Each each) {
  Operand<T, Op>* total = nullptr;
  each([&](Operand<T, Op>& mine) {
    if (total)
      total->value = (*mine.op)(total->value, mine.value);
    else
      total = &mine;
  });
  each([&](Operand<T, Op>& mine) { mine.value = total->value; });
}
// An exclusive scan has nothing to give to the first thread: a value-initialised T.
template <class T, class Op, bool inclusive, class Each> void scanAll(Each each) {
  T before{};
  bool any = false;
  each([&](Operand<T, Op>& mine) {
    const T upToHere = any ? (*mine.op)(before, mine.value) : mine.value;
    mine.value = inclusive ? upToHere : before;
    before = upToHere;
    any = true;
  });
}

enum class Combine { reduce, inclusiveScan, exclusiveScan };

template <class T, class Op, Combine mode, class Each> void combineAll(Each each) {
  if constexpr (mode == Combine::reduce)
    reduceAll<T, Op>(each);
  else
    scanAll<T, Op, mode == Combine::inclusiveScan>(each);
}
/// isWholeTile() says whether all lanes of a tile (a power of two of neighbours) have met.
inline bool isWholeTile(const WarpGroup& group) {
  const unsigned first = unsigned(__builtin_ctz(group.lanes));
  const unsigned width = group.call[first]->width;
  return (width & (width - 1)) == 0 && first % width == 0 &&
         group.lanes == (0xffffffffu >> (32 - width)) << first;
}

// A GPU combines a whole tile by butterflies (reduce) or doubling steps (scan), lane by lane. Sums
// of floating-point numbers depend on that order.
template <class T, class Op, Combine mode> void combineInSteps(const WarpGroup& group) {
  const unsigned first = unsigned(__builtin_ctz(group.lanes));
  const unsigned width = group.call[first]->width;
  alignas(T) unsigned char memory[32 * sizeof(T)];
  const T* const old = reinterpret_cast<const T*>(memory);
  const auto operand = [&](unsigned lane) -> Operand<T, Op>& {
    return *static_cast<Operand<T, Op>*>(group.call[first + lane]->out);
  };
  const auto keep = [&] {
    for (unsigned i = 0; i < width; ++i)
      __builtin_memcpy(memory + i * sizeof(T), &operand(i).value, sizeof(T));
  };
  if constexpr (mode == Combine::reduce) {
    for (unsigned step = width / 2; step > 0; step /= 2) {
      keep();
      for (unsigned i = 0; i < width; ++i)
        operand(i).value = (*operand(i).op)(old[i], old[i ^ step]);
    }
  } else {
    for (unsigned step = 1; step < width; step *= 2) {
      keep();
      for (unsigned i = step; i < width; ++i)
        operand(i).value = (*operand(i).op)(old[i], old[i - step]);
    }
    if constexpr (mode == Combine::exclusiveScan) {
      keep();
      for (unsigned i = 1; i < width; ++i)
        operand(i).value = old[i - 1];
      operand(0).value = T{};
    }
  }
}

template <class T, class Op, Combine mode> void resolveCombine(const WarpGroup& group) {
  if constexpr (std::is_trivially_copyable<T>::value)
    if (isWholeTile(group))
      return combineInSteps<T, Op, mode>(group);
  combineAll<T, Op, mode>([&](auto visit) {
    eachLane(group,
             [&](unsigned, LaneCall& call) { visit(*static_cast<Operand<T, Op>*>(call.out)); });
  });
}
template <class T, class Op, Combine mode> void resolveTileCombine(const TileGroup& group) {
  combineAll<T, Op, mode>([&](auto visit) {
    for (unsigned i = 0; i < group.count; ++i)
      if (group.operand[i])
        visit(*static_cast<Operand<T, Op>*>(group.operand[i]));
  });
}

template <class Group> struct IsWide : std::false_type {};
template <unsigned Size, class Parent>
struct IsWide<cooperative_groups::thread_block_tile<Size, Parent>>
    : std::integral_constant<bool, (Size > 32)> {};

template <Combine mode, class Group, class T, class Op>
inline T combineGroup(const Group& group, T value, Op& op, const char* name) {
  Operand<T, Op> operand{value, &op};
  if constexpr (IsWide<Group>::value) {
    joinTile(GroupAccess::first(group), Group::size(), resolveTileCombine<T, Op, mode>, &operand,
             name);
  } else {
    LaneCall call{nullptr, &operand, 0, unsigned(group.size())};
    joinWarp(GroupAccess::mask(group), resolveCombine<T, Op, mode>, call, name);
  }
  return operand.value;
}

} // namespace detail
} // namespace cu2cpp

namespace cooperative_groups {

template <class T> struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

// Tiles of several warps have functions of their own: those within one warp are split into loops
// over its lanes.
template <class Group, class T, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto reduce(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::reduce, Group, V, F>(group, value, op, "reduce()");
}
template <class Group, class T, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto inclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::inclusiveScan, Group, V, F>(group, value, op, "inclusive_scan()");
}
template <class Group, class T, std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class T, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto exclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::exclusiveScan, Group, V, F>(group, value, op, "exclusive_scan()");
}
template <class Group, class T, std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class T, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto reduce(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::reduce, Group, V, F>(group, value, op, "reduce()");
}
template <class Group, class T, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::inclusiveScan, Group, V, F>(group, value, op, "inclusive_scan()");
}
template <class Group, class T, std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class T, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::exclusiveScan, Group, V, F>(group, value, op, "exclusive_scan()");
}
template <class Group, class T, std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}

/// The _update forms add what all threads bring to an atomic (cuda::atomic or atomic_ref) and scan
/// from its old value.
template <class Group, class Atomic, class T, class Op>
CU2CPP_SYNC(tile)
auto inclusive_scan_update(const Group& group, Atomic& place, T&& value, Op&& op) {
  using V = std::decay_t<T>;
  const V mine = inclusive_scan(group, V(value), op);
  V old{};
  if (group.thread_rank() == group.size() - 1) {
    old = place.load();
    while (!place.compare_exchange_weak(old, op(old, mine))) {
    }
  }
  return V(op(V(group.shfl(old, int(group.size()) - 1)), mine));
}
template <class Group, class Atomic, class T>
CU2CPP_SYNC(tile)
auto inclusive_scan_update(const Group& group, Atomic& place, T&& value) {
  return inclusive_scan_update(group, place, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class Atomic, class T, class Op>
CU2CPP_SYNC(tile)
auto exclusive_scan_update(const Group& group, Atomic& place, T&& value, Op&& op) {
  using V = std::decay_t<T>;
  const V mine = inclusive_scan(group, V(value), op);
  V old{};
  if (group.thread_rank() == group.size() - 1) {
    old = place.load();
    while (!place.compare_exchange_weak(old, op(old, mine))) {
    }
  }
  old = group.shfl(old, int(group.size()) - 1);
  const V before = group.shfl_up(mine, 1);
  return group.thread_rank() == 0 ? old : V(op(old, before));
}
template <class Group, class Atomic, class T>
CU2CPP_SYNC(tile)
auto exclusive_scan_update(const Group& group, Atomic& place, T&& value) {
  return exclusive_scan_update(group, place, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class Atomic, class T, class Op>
CU2CPP_SYNC(tile)
void reduce_update_async(const Group& group, Atomic& place, T&& value, Op&& op) {
  using V = std::decay_t<T>;
  const V total = reduce(group, V(value), op);
  if (group.thread_rank() == 0) {
    V old = place.load();
    while (!place.compare_exchange_weak(old, op(old, total))) {
    }
  }
}
template <class Group, class Place, class T, class Op>
CU2CPP_SYNC(tile)
void reduce_store_async(const Group& group, Place&& place, T&& value, Op&& op) {
  using V = std::decay_t<T>;
  const V total = reduce(group, V(value), op);
  if (group.thread_rank() == 0) {
    if constexpr (std::is_pointer<std::decay_t<Place>>::value)
      *place = total;
    else
      place.store(total);
  }
}

} // namespace cooperative_groups

#endif

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
template <class T, class Op, Combine mode> void resolveCombine(const WarpGroup& group) {
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
    LaneCall call{nullptr, &operand};
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

template <class Group, class T, class Op>
CU2CPP_SYNC(tile)
auto reduce(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::reduce, Group, V, F>(group, value, op, "reduce()");
}
template <class Group, class T, class Op>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::inclusiveScan, Group, V, F>(group, value, op, "inclusive_scan()");
}
template <class Group, class T>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}
template <class Group, class T, class Op>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineGroup<Combine::exclusiveScan, Group, V, F>(group, value, op, "exclusive_scan()");
}
template <class Group, class T>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}

} // namespace cooperative_groups

#endif

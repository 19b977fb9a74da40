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
template <class Type, class Op> struct Operand {
  Type value;
  Op* op;
};

/// reduceAll() and scanAll() go through the operands that each() visits in the order of their
/// threads.
template <class Type, class Op, class Each> void reduceAll(Each each) {
  Operand<Type, Op>* total = nullptr;
  each([&](Operand<Type, Op>& mine) {
    if (total)
      total->value = (*mine.op)(total->value, mine.value);
    else
      total = &mine;
  });
  each([&](Operand<Type, Op>& mine) { mine.value = total->value; });
}
// An exclusive scan has nothing to give to the first thread: a value-initialised Type.
template <class Type, class Op, bool inclusive, class Each> void scanAll(Each each) {
  Type before{};
  bool any = false;
  each([&](Operand<Type, Op>& mine) {
    const Type upToHere = any ? (*mine.op)(before, mine.value) : mine.value;
    mine.value = inclusive ? upToHere : before;
    before = upToHere;
    any = true;
  });
}

enum class Combine { reduce, inclusiveScan, exclusiveScan };

template <class Type, class Op, Combine mode, class Each> void combineAll(Each each) {
  if constexpr (mode == Combine::reduce)
    reduceAll<Type, Op>(each);
  else
    scanAll<Type, Op, mode == Combine::inclusiveScan>(each);
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
template <class Type, class Op, Combine mode> void combineInSteps(const WarpGroup& group) {
  const unsigned first = unsigned(__builtin_ctz(group.lanes));
  const unsigned width = group.call[first]->width;
  alignas(Type) unsigned char memory[32 * sizeof(Type)];
  const Type* const old = reinterpret_cast<const Type*>(memory);
  const auto operand = [&](unsigned lane) -> Operand<Type, Op>& {
    return *static_cast<Operand<Type, Op>*>(group.call[first + lane]->out);
  };
  const auto keep = [&] {
    for (unsigned i = 0; i < width; ++i)
      __builtin_memcpy(memory + i * sizeof(Type), &operand(i).value, sizeof(Type));
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
      operand(0).value = Type{};
    }
  }
}

template <class Type, class Op, Combine mode> void resolveCombine(const WarpGroup& group) {
  if constexpr (std::is_trivially_copyable<Type>::value)
    if (isWholeTile(group))
      return combineInSteps<Type, Op, mode>(group);
  combineAll<Type, Op, mode>([&](auto visit) {
    eachLane(group,
             [&](unsigned, LaneCall& call) { visit(*static_cast<Operand<Type, Op>*>(call.out)); });
  });
}
template <class Type, class Op, Combine mode> void resolveTileCombine(const TileGroup& group) {
  combineAll<Type, Op, mode>([&](auto visit) {
    for (unsigned i = 0; i < group.count; ++i)
      if (group.operand[i])
        visit(*static_cast<Operand<Type, Op>*>(group.operand[i]));
  });
}

template <class Group> struct IsWide : std::false_type {};
template <unsigned Size, class Parent>
struct IsWide<cooperative_groups::thread_block_tile<Size, Parent>>
    : std::integral_constant<bool, (Size > 32)> {};

template <Combine mode, class Group, class Type, class Op>
inline Type combineGroup(const Group& group, Type value, Op& op, const char* name) {
  Operand<Type, Op> operand{value, &op};
  if constexpr (IsWide<Group>::value) {
    joinTile(GroupAccess::first(group), Group::size(), resolveTileCombine<Type, Op, mode>, &operand,
             name);
  } else {
    LaneCall call{nullptr, &operand, 0, unsigned(group.size())};
    joinWarp(GroupAccess::mask(group), resolveCombine<Type, Op, mode>, call, name);
  }
  return operand.value;
}

} // namespace detail
} // namespace cu2cpp

namespace cooperative_groups {

template <class Type> struct plus {
  Type operator()(Type a, Type b) const { return a + b; }
};
template <class Type> struct less {
  Type operator()(Type a, Type b) const { return b < a ? b : a; }
};
template <class Type> struct greater {
  Type operator()(Type a, Type b) const { return a < b ? b : a; }
};
template <class Type> struct bit_and {
  Type operator()(Type a, Type b) const { return a & b; }
};
template <class Type> struct bit_or {
  Type operator()(Type a, Type b) const { return a | b; }
};
template <class Type> struct bit_xor {
  Type operator()(Type a, Type b) const { return a ^ b; }
};

// Tiles of several warps have functions of their own: those within one warp are split into loops
// over its lanes.
template <class Group, class Type, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto reduce(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::reduce, Group, Value, Function>(group, value, op, "reduce()");
}
template <class Group, class Type, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto inclusive_scan(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::inclusiveScan, Group, Value, Function>(group, value, op,
                                                                      "inclusive_scan()");
}
template <class Group, class Type, std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto inclusive_scan(const Group& group, Type&& value) {
  return inclusive_scan(group, std::forward<Type>(value), plus<std::decay_t<Type>>());
}
template <class Group, class Type, class Op,
          std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto exclusive_scan(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::exclusiveScan, Group, Value, Function>(group, value, op,
                                                                      "exclusive_scan()");
}
template <class Group, class Type, std::enable_if_t<!cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
CU2CPP_TOGETHER auto exclusive_scan(const Group& group, Type&& value) {
  return exclusive_scan(group, std::forward<Type>(value), plus<std::decay_t<Type>>());
}
template <class Group, class Type, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto reduce(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::reduce, Group, Value, Function>(group, value, op, "reduce()");
}
template <class Group, class Type, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::inclusiveScan, Group, Value, Function>(group, value, op,
                                                                      "inclusive_scan()");
}
template <class Group, class Type, std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, Type&& value) {
  return inclusive_scan(group, std::forward<Type>(value), plus<std::decay_t<Type>>());
}
template <class Group, class Type, class Op,
          std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, Type&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using Value = std::decay_t<Type>;
  using Function = std::remove_reference_t<Op>;
  return combineGroup<Combine::exclusiveScan, Group, Value, Function>(group, value, op,
                                                                      "exclusive_scan()");
}
template <class Group, class Type, std::enable_if_t<cu2cpp::detail::IsWide<Group>::value, int> = 0>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, Type&& value) {
  return exclusive_scan(group, std::forward<Type>(value), plus<std::decay_t<Type>>());
}

/// The _update forms add what all threads bring to an atomic (cuda::atomic or atomic_ref) and scan
/// from its old value.
template <class Group, class Atomic, class Type, class Op>
CU2CPP_SYNC(tile)
auto inclusive_scan_update(const Group& group, Atomic&& place, Type&& value, Op&& op) {
  using Value = std::decay_t<Type>;
  const Value mine = inclusive_scan(group, Value(value), op);
  Value old{};
  if (group.thread_rank() == group.size() - 1) {
    old = place.load();
    while (!place.compare_exchange_weak(old, op(old, mine))) {
    }
  }
  return Value(op(Value(group.shfl(old, int(group.size()) - 1)), mine));
}
template <class Group, class Atomic, class Type>
CU2CPP_SYNC(tile)
auto inclusive_scan_update(const Group& group, Atomic&& place, Type&& value) {
  return inclusive_scan_update(group, place, std::forward<Type>(value), plus<std::decay_t<Type>>());
}
template <class Group, class Atomic, class Type, class Op>
CU2CPP_SYNC(tile)
auto exclusive_scan_update(const Group& group, Atomic&& place, Type&& value, Op&& op) {
  using Value = std::decay_t<Type>;
  const Value mine = inclusive_scan(group, Value(value), op);
  Value old{};
  if (group.thread_rank() == group.size() - 1) {
    old = place.load();
    while (!place.compare_exchange_weak(old, op(old, mine))) {
    }
  }
  old = group.shfl(old, int(group.size()) - 1);
  const Value before = group.shfl_up(mine, 1);
  return group.thread_rank() == 0 ? old : Value(op(old, before));
}
template <class Group, class Atomic, class Type>
CU2CPP_SYNC(tile)
auto exclusive_scan_update(const Group& group, Atomic&& place, Type&& value) {
  return exclusive_scan_update(group, place, std::forward<Type>(value), plus<std::decay_t<Type>>());
}
template <class Group, class Atomic, class Type, class Op>
CU2CPP_SYNC(tile)
void reduce_update_async(const Group& group, Atomic&& place, Type&& value, Op&& op) {
  using Value = std::decay_t<Type>;
  const Value total = reduce(group, Value(value), op);
  if (group.thread_rank() == 0) {
    Value old = place.load();
    while (!place.compare_exchange_weak(old, op(old, total))) {
    }
  }
}
template <class Group, class Place, class Type, class Op>
CU2CPP_SYNC(tile)
void reduce_store_async(const Group& group, Place&& place, Type&& value, Op&& op) {
  using Value = std::decay_t<Type>;
  const Value total = reduce(group, Value(value), op);
  if (group.thread_rank() == 0) {
    if constexpr (std::is_pointer<std::decay_t<Place>>::value)
      *place = total;
    else
      place.store(total);
  }
}

} // namespace cooperative_groups

#endif

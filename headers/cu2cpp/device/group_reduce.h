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
#include <cu2cpp/device/group.h>
#include <cu2cpp/device/lane_call.h>

namespace cu2cpp {
namespace detail {

/// Operand is what a lane brings to a reduction or scan.
template <class T, class Op> struct Operand {
  T value;
  Op* op;
};
template <class T, class Op>
inline Operand<T, Op>& operandOf(const WarpGroup& group, unsigned lane) {
  return *static_cast<Operand<T, Op>*>(group.call[lane]->out);
}

template <class T, class Op> void resolveGroupReduce(const WarpGroup& group) {
  const unsigned first = unsigned(__builtin_ctz(group.lanes));
  T result = operandOf<T, Op>(group, first).value;
  eachLane(group, [&](unsigned lane, LaneCall&) {
    if (lane != first)
      result = (*operandOf<T, Op>(group, lane).op)(result, operandOf<T, Op>(group, lane).value);
  });
  eachLane(group, [&](unsigned lane, LaneCall&) { operandOf<T, Op>(group, lane).value = result; });
}

// An exclusive scan gives the first lane nothing to combine: its value-initialised T.
template <class T, class Op, bool inclusive> void resolveGroupScan(const WarpGroup& group) {
  T before{};
  bool any = false;
  eachLane(group, [&](unsigned lane, LaneCall&) {
    auto& mine = operandOf<T, Op>(group, lane);
    const T upToHere = any ? (*mine.op)(before, mine.value) : mine.value;
    mine.value = inclusive ? upToHere : before;
    before = upToHere;
    any = true;
  });
}

template <class T, class Op>
inline T combineLanes(unsigned mask, T value, Op& op, Resolve resolve, const char* name) {
  Operand<T, Op> operand{value, &op};
  LaneCall call{nullptr, &operand};
  joinWarp(mask, resolve, call, name);
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
  return combineLanes<V, F>(GroupAccess::mask(group), value, op, resolveGroupReduce<V, F>,
                            "reduce()");
}

template <class Group, class T, class Op>
CU2CPP_SYNC(tile)
auto inclusive_scan(const Group& group, T&& value, Op&& op) {
  using namespace cu2cpp::detail;
  using V = std::decay_t<T>;
  using F = std::remove_reference_t<Op>;
  return combineLanes<V, F>(GroupAccess::mask(group), value, op, resolveGroupScan<V, F, true>,
                            "inclusive_scan()");
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
  return combineLanes<V, F>(GroupAccess::mask(group), value, op, resolveGroupScan<V, F, false>,
                            "exclusive_scan()");
}
template <class Group, class T>
CU2CPP_SYNC(tile)
auto exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, std::forward<T>(value), plus<std::decay_t<T>>());
}

} // namespace cooperative_groups

#endif

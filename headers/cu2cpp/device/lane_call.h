// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a warp meet. Every warp function brings its lane's operands as a LaneCall, and
// the last lane to arrive runs a `resolve` function that reads all operands and writes all results:
//
//   lane 0: joinWarp(mask, shuffle, {in, out}) ... waits
//   lane 1: joinWarp(mask, shuffle, {in, out}) -> shuffle(group of 0 and 1), lane 0 may go on
//
// Lanes meet when they name the same mask and the same function (PTX ISA, 'shfl.sync',
// 'bar.warp.sync'). Lanes that have exited, and those that a partial last warp doesn't have, count
// as arrived.
#ifndef CU2CPP_DEVICE_LANE_CALL_H
#define CU2CPP_DEVICE_LANE_CALL_H

#include <cstring>
#include <type_traits>

#include <cu2cpp/attributes.h>
#include <cu2cpp/block.h>

namespace cu2cpp {
namespace detail {

/// LaneCall is what one lane brings to a warp function (in, argument, width) and where it wants its
/// result (out).
struct LaneCall {
  const void* in = nullptr;
  void* out = nullptr;
  unsigned argument = 0;
  unsigned width = 32;
};

/// WarpGroup is the lanes that have met; call[i] is valid where bit i of `lanes` is set.
struct WarpGroup {
  unsigned lanes;
  LaneCall* const* call;
};
using Resolve = void (*)(const WarpGroup& group);

/// CallSite tells apart calls of functions that have no mask: only lanes at the same place of the
/// program are converged.
struct CallSite {
  const char* file;
  int line;
};

/// joinWarp() returns when all live lanes in the mask have called it with this mask and this
/// function.
void joinWarp(unsigned mask, Resolve resolve, LaneCall& call, const char* name);
/// joinConverged() returns when no other lane can arrive here any more: all live lanes of the warp
/// have arrived, or all threads of the block wait somewhere.
void joinConverged(const CallSite& site, Resolve resolve, LaneCall& call, const char* name);

/// TileGroup is the threads of a tile of several warps that have met: operand[rank in tile], null
/// for a thread that has exited or that a partial last tile doesn't have.
struct TileGroup {
  unsigned count;
  void* const* operand;
};
using ResolveTile = void (*)(const TileGroup& group);

/// joinTile() returns when all live threads of ranks `first` to `first + count - 1` have called it
/// with this function.
void joinTile(unsigned first, unsigned count, ResolveTile resolve, void* operand, const char* name);

/// laneId() is the lane of the running thread within its warp (linear rank within the block modulo
/// 32).
CU2CPP_THREAD unsigned laneId() noexcept;

/// OneByOne collects what the lanes of a warp bring to functions marked CU2CPP_ONE_BY_ONE, where
/// the lanes call them in a loop; all results are there when the loop ends.
struct OneByOne {
  static constexpr unsigned operandSize = 48;
  Resolve resolve = nullptr;
  unsigned lanes = 0;
  LaneCall call[32];
  LaneCall* callOf[32];
  alignas(16) char operand[32][operandSize];

  void finish() {
    if (lanes != 0)
      resolve(WarpGroup{lanes, callOf});
  }
};

/// meetWarp() brings `operands` to a function of the whole warp.
template <class Operands>
inline void meetWarp(const Operands& operands, Resolve resolve, const char* name) {
  static_assert(std::is_trivially_copyable<Operands>::value &&
                    sizeof(Operands) <= OneByOne::operandSize,
                "operands are kept until all lanes have come");
  OneByOne* const all = context.oneByOne;
  if (all == nullptr) {
    LaneCall call{&operands, nullptr};
    joinWarp(0xffffffffu, resolve, call, name);
    return;
  }
  const unsigned lane = laneId();
  std::memcpy(all->operand[lane], &operands, sizeof operands);
  all->call[lane] = LaneCall{all->operand[lane], nullptr};
  all->callOf[lane] = &all->call[lane];
  all->resolve = resolve;
  all->lanes |= 1u << lane;
}

/// eachLane() calls visit(lane, call) for each lane of the group in ascending order.
template <class Visit> inline void eachLane(const WarpGroup& group, Visit visit) {
  for (unsigned left = group.lanes; left != 0; left &= left - 1) {
    const unsigned lane = unsigned(__builtin_ctz(left));
    visit(lane, *group.call[lane]);
  }
}

} // namespace detail
} // namespace cu2cpp

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the extreme of a warp's values lies, by the same steps in which kernels look for it with
// shuffles (`if (other > best || (other == best && otherAt < at)) { best = other; at = otherAt; }`).
//
// CUDA C++ Programming Guide, 'Warp Shuffle Functions'.
#ifndef CU2CPP_DEVICE_WARP_EXTREMES_H
#define CU2CPP_DEVICE_WARP_EXTREMES_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/lane_call.h>
#include <cu2cpp/device/warp_shuffle.h>

namespace cu2cpp {

/// How lanes compare what they have with what they get: bits of laneOfExtreme()'s `how`.
enum ExtremeKind : int {
  extremeIsLeast = 1,        ///< and not greatest
  extremeAsksPlace = 2,      ///< of equal values the one with the lesser place is taken
  extremeOfGreaterPlace = 4, ///< ... with the greater place
  extremeForFirstLane = 8    ///< steps by __shfl_down_sync(): the first lane's result alone matters
};

namespace detail {

template <class Value, class Place>
constexpr bool isBetter(int how, Value other, Place otherAt, Value own, Place ownAt) {
  const bool better = (how & extremeIsLeast) != 0 ? other < own : other > own;
  if (better || (how & extremeAsksPlace) == 0 || !(other == own))
    return better;
  return (how & extremeOfGreaterPlace) != 0 ? otherAt > ownAt : otherAt < ownAt;
}

} // namespace detail

/// laneOfExtreme() is the lane whose value and place a lane ends with after the steps 16, 8, 4, 2
/// and 1, in which each takes over what is better. (Values that are no numbers stay where they are.)
template <class Value, class Place>
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER inline int laneOfExtreme(Value value, Place place, int how) {
  int lane = int(detail::laneId());
  for (int by = 16; by > 0; by >>= 1) {
    const bool down = (how & extremeForFirstLane) != 0;
    const Value other = down ? __shfl_down_sync(~0u, value, unsigned(by))
                             : __shfl_xor_sync(~0u, value, by);
    const Place otherAt = down ? __shfl_down_sync(~0u, place, unsigned(by))
                               : __shfl_xor_sync(~0u, place, by);
    const int otherLane = down ? __shfl_down_sync(~0u, lane, unsigned(by))
                               : __shfl_xor_sync(~0u, lane, by);
    if (detail::isBetter(how, other, otherAt, value, place)) {
      value = other;
      place = otherAt;
      lane = otherLane;
    }
  }
  return lane;
}

/// firstLaneOfExtreme() is what laneOfExtreme() is for the first lane, given to all.
template <class Value, class Place>
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER CU2CPP_ALIKE inline int firstLaneOfExtreme(Value value, Place place, int how) {
  return __shfl_sync(~0u, laneOfExtreme(value, place, how), 0);
}

/// ofLane() is a __shfl_sync() of a whole warp by which all get what one lane has.
template <class Value>
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER CU2CPP_ALIKE inline Value ofLane(Value value, int lane) {
  return __shfl_sync(~0u, value, lane);
}

} // namespace cu2cpp

#endif

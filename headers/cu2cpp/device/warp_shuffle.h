// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp shuffles: each lane reads the value of another lane of its segment of `width` lanes. A lane
// whose source lies outside its segment keeps its own value. One whose source takes no part reads
// zero: the guide leaves it undefined, but programs that sum with fewer lanes than their loop
// assumes pass on GPUs.
//
// CUDA C++ Programming Guide, 'Warp Shuffle Functions'.
#ifndef CU2CPP_DEVICE_WARP_SHUFFLE_H
#define CU2CPP_DEVICE_WARP_SHUFFLE_H

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/lane_call.h>
#include <device_launch_parameters.h>

namespace cu2cpp {
namespace detail {

enum class Shuffle { index, up, down, exclusiveOr };

/// sourceLane() is the lane that `lane` reads from; itself where the guide leaves the value
/// unchanged.
constexpr unsigned sourceLane(Shuffle mode, unsigned lane, unsigned argument, unsigned width) {
  const unsigned first = lane & ~(width - 1);
  const unsigned last = first | (width - 1);
  switch (mode) {
  case Shuffle::index:
    return first | (argument & (width - 1));
  case Shuffle::up: // the hardware takes the low 5 bits of the distance
    return lane >= first + (argument & 31) ? lane - (argument & 31) : lane;
  case Shuffle::down:
    return lane + (argument & 31) <= last ? lane + (argument & 31) : lane;
  case Shuffle::exclusiveOr: // may read lower segments, not higher ones
    return (lane ^ (argument & 31)) <= last ? lane ^ (argument & 31) : lane;
  }
  return lane;
}

template <class Type, Shuffle mode> void resolveShuffle(const WarpGroup& group) {
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const unsigned source = sourceLane(mode, lane, call.argument, call.width);
    if (group.lanes >> source & 1)
      *static_cast<Type*>(call.out) = *static_cast<const Type*>(group.call[source]->in);
    else
      __builtin_memset(call.out, 0, sizeof(Type));
  });
}

template <Shuffle mode, class Type>
inline Type shuffle(unsigned mask, Type value, unsigned argument, int width, const char* name) {
  Type result = value;
  LaneCall call{&value, &result, argument, unsigned(width)};
  joinWarp(mask, resolveShuffle<Type, mode>, call, name);
  return result;
}

/// shuffleConverged() is for the functions without a mask (before CUDA 9): the lanes that are at
/// this place take part.
template <Shuffle mode, class Type>
inline Type shuffleConverged(Type value, unsigned argument, int width, const char* name,
                             const CallSite& site) {
  Type result = value;
  LaneCall call{&value, &result, argument, unsigned(width)};
  joinConverged(site, resolveShuffle<Type, mode>, call, name);
  return result;
}

/// Agreed is a value that all lanes of a warp have alike.
template <class Type> struct Agreed {
  Type value;
  constexpr operator Type() const { return value; }
};

} // namespace detail

/// agreed() says that all lanes of a warp have a value alike, in which each has combined the values
/// of all 32: one of them stands for the others (sameInRow()).
#if defined(CU2CPP_PARSE)
template <class Type> constexpr Type agreed(Type value) { return value; }
#else
template <class Type> constexpr detail::Agreed<Type> agreed(Type value) { return {value}; }
#endif

} // namespace cu2cpp

// Overloads and no template, as in CUDA, so that what converts to one of these types converts. The
// names without _sync stand in parentheses because programs define macros of these names, some on
// the compiler's command line.
#define CU2CPP_SHUFFLES(T)                                                                         \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T __shfl_sync(unsigned mask, T var, int srcLane, int width = warpSize) {  \
    using namespace cu2cpp::detail;                                                                \
    return shuffle<Shuffle::index>(mask, var, unsigned(srcLane), width, "__shfl_sync()");          \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T __shfl_up_sync(unsigned mask, T var, unsigned delta,                    \
                                          int width = warpSize) {                                  \
    using namespace cu2cpp::detail;                                                                \
    return shuffle<Shuffle::up>(mask, var, delta, width, "__shfl_up_sync()");                      \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T __shfl_down_sync(unsigned mask, T var, unsigned delta,                  \
                                            int width = warpSize) {                                \
    using namespace cu2cpp::detail;                                                                \
    return shuffle<Shuffle::down>(mask, var, delta, width, "__shfl_down_sync()");                  \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T __shfl_xor_sync(unsigned mask, T var, int laneMask,                     \
                                           int width = warpSize) {                                 \
    using namespace cu2cpp::detail;                                                                \
    return shuffle<Shuffle::exclusiveOr>(mask, var, unsigned(laneMask), width,                     \
                                         "__shfl_xor_sync()");                                     \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T(__shfl)(T var, int srcLane, int width = warpSize,                       \
                                   const char* file = __builtin_FILE(),                            \
                                   int line = __builtin_LINE()) {                                  \
    using namespace cu2cpp::detail;                                                                \
    return shuffleConverged<Shuffle::index>(var, unsigned(srcLane), width, "__shfl()",             \
                                            {file, line});                                         \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T(__shfl_up)(T var, unsigned delta, int width = warpSize,                 \
                                      const char* file = __builtin_FILE(),                         \
                                      int line = __builtin_LINE()) {                               \
    using namespace cu2cpp::detail;                                                                \
    return shuffleConverged<Shuffle::up>(var, delta, width, "__shfl_up()", {file, line});          \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T(__shfl_down)(T var, unsigned delta, int width = warpSize,               \
                                        const char* file = __builtin_FILE(),                       \
                                        int line = __builtin_LINE()) {                             \
    using namespace cu2cpp::detail;                                                                \
    return shuffleConverged<Shuffle::down>(var, delta, width, "__shfl_down()", {file, line});      \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline T(__shfl_xor)(T var, int laneMask, int width = warpSize,                  \
                                       const char* file = __builtin_FILE(),                        \
                                       int line = __builtin_LINE()) {                              \
    using namespace cu2cpp::detail;                                                                \
    return shuffleConverged<Shuffle::exclusiveOr>(var, unsigned(laneMask), width, "__shfl_xor()",  \
                                                  {file, line});                                   \
  }

CU2CPP_SHUFFLES(int)
CU2CPP_SHUFFLES(unsigned)
CU2CPP_SHUFFLES(long)
CU2CPP_SHUFFLES(unsigned long)
CU2CPP_SHUFFLES(long long)
CU2CPP_SHUFFLES(unsigned long long)
CU2CPP_SHUFFLES(float)
CU2CPP_SHUFFLES(double)
// CU2CPP_SHUFFLES stays: cuda_fp16.h and cuda_bf16.h add their types.

#endif

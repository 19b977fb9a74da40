// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's special registers, the number formats of registers, and helpers of shuffles. A thread's
// place in its warp is a function of its indices, which translated code has at hand.
//
// PTX ISA, 'Special Registers', 'shfl.sync', 'testp'.
#ifndef CU2CPP_DEVICE_PTX_SPECIAL_H
#define CU2CPP_DEVICE_PTX_SPECIAL_H

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include <cu2cpp/device_functions.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cu2cpp/block.h>
#include <cu2cpp/device/turn.h>

namespace cu2cpp {
namespace detail {
/// arriveBlock() counts the thread as one of the `count` of barrier `id` and does not wait.
void arriveBlock(const char* name, unsigned id, unsigned count);
} // namespace detail

namespace ptx {

CU2CPP_PURE inline unsigned rankOf(const ::uint3 thread, const ::dim3 block) noexcept {
  return thread.x + block.x * (thread.y + block.y * thread.z);
}
CU2CPP_PURE inline unsigned laneid(const ::uint3 thread, const ::dim3 block) noexcept {
  return rankOf(thread, block) % 32;
}
CU2CPP_PURE inline unsigned warpid(const ::uint3 thread, const ::dim3 block) noexcept {
  return rankOf(thread, block) / 32;
}
CU2CPP_PURE inline unsigned nwarpid(const ::dim3 block) noexcept {
  return (block.x * block.y * block.z + 31) / 32;
}
CU2CPP_PURE inline unsigned lanemask_eq(const ::uint3 thread, const ::dim3 block) noexcept {
  return 1u << laneid(thread, block);
}
CU2CPP_PURE inline unsigned lanemask_lt(const ::uint3 thread, const ::dim3 block) noexcept {
  return lanemask_eq(thread, block) - 1;
}
CU2CPP_PURE inline unsigned lanemask_le(const ::uint3 thread, const ::dim3 block) noexcept {
  return lanemask_lt(thread, block) | lanemask_eq(thread, block);
}
CU2CPP_PURE inline unsigned lanemask_gt(const ::uint3 thread, const ::dim3 block) noexcept {
  return ~lanemask_le(thread, block);
}
CU2CPP_PURE inline unsigned lanemask_ge(const ::uint3 thread, const ::dim3 block) noexcept {
  return ~lanemask_lt(thread, block);
}

/// nsmid() is the number of multiprocessors that the device's properties name; smid() is one of
/// them, the same for all threads of a block.
inline unsigned nsmid() {
  int count = 1;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return unsigned(count);
}
inline unsigned smid() {
  const Block& block = thisBlock();
  return (block.blockIdx.x +
          block.gridDim.x * (block.blockIdx.y + block.gridDim.y * block.blockIdx.z)) %
         nsmid();
}
inline unsigned dynamic_smem_size() { return unsigned(thisBlock().dynamicSharedBytes); }

/// globaltimer() is the time of day in nanoseconds. Programs wait for it.
inline unsigned long long globaltimer() noexcept {
  detail::giveTurn();
  using namespace std::chrono;
  return static_cast<unsigned long long>(
      duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
}

/// shuffleWidth() is the width of a shuffle's segments, from the operand that names the bits of the
/// lane number in which they differ.
inline int shuffleWidth(unsigned control) noexcept { return int(32 - (control >> 8 & 31)); }

/// Whether the source of a shuffle lies in the lane's own segment.
inline bool shuffleInRange_up(unsigned lane, unsigned distance, int width) noexcept {
  return (lane & unsigned(width - 1)) >= (distance & 31);
}
inline bool shuffleInRange_down(unsigned lane, unsigned distance, int width) noexcept {
  return (lane & unsigned(width - 1)) + (distance & 31) < unsigned(width);
}
inline bool shuffleInRange_bfly(unsigned lane, int by, int width) noexcept {
  return (lane ^ (unsigned(by) & 31)) <= (lane | unsigned(width - 1));
}
inline bool shuffleInRange_idx(unsigned, int, int) noexcept { return true; }

/// asHalf2() and its kin look at a register's bits as two numbers; bits() is the way back.
inline __half2 asHalf2(unsigned bits) noexcept {
  __half2 value;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
inline __nv_bfloat162 asBfloat162(unsigned bits) noexcept {
  __nv_bfloat162 value;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
template <class Two> inline unsigned bits(const Two value) noexcept {
  unsigned bits;
  static_assert(sizeof value == sizeof bits, "two numbers of 16 bits");
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
/// bar_arrive() is one half of a named barrier: others wait for it.
CU2CPP_SYNC(block) inline void bar_arrive(unsigned id, unsigned count) {
  cu2cpp::detail::arriveBlock("bar.arrive", id, count);
}

/// tf32() rounds to the 10 bits of tf32, halves away from zero, in a register's bits.
inline unsigned tf32(float x) noexcept {
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return x != x ? (bits | 0x00400000u) & 0xffffe000u : bits;
  return (bits + 0x1000u) & 0xffffe000u;
}

/// flushed() takes numbers below the normal range for zero (`.ftz`).
inline float flushed(float x) noexcept {
  return fabsf(x) < std::numeric_limits<float>::min() ? copysignf(0.0f, x) : x;
}

template <class Type> inline Type min_NaN(Type a, Type b) noexcept {
  return a != a || b != b ? std::numeric_limits<Type>::quiet_NaN() : Type(fmin(a, b));
}
template <class Type> inline Type max_NaN(Type a, Type b) noexcept {
  return a != a || b != b ? std::numeric_limits<Type>::quiet_NaN() : Type(fmax(a, b));
}

template <class Type> inline bool testp_finite(Type x) noexcept { return std::isfinite(x); }
template <class Type> inline bool testp_infinite(Type x) noexcept { return std::isinf(x); }
template <class Type> inline bool testp_number(Type x) noexcept { return x == x; }
template <class Type> inline bool testp_notanumber(Type x) noexcept { return x != x; }
/// Zero counts as normal.
template <class Type> inline bool testp_normal(Type x) noexcept {
  return std::isnormal(x) || x == 0;
}
template <class Type> inline bool testp_subnormal(Type x) noexcept {
  return std::isfinite(x) && !testp_normal(x);
}

} // namespace ptx
} // namespace cu2cpp

#endif

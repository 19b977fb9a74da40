// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's small helpers: error checks, arithmetic, the device's version, thread and lane numbers.
//
// CUB documentation, 'Utilities'.
#ifndef CU2CPP_CUB_UTIL_DEVICE_CUH
#define CU2CPP_CUB_UTIL_DEVICE_CUH

#include <cstdio>

#include <cuda_runtime_api.h>

#include <cub/util_type.cuh>

#include <cu2cpp/block.h>
#include <cu2cpp/device/lane_call.h>

#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_PTX_WARP_THREADS 32
#define CUB_LOG_WARP_THREADS(unused) 5
#define CUB_WARP_THREADS(unused) 32
#define CUB_PTX_ARCH 900
#define CUB_ALIGN(bytes) __align__(bytes)
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                            \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) {                                          \
    exit(1);                                                                                       \
  }
#define _CubLog(format, ...) printf(format, __VA_ARGS__)
#define CubLog(format, ...) _CubLog(format, __VA_ARGS__)

namespace cub {

/// Debug() prints an error with its place, as CUB does on standard error.
inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) {
    ::cudaGetLastError();
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", int(error), file, line,
                 ::cudaGetErrorString(error));
  }
  return error;
}

template <class First, class Second>
constexpr auto DivideAndRoundUp(First n, Second d) -> decltype(n / d) {
  return n / d + (n % d != 0 ? 1 : 0);
}
template <class Type> constexpr Type min(Type a, Type b) { return b < a ? b : a; }
template <class Type> constexpr Type max(Type a, Type b) { return a < b ? b : a; }

inline cudaError_t PtxVersion(int& ptx_version) {
  ptx_version = 900;
  return cudaSuccess;
}
inline cudaError_t PtxVersion(int& ptx_version, int) { return PtxVersion(ptx_version); }
inline cudaError_t SmVersion(int& sm_version, int device) {
  int major = 0, minor = 0;
  cudaError_t error = ::cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  sm_version = major * 100 + minor * 10;
  return error;
}
inline cudaError_t SmVersion(int& sm_version) {
  int device = 0;
  const cudaError_t error = ::cudaGetDevice(&device);
  return error == cudaSuccess ? SmVersion(sm_version, device) : error;
}
inline int CurrentDevice() {
  int device = -1;
  return ::cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
  int count = -1;
  return ::cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}
inline cudaError_t SyncStream(cudaStream_t stream) { return ::cudaStreamSynchronize(stream); }

CU2CPP_THREAD inline unsigned int LaneId() { return ::cu2cpp::detail::laneId(); }
CU2CPP_THREAD inline unsigned int WarpId() { return ::cu2cpp::thisThread().rank() / 32; }
CU2CPP_THREAD inline int RowMajorTid(int block_dim_x, int block_dim_y, int) {
  const ::uint3 at = ::cu2cpp::thisThread().threadIdx;
  return int(at.z) * (block_dim_x * block_dim_y) + int(at.y) * block_dim_x + int(at.x);
}
CU2CPP_THREAD inline unsigned int LaneMaskLt() { return (1u << LaneId()) - 1; }
CU2CPP_THREAD inline unsigned int LaneMaskLe() { return LaneMaskLt() | 1u << LaneId(); }
CU2CPP_THREAD inline unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
CU2CPP_THREAD inline unsigned int LaneMaskGe() { return ~LaneMaskLt(); }

template <class UnsignedBits>
inline unsigned int BFE(UnsignedBits source, unsigned int bit_start, unsigned int num_bits) {
  return unsigned((static_cast<unsigned long long>(source) >> bit_start) &
                  ((1ull << num_bits) - 1));
}
inline unsigned int SHR_ADD(unsigned int x, unsigned int shift, unsigned int addend) {
  return (x >> shift) + addend;
}
inline unsigned int SHL_ADD(unsigned int x, unsigned int shift, unsigned int addend) {
  return (x << shift) + addend;
}

/// AliasTemporaries() lays several allocations into one; without memory it says how much they need.
template <int Count>
inline cudaError_t AliasTemporaries(void* d_temp_storage, size_t& temp_storage_bytes,
                                    void* (&allocations)[Count], const size_t (&sizes)[Count]) {
  constexpr size_t alignment = 256;
  size_t offset[Count], needed = 0;
  for (int i = 0; i < Count; ++i) {
    offset[i] = needed;
    needed += (sizes[i] + alignment - 1) / alignment * alignment;
  }
  needed += alignment - 1;
  if (!d_temp_storage) {
    temp_storage_bytes = needed;
    return cudaSuccess;
  }
  if (temp_storage_bytes < needed)
    return cudaErrorInvalidValue;
  const size_t start =
      (reinterpret_cast<size_t>(d_temp_storage) + alignment - 1) / alignment * alignment;
  for (int i = 0; i < Count; ++i)
    allocations[i] = reinterpret_cast<void*>(start + offset[i]);
  return cudaSuccess;
}

} // namespace cub

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point: e4m3 (no infinities, largest number 448) and e5m2, conversions with and
// without saturation, and the types of one, two and four numbers.
//
// CUDA Math API, 'FP8 Intrinsics'.
#ifndef CU2CPP_CUDA_FP8_H
#define CU2CPP_CUDA_FP8_H
#define __CUDA_FP8_H__ // NVIDIA's guards, which programs test
#define __CUDA_FP8_TYPES_EXIST__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
#include <cu2cpp/device/small_float.h>

namespace cu2cpp {
namespace detail {

inline __nv_fp8x2_storage_t toFp8Pair(double2 x, __nv_saturation_t saturate,
                                      __nv_fp8_interpretation_t kind) noexcept {
  const bool finite = saturate == __NV_SATFINITE;
  return __nv_fp8x2_storage_t(kind == __NV_E4M3 ? smallPair<E4m3Format>(x, finite)
                                                : smallPair<E5m2Format>(x, finite));
}
inline float2 fromFp8Pair(unsigned bits, __nv_fp8_interpretation_t kind) noexcept {
  return kind == __NV_E4M3 ? fromSmallPair<E4m3Format>(bits) : fromSmallPair<E5m2Format>(bits);
}

} // namespace detail
} // namespace cu2cpp

inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8Pair(x, saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x,
                                                     const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8Pair(cu2cpp::detail::widened(x), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x,
                                                       const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8Pair(cu2cpp::detail::widened(__half2(x)), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                           const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8Pair(cu2cpp::detail::widened(__nv_bfloat162(x)), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                 const __nv_fp8_interpretation_t kind) {
  return __nv_fp8_storage_t(cu2cpp::detail::toFp8Pair(double2{x, 0}, saturate, kind));
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(double(x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                  const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(double(float(__half(x))), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(double(float(__nv_bfloat16(x))), saturate, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                          const __nv_fp8_interpretation_t kind) {
  return __half(cu2cpp::detail::fromFp8Pair(x, kind).x);
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                              const __nv_fp8_interpretation_t kind) {
  return __float22half2_rn(cu2cpp::detail::fromFp8Pair(x, kind));
}

CU2CPP_SMALL_FLOAT(__nv_fp8_e4m3, SmallFloat, 1, cu2cpp::detail::E4m3Format)
CU2CPP_SMALL_FLOAT(__nv_fp8_e5m2, SmallFloat, 1, cu2cpp::detail::E5m2Format)
CU2CPP_SMALL_FLOAT(__nv_fp8x2_e4m3, SmallFloat2, 2, cu2cpp::detail::E4m3Format,
                   __nv_fp8x2_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp8x2_e5m2, SmallFloat2, 2, cu2cpp::detail::E5m2Format,
                   __nv_fp8x2_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp8x4_e4m3, SmallFloat4, 4, cu2cpp::detail::E4m3Format,
                   __nv_fp8x4_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp8x4_e5m2, SmallFloat4, 4, cu2cpp::detail::E5m2Format,
                   __nv_fp8x4_storage_t)
#endif

#endif

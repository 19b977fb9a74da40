// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4-bit floating point: e2m1 (largest number 6), without infinities and NaNs, so that all
// conversions saturate. One number is in a byte; two share one.
//
// CUDA Math API, 'FP4 Intrinsics'.
#ifndef CU2CPP_CUDA_FP4_H
#define CU2CPP_CUDA_FP4_H
#define __CUDA_FP4_H__ // NVIDIA's guards, which programs test
#define __CUDA_FP4_TYPES_EXIST__

#include <cuda_fp6.h>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#ifdef __cplusplus
namespace cu2cpp {
namespace detail {

inline __nv_fp4x2_storage_t toFp4Pair(double2 x, __nv_fp4_interpretation_t, cudaRoundMode mode) {
  return __nv_fp4x2_storage_t(smallPair<E2m1Format>(x, true, smallRounding(mode)));
}
inline float2 fromFp4Pair(unsigned bits, __nv_fp4_interpretation_t) noexcept {
  return fromSmallPair<E2m1Format>(bits);
}

} // namespace detail
} // namespace cu2cpp

inline __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(const double2 x,
                                                      const __nv_fp4_interpretation_t kind,
                                                      const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp4Pair(x, kind, rounding);
}
inline __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(const float2 x,
                                                     const __nv_fp4_interpretation_t kind,
                                                     const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp4Pair(cu2cpp::detail::widened(x), kind, rounding);
}
inline __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(const __half2_raw x,
                                                       const __nv_fp4_interpretation_t kind,
                                                       const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp4Pair(cu2cpp::detail::widened(__half2(x)), kind, rounding);
}
inline __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(const __nv_bfloat162_raw x,
                                                           const __nv_fp4_interpretation_t kind,
                                                           const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp4Pair(cu2cpp::detail::widened(__nv_bfloat162(x)), kind, rounding);
}
inline __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x,
                                                 const __nv_fp4_interpretation_t kind,
                                                 const enum cudaRoundMode rounding) {
  return __nv_fp4_storage_t(cu2cpp::detail::toFp4Pair(double2{x, 0}, kind, rounding));
}
inline __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float x, const __nv_fp4_interpretation_t kind,
                                                const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(double(x), kind, rounding);
}
inline __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x,
                                                  const __nv_fp4_interpretation_t kind,
                                                  const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(double(float(__half(x))), kind, rounding);
}
inline __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(const __nv_bfloat16_raw x,
                                                      const __nv_fp4_interpretation_t kind,
                                                      const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(double(float(__nv_bfloat16(x))), kind, rounding);
}
inline __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x,
                                          const __nv_fp4_interpretation_t kind) {
  return __half(cu2cpp::detail::fromFp4Pair(x, kind).x);
}
inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x,
                                              const __nv_fp4_interpretation_t kind) {
  return __float22half2_rn(cu2cpp::detail::fromFp4Pair(x, kind));
}

CU2CPP_SMALL_FLOAT(__nv_fp4_e2m1, SmallFloat, 1, cu2cpp::detail::E2m1Format)
CU2CPP_SMALL_FLOAT(__nv_fp4x2_e2m1, SmallFloat2, 1, cu2cpp::detail::E2m1Format,
                   __nv_fp4x2_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp4x4_e2m1, SmallFloat4, 2, cu2cpp::detail::E2m1Format,
                   __nv_fp4x4_storage_t)
#endif

#endif

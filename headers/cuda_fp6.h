// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 6-bit floating point in bytes: e2m3 (largest number 7.5) and e3m2 (28), without infinities and
// NaNs, so that all conversions saturate, and the types of one, two and four numbers.
//
// CUDA Math API, 'FP6 Intrinsics'.
#ifndef CU2CPP_CUDA_FP6_H
#define CU2CPP_CUDA_FP6_H
#define __CUDA_FP6_H__ // NVIDIA's guards, which programs test
#define __CUDA_FP6_TYPES_EXIST__

#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#ifdef __cplusplus
namespace cu2cpp {
namespace detail {

inline __nv_fp6x2_storage_t toFp6Pair(double2 x, __nv_fp6_interpretation_t kind,
                                      cudaRoundMode mode) {
  const Rounding rounding = smallRounding(mode);
  return __nv_fp6x2_storage_t(kind == __NV_E2M3 ? smallPair<E2m3Format>(x, true, rounding)
                                                : smallPair<E3m2Format>(x, true, rounding));
}
inline float2 fromFp6Pair(unsigned bits, __nv_fp6_interpretation_t kind) noexcept {
  return kind == __NV_E2M3 ? fromSmallPair<E2m3Format>(bits) : fromSmallPair<E3m2Format>(bits);
}

} // namespace detail
} // namespace cu2cpp

inline __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(const double2 x,
                                                      const __nv_fp6_interpretation_t kind,
                                                      const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp6Pair(x, kind, rounding);
}
inline __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(const float2 x,
                                                     const __nv_fp6_interpretation_t kind,
                                                     const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp6Pair(cu2cpp::detail::widened(x), kind, rounding);
}
inline __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(const __half2_raw x,
                                                       const __nv_fp6_interpretation_t kind,
                                                       const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp6Pair(cu2cpp::detail::widened(__half2(x)), kind, rounding);
}
inline __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(const __nv_bfloat162_raw x,
                                                           const __nv_fp6_interpretation_t kind,
                                                           const enum cudaRoundMode rounding) {
  return cu2cpp::detail::toFp6Pair(cu2cpp::detail::widened(__nv_bfloat162(x)), kind, rounding);
}
inline __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double x,
                                                 const __nv_fp6_interpretation_t kind,
                                                 const enum cudaRoundMode rounding) {
  return __nv_fp6_storage_t(cu2cpp::detail::toFp6Pair(double2{x, 0}, kind, rounding));
}
inline __nv_fp6_storage_t __nv_cvt_float_to_fp6(const float x, const __nv_fp6_interpretation_t kind,
                                                const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(double(x), kind, rounding);
}
inline __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x,
                                                  const __nv_fp6_interpretation_t kind,
                                                  const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(double(float(__half(x))), kind, rounding);
}
inline __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(const __nv_bfloat16_raw x,
                                                      const __nv_fp6_interpretation_t kind,
                                                      const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(double(float(__nv_bfloat16(x))), kind, rounding);
}
inline __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x,
                                          const __nv_fp6_interpretation_t kind) {
  return __half(cu2cpp::detail::fromFp6Pair(x, kind).x);
}
inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x,
                                              const __nv_fp6_interpretation_t kind) {
  return __float22half2_rn(cu2cpp::detail::fromFp6Pair(x, kind));
}

CU2CPP_SMALL_FLOAT(__nv_fp6_e2m3, SmallFloat, 1, cu2cpp::detail::E2m3Format)
CU2CPP_SMALL_FLOAT(__nv_fp6_e3m2, SmallFloat, 1, cu2cpp::detail::E3m2Format)
CU2CPP_SMALL_FLOAT(__nv_fp6x2_e2m3, SmallFloat2, 2, cu2cpp::detail::E2m3Format,
                   __nv_fp6x2_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp6x2_e3m2, SmallFloat2, 2, cu2cpp::detail::E3m2Format,
                   __nv_fp6x2_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp6x4_e2m3, SmallFloat4, 4, cu2cpp::detail::E2m3Format,
                   __nv_fp6x4_storage_t)
CU2CPP_SMALL_FLOAT(__nv_fp6x4_e3m2, SmallFloat4, 4, cu2cpp::detail::E3m2Format,
                   __nv_fp6x4_storage_t)
#endif

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point: e4m3 (no infinities, largest number 448) and e5m2, conversions with and
// without saturation, and the types of one, two and four numbers. There is no arithmetic on them.
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
namespace cu2cpp {
namespace detail {

using E5m2Format = NarrowFormat<5, 2>;
/// E4m3Format uses the top exponent for numbers too; encode() sees a format with one exponent more.
struct E4m3Format {
  static constexpr unsigned fractions = 3;
  static constexpr int bias = 7;
  static constexpr unsigned infinity = 0x80, sign = 0x100, nan = 0xff;
};

inline __nv_fp8_storage_t toFp8(double x, __nv_saturation_t saturate,
                                __nv_fp8_interpretation_t kind) noexcept {
  const bool e4m3 = kind == __NV_E4M3;
  const unsigned sign = __builtin_signbit(x) ? 0x80u : 0u;
  if (x != x)
    return __nv_fp8_storage_t(0x7f);
  const double size = __builtin_fabs(x);
  // Halfway between the largest number and what would be the next is still rounded down in e4m3
  // (the largest number is even) and up in e5m2.
  if (e4m3 ? size > 464 : size >= 61440)
    return __nv_fp8_storage_t(sign | (saturate == __NV_SATFINITE ? (e4m3 ? 0x7eu : 0x7bu)
                                      : e4m3                     ? 0x7fu
                                                                 : 0x7cu));
  if (!e4m3)
    return __nv_fp8_storage_t(sign | encode<E5m2Format>(size));
  // Exponent 8 is one more than encode() takes for a format of four exponent bits: scale it.
  if (size >= 256)
    return __nv_fp8_storage_t(sign | (encode<E4m3Format>(size / 2) + 8));
  return __nv_fp8_storage_t(sign | encode<E4m3Format>(size));
}

inline float fromFp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) noexcept {
  const unsigned bits = x & 0x7fu;
  float size;
  if (kind == __NV_E5M2)
    size = NarrowCode<HalfFormat>::toFloat((unsigned short)(bits << 8));
  else
    size = bits == 0x7f ? sameBitsAs<float>(0x7fffffffu)
                        : sameBitsAs<float>(bits << 20) * 0x1p120f; // exact, denormals too
  return (x & 0x80) && size == size ? -size : size;
}

} // namespace detail
} // namespace cu2cpp

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                 const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8(x, saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8(double(x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                  const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8(double(float(__half(x))), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return cu2cpp::detail::toFp8(double(float(__nv_bfloat16(x))), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return __nv_fp8x2_storage_t(cu2cpp::detail::toFp8(x.x, saturate, kind) |
                              cu2cpp::detail::toFp8(x.y, saturate, kind) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x,
                                                     const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double2_to_fp8x2(double2{x.x, x.y}, saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x,
                                                       const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                           const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                          const __nv_fp8_interpretation_t kind) {
  return __half(cu2cpp::detail::fromFp8(x, kind));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                              const __nv_fp8_interpretation_t kind) {
  return __half2(__half(cu2cpp::detail::fromFp8(__nv_fp8_storage_t(x), kind)),
                 __half(cu2cpp::detail::fromFp8(__nv_fp8_storage_t(x >> 8), kind)));
}

// All conversions are explicit; to fp8 they saturate, to an integer they truncate and clamp.
#define CU2CPP_FP8(E, E2, E4, kind)                                                                \
  struct E {                                                                                       \
    __nv_fp8_storage_t __x;                                                                        \
    E() = default;                                                                                 \
    explicit E(const double x) : __x(cu2cpp::detail::toFp8(x, __NV_SATFINITE, kind)) {}            \
    explicit E(const float x) : E(double(x)) {}                                                    \
    explicit E(const __half x) : E(double(float(x))) {}                                            \
    explicit E(const __nv_bfloat16 x) : E(double(float(x))) {}                                     \
    explicit E(const short x) : E(float(x)) {}                                                     \
    explicit E(const unsigned short x) : E(float(x)) {}                                            \
    explicit E(const int x) : E(float(x)) {}                                                       \
    explicit E(const unsigned x) : E(float(x)) {}                                                  \
    explicit E(const long x) : E(float(x)) {}                                                      \
    explicit E(const unsigned long x) : E(float(x)) {}                                             \
    explicit E(const long long x) : E(float(x)) {}                                                 \
    explicit E(const unsigned long long x) : E(float(x)) {}                                        \
    explicit operator float() const { return cu2cpp::detail::fromFp8(__x, kind); }                 \
    explicit operator double() const { return double(float(*this)); }                              \
    explicit operator __half() const { return __half(float(*this)); }                              \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }                \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                   \
    explicit operator char() const { return char(__half(*this)); }                                 \
    explicit operator signed char() const { return (signed char)__half(*this); }                   \
    explicit operator unsigned char() const { return (unsigned char)__half(*this); }               \
    explicit operator short() const { return short(__half(*this)); }                               \
    explicit operator unsigned short() const { return (unsigned short)__half(*this); }             \
    explicit operator int() const { return int(__half(*this)); }                                   \
    explicit operator unsigned() const { return (unsigned)__half(*this); }                         \
    explicit operator long() const { return long(__half(*this)); }                                 \
    explicit operator unsigned long() const { return (unsigned long)__half(*this); }               \
    explicit operator long long() const { return (long long)__half(*this); }                       \
    explicit operator unsigned long long() const { return (unsigned long long)__half(*this); }     \
  };                                                                                               \
  struct __align__(2) E2 {                                                                         \
    __nv_fp8x2_storage_t __x;                                                                      \
    E2() = default;                                                                                \
    explicit E2(const double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}      \
    explicit E2(const float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}        \
    explicit E2(const __half2 x) : E2(__half22float2(x)) {}                                        \
    explicit E2(const __nv_bfloat162 x) : E2(__bfloat1622float2(x)) {}                             \
    explicit operator float2() const {                                                             \
      return float2{cu2cpp::detail::fromFp8(__nv_fp8_storage_t(__x), kind),                        \
                    cu2cpp::detail::fromFp8(__nv_fp8_storage_t(__x >> 8), kind)};                  \
    }                                                                                              \
    explicit operator __half2() const { return __float22half2_rn(float2(*this)); }                 \
  };                                                                                               \
  struct __align__(4) E4 {                                                                         \
    __nv_fp8x4_storage_t __x;                                                                      \
    E4() = default;                                                                                \
    explicit E4(const double4 x)                                                                   \
        : __x(E2(double2{x.x, x.y}).__x | unsigned(E2(double2{x.z, x.w}).__x) << 16) {}            \
    explicit E4(const float4 x) : E4(double4{x.x, x.y, x.z, x.w}) {}                               \
    explicit E4(const __half2 low, const __half2 high)                                             \
        : __x(E2(low).__x | unsigned(E2(high).__x) << 16) {}                                       \
    explicit E4(const __nv_bfloat162 low, const __nv_bfloat162 high)                               \
        : __x(E2(low).__x | unsigned(E2(high).__x) << 16) {}                                       \
    explicit operator float4() const {                                                             \
      E2 low, high;                                                                                \
      low.__x = __nv_fp8x2_storage_t(__x);                                                         \
      high.__x = __nv_fp8x2_storage_t(__x >> 16);                                                  \
      return float4{float2(low).x, float2(low).y, float2(high).x, float2(high).y};                 \
    }                                                                                              \
  };
CU2CPP_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
CU2CPP_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef CU2CPP_FP8
#endif

#endif

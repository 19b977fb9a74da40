// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point numbers of 8, 6 and 4 bits: codes to and from wider numbers, and what NVIDIA's
// types of one, two and four of them share. There is no arithmetic on them, all conversions are
// explicit, and those of the types saturate.
//
// CUDA Math API, 'FP8 Intrinsics', 'FP6 Intrinsics', 'FP4 Intrinsics'.
#ifndef CU2CPP_DEVICE_SMALL_FLOAT_H
#define CU2CPP_DEVICE_SMALL_FLOAT_H

#include <cassert>

#include <cu2cpp/device/rounded_functions.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cu2cpp {
namespace detail {

/// SmallFormat counts from code 0 to `largestCode`; the code behind it is the format's infinity, a
/// NaN, or no code at all. `nanCode` is what a NaN becomes.
template <unsigned exponentBits, unsigned fractionBits, unsigned largestCode, unsigned nanCode>
struct SmallFormat {
  static constexpr unsigned fractions = fractionBits;
  static constexpr int bias = (1 << (exponentBits - 1)) - 1;
  static constexpr unsigned infinity = largestCode + 1, nan = nanCode;
  static constexpr unsigned sign = 1u << (exponentBits + fractionBits);
  static constexpr unsigned slot = exponentBits + fractionBits < 4 ? 4 : 8; // bits in pairs
};
struct E4m3Format : SmallFormat<4, 3, 0x7e, 0x7f> {};
struct E5m2Format : SmallFormat<5, 2, 0x7b, 0x7f> {};
struct E2m3Format : SmallFormat<2, 3, 0x1f, 0x1f> {};
struct E3m2Format : SmallFormat<3, 2, 0x1f, 0x1f> {};
struct E2m1Format : SmallFormat<2, 1, 0x7, 0x7> {};

template <class Format>
inline unsigned toSmall(double x, bool saturate, Rounding rounding = Rounding::nearest) noexcept {
  if (x != x)
    return Format::nan;
  unsigned code = encode<Format>(__builtin_fabs(x), rounding);
  if (saturate && code >= Format::infinity)
    code = Format::infinity - 1;
  return code | (__builtin_signbit(x) ? Format::sign : 0u);
}

template <class Format> inline float fromSmall(unsigned bits) noexcept {
  const unsigned code = bits & (Format::sign - 1);
  if (code > Format::infinity || (code == Format::infinity && code == Format::nan))
    return sameBitsAs<float>(0x7fffffffu);
  // The code's exponent and fraction in a float's places; the product is exact, denormals too.
  const float scale = sameBitsAs<float>(unsigned(254 - Format::bias) << 23);
  const float size = code == Format::infinity
                         ? sameBitsAs<float>(0x7f800000u)
                         : sameBitsAs<float>(code << (23 - Format::fractions)) * scale;
  return bits & Format::sign ? -size : size;
}

/// smallRounding() takes the two roundings that NVIDIA's functions have; they assert the same.
inline Rounding smallRounding(cudaRoundMode mode) {
  assert(mode == cudaRoundNearest || mode == cudaRoundZero);
  return mode == cudaRoundNearest ? Rounding::nearest : Rounding::zero;
}

/// SmallFloat is one number.
template <class Format> struct SmallFloat {
  unsigned char __x;

  SmallFloat() = default;
  explicit SmallFloat(double x) : __x((unsigned char)toSmall<Format>(x, true)) {}
  explicit SmallFloat(float x) : SmallFloat(double(x)) {}
  explicit SmallFloat(__half x) : SmallFloat(double(float(x))) {}
  explicit SmallFloat(__nv_bfloat16 x) : SmallFloat(double(float(x))) {}
  explicit SmallFloat(short x) : SmallFloat(float(x)) {}
  explicit SmallFloat(unsigned short x) : SmallFloat(float(x)) {}
  explicit SmallFloat(int x) : SmallFloat(float(x)) {}
  explicit SmallFloat(unsigned x) : SmallFloat(float(x)) {}
  explicit SmallFloat(long x) : SmallFloat(float(x)) {}
  explicit SmallFloat(unsigned long x) : SmallFloat(float(x)) {}
  explicit SmallFloat(long long x) : SmallFloat(float(x)) {}
  explicit SmallFloat(unsigned long long x) : SmallFloat(float(x)) {}

  explicit operator float() const { return fromSmall<Format>(__x); }
  explicit operator double() const { return double(float(*this)); }
  explicit operator __half() const { return __half(float(*this)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }
  explicit operator bool() const { return (__x & (Format::sign - 1)) != 0; }
  // To integers they truncate and clamp.
  explicit operator char() const { return char(__half(*this)); }
  explicit operator signed char() const { return (signed char)__half(*this); }
  explicit operator unsigned char() const { return (unsigned char)__half(*this); }
  explicit operator short() const { return short(__half(*this)); }
  explicit operator unsigned short() const { return (unsigned short)__half(*this); }
  explicit operator int() const { return int(__half(*this)); }
  explicit operator unsigned() const { return (unsigned)__half(*this); }
  explicit operator long() const { return long(__half(*this)); }
  explicit operator unsigned long() const { return (unsigned long)__half(*this); }
  explicit operator long long() const { return (long long)__half(*this); }
  explicit operator unsigned long long() const { return (unsigned long long)__half(*this); }
};

/// smallPair() has the first number in the low bits.
template <class Format>
inline unsigned smallPair(double2 x, bool saturate,
                          Rounding rounding = Rounding::nearest) noexcept {
  return toSmall<Format>(x.x, saturate, rounding) | toSmall<Format>(x.y, saturate, rounding)
                                                        << Format::slot;
}
template <class Format> inline float2 fromSmallPair(unsigned bits) noexcept {
  return float2{fromSmall<Format>(bits), fromSmall<Format>(bits >> Format::slot)};
}
inline double2 widened(float2 x) noexcept { return double2{x.x, x.y}; }
inline double2 widened(__half2 x) noexcept { return widened(__half22float2(x)); }
inline double2 widened(__nv_bfloat162 x) noexcept { return widened(__bfloat1622float2(x)); }

/// SmallFloat2 is two numbers.
template <class Format, class Storage> struct SmallFloat2 {
  Storage __x;

  SmallFloat2() = default;
  explicit SmallFloat2(double2 x) : __x(Storage(smallPair<Format>(x, true))) {}
  explicit SmallFloat2(float2 x) : SmallFloat2(widened(x)) {}
  explicit SmallFloat2(__half2 x) : SmallFloat2(widened(x)) {}
  explicit SmallFloat2(__nv_bfloat162 x) : SmallFloat2(widened(x)) {}
  explicit operator float2() const { return fromSmallPair<Format>(__x); }
  explicit operator __half2() const { return __float22half2_rn(float2(*this)); }
};

/// SmallFloat4 is four numbers.
template <class Format, class Storage> struct SmallFloat4 {
  Storage __x;

  SmallFloat4() = default;
  explicit SmallFloat4(double4 x) : SmallFloat4(double2{x.x, x.y}, double2{x.z, x.w}) {}
  explicit SmallFloat4(double4_16a x) : SmallFloat4(double2{x.x, x.y}, double2{x.z, x.w}) {}
  explicit SmallFloat4(double4_32a x) : SmallFloat4(double2{x.x, x.y}, double2{x.z, x.w}) {}
  explicit SmallFloat4(float4 x) : SmallFloat4(double2{x.x, x.y}, double2{x.z, x.w}) {}
  explicit SmallFloat4(__half2 low, __half2 high) : SmallFloat4(widened(low), widened(high)) {}
  explicit SmallFloat4(__nv_bfloat162 low, __nv_bfloat162 high)
      : SmallFloat4(widened(low), widened(high)) {}
  explicit operator float4() const {
    const float2 low = fromSmallPair<Format>(__x);
    const float2 high = fromSmallPair<Format>(unsigned(__x) >> 2 * Format::slot);
    return float4{low.x, low.y, high.x, high.y};
  }

private:
  SmallFloat4(double2 low, double2 high)
      : __x(Storage(smallPair<Format>(low, true) | smallPair<Format>(high, true)
                                                       << 2 * Format::slot)) {}
};

} // namespace detail
} // namespace cu2cpp

// The types are classes of their own, as programs declare them ahead.
#define CU2CPP_SMALL_FLOAT(name, Family, alignment, ...)                                           \
  struct __align__(alignment) name : cu2cpp::detail::Family<__VA_ARGS__> {                         \
    using Family::Family;                                                                          \
    name() = default;                                                                              \
  };

#endif

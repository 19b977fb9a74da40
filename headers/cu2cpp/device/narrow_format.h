// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats of 16 and 8 bits: encoding from double with any rounding, decoding, and
// arithmetic that rounds once. A result is computed in float or double where that is exact, or
// where a second rounding can't show (the wide format has at least 2p + 2 bits); fused operations
// round to odd in double first.
//
// CUDA C++ Programming Guide, 'Floating-Point Standard'; PTX ISA, 'cvt'.
#ifndef CU2CPP_DEVICE_NARROW_FORMAT_H
#define CU2CPP_DEVICE_NARROW_FORMAT_H

#include <cu2cpp/device/conversions.h>

namespace cu2cpp {
namespace detail {

enum class Rounding { nearest, zero, down, up };

/// NarrowFormat is a sign, `exponentBits` and `fractionBits`, with infinities and NaNs as in IEEE
/// 754.
template <unsigned exponentBits, unsigned fractionBits> struct NarrowFormat {
  static constexpr unsigned exponents = exponentBits, fractions = fractionBits;
  static constexpr int bias = (1 << (exponentBits - 1)) - 1;
  static constexpr unsigned infinity = ((1u << exponentBits) - 1) << fractionBits;
  static constexpr unsigned sign = 1u << (exponentBits + fractionBits);
  static constexpr unsigned nan = sign - 1; // what the hardware's operations give for any NaN
};
using HalfFormat = NarrowFormat<5, 10>;
using BfloatFormat = NarrowFormat<8, 7>;

/// encode() rounds to the format. An infinite result stays one; beyond the range the result is
/// infinite or the largest number, as the rounding says.
template <class Format> inline unsigned encode(double x, Rounding rounding = Rounding::nearest) {
  const unsigned long long bits = sameBitsAs<unsigned long long>(x);
  const unsigned sign = bits >> 63 ? Format::sign : 0u;
  const unsigned long long magnitude = bits & ~0ull >> 1;
  if (magnitude >= 0x7ffull << 52)
    return magnitude > 0x7ffull << 52 ? Format::nan : sign | Format::infinity;
  if (magnitude == 0)
    return sign;
  int exponent = int(magnitude >> 52) - 1023;
  const unsigned long long fraction = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
  unsigned drop = 52 - Format::fractions;
  const int least = 1 - Format::bias;
  unsigned base = 0;
  if (exponent < least) { // denormal: the hidden bit becomes a visible one
    const unsigned more = unsigned(least - exponent);
    drop = more > 62 - drop ? 62 : drop + more;
  } else {
    base = unsigned(exponent + Format::bias - 1) << Format::fractions;
  }
  unsigned result = base + unsigned(fraction >> drop);
  const unsigned long long rest = fraction & ((1ull << drop) - 1), half = 1ull << (drop - 1);
  const bool away = rounding == Rounding::nearest ? rest > half || (rest == half && (result & 1))
                    : rounding == Rounding::down  ? sign != 0 && rest != 0
                    : rounding == Rounding::up    ? sign == 0 && rest != 0
                                                  : false;
  result += away;
  if (result >= Format::infinity) {
    const bool toInfinity = rounding == Rounding::nearest ||
                            (rounding == Rounding::down && sign != 0) ||
                            (rounding == Rounding::up && sign == 0);
    result = toInfinity ? Format::infinity : Format::infinity - 1;
  }
  return sign | result;
}

template <class Format> struct NarrowCode;

template <> struct NarrowCode<HalfFormat> {
  static unsigned short fromFloat(float x) noexcept {
    unsigned u = sameBitsAs<unsigned>(x);
    const unsigned sign = u >> 16 & 0x8000u;
    u &= 0x7fffffffu;
    if (u >= 0x47800000u) // 2^16 and above
      return (unsigned short)(u > 0x7f800000u ? 0x7fffu : sign | 0x7c00u);
    if (u < 0x38800000u) { // denormal: the unit in the last place of 0.5f is that of these numbers
      const float shifted = sameBitsAs<float>(u) + 0.5f;
      return (unsigned short)(sign | (sameBitsAs<unsigned>(shifted) - 0x3f000000u));
    }
    u += 0xc8000fffu + (u >> 13 & 1); // exponent to the new bias, and round to even
    return (unsigned short)(sign | u >> 13);
  }
  static float toFloat(unsigned short bits) noexcept {
    const unsigned sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u)
      return sameBitsAs<float>(magnitude > 0x7c00u ? 0x7fffffffu : sign | 0x7f800000u);
    const float scaled = sameBitsAs<float>(magnitude << 13) * 0x1p112f; // exact, denormals too
    return sameBitsAs<float>(sameBitsAs<unsigned>(scaled) | sign);
  }
  /// A product of two is exact in float.
  static float product(float a, float b) noexcept { return a * b; }
  static unsigned short quotient(float a, float b) noexcept {
    return (unsigned short)encode<HalfFormat>(double(a) / double(b));
  }
};

template <> struct NarrowCode<BfloatFormat> {
  static unsigned short fromFloat(float x) noexcept {
    const unsigned u = sameBitsAs<unsigned>(x);
    if ((u & 0x7fffffffu) > 0x7f800000u)
      return 0x7fff;
    return (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
  }
  static float toFloat(unsigned short bits) noexcept {
    return sameBitsAs<float>(unsigned(bits) << 16);
  }
  // The product of small numbers loses bits in float, so that a tie could appear.
  static double product(float a, float b) noexcept { return double(a) * double(b); }
  static unsigned short quotient(float a, float b) noexcept {
    return (unsigned short)encode<BfloatFormat>(double(a) / double(b));
  }
};

template <class Format> inline unsigned short encodeNearest(float x) noexcept {
  return NarrowCode<Format>::fromFloat(x);
}
template <class Format> inline unsigned short encodeNearest(double x) noexcept {
  return (unsigned short)encode<Format>(x);
}

/// sumToOdd() is a + b, where an inexact result gets an odd last bit: rounding it once more to
/// fewer bits is then as good as rounding the exact sum.
inline double sumToOdd(double a, double b) noexcept {
  const double sum = a + b;
  if (!(sum - sum == 0)) // infinite or NaN
    return sum;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  unsigned long long bits = sameBitsAs<unsigned long long>(sum);
  if (error == 0 || (bits & 1))
    return sum;
  bits += (error > 0) == (sum > 0) ? 1ull : ~0ull;
  return sameBitsAs<double>(bits);
}

/// wideToOdd() is an integer as a double, rounded to odd.
inline double wideToOdd(unsigned long long x) noexcept {
  if (x >> 53)
    x = (x & ~0xfffull) | ((x & 0xfff) != 0 ? 0x800u : 0u);
  return double(x);
}
inline double wideToOdd(long long x) noexcept {
  return x < 0 ? -wideToOdd(0ull - (unsigned long long)x) : wideToOdd((unsigned long long)x);
}

/// roundTo() rounds to an integral value.
inline float roundTo(float x, Rounding rounding) noexcept {
  return rounding == Rounding::nearest ? roundNearest(x)
         : rounding == Rounding::zero  ? roundToZero(x)
         : rounding == Rounding::down  ? roundDown(x)
                                       : roundUp(x);
}

/// clampNarrow() converts an integral value to an integer type; a NaN becomes 0, in 64 bits the
/// sign bit alone.
template <class To> inline To clampNarrow(float x) noexcept {
  if constexpr (sizeof(To) < 4)
    return x != x                                      ? To(0)
           : x < float(std::numeric_limits<To>::min()) ? std::numeric_limits<To>::min()
           : x > float(std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max()
                                                       : To(x);
  else
    return clampTo<To>(x);
}

} // namespace detail
} // namespace cu2cpp

#endif

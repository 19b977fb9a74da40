// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floating-point values to integer types that cannot hold them: a GPU takes the
// nearest value of the type, and 0 or the smallest for NaN. C++ leaves the result open, and x86
// processors take the smallest. Translated code says clamped() where that can happen.
//
// PTX ISA, 'cvt': "the result is clamped to the destination range by default".
#ifndef CU2CPP_DEVICE_CASTS_H
#define CU2CPP_DEVICE_CASTS_H

#include <type_traits>

#include <cu2cpp/device/conversions.h>

namespace cu2cpp {

/// Clamped is a floating-point value that becomes an integer as on a GPU.
template <class Float> struct Clamped {
  Float value;

  template <class To, class = typename std::enable_if<std::is_arithmetic<To>::value>::type>
  constexpr operator To() const noexcept {
    if constexpr (std::is_floating_point<To>::value || std::is_same<To, bool>::value) {
      return static_cast<To>(value);
    } else {
      // Types of 8 and 16 bits get the lower bits of a clamped one of 32.
      using Wide = typename std::conditional<
          (sizeof(To) >= 4), To,
          typename std::conditional<std::is_signed<To>::value, int, unsigned>::type>::type;
      return static_cast<To>(detail::clampTo<Wide>(value));
    }
  }
};

constexpr Clamped<float> clamped(float value) noexcept { return {value}; }
constexpr Clamped<double> clamped(double value) noexcept { return {value}; }
/// Others, in instances of templates, are what they are.
template <class Type> constexpr const Type& clamped(const Type& value) noexcept { return value; }

/// ClampedTo is an integer variable that a compound assignment with a floating-point value changes.
template <class To> struct ClampedTo {
  To& to;

  template <class Float> constexpr To& operator+=(Float value) const noexcept {
    return to = static_cast<To>(clamped(to + value));
  }
  template <class Float> constexpr To& operator-=(Float value) const noexcept {
    return to = static_cast<To>(clamped(to - value));
  }
  template <class Float> constexpr To& operator*=(Float value) const noexcept {
    return to = static_cast<To>(clamped(to * value));
  }
  template <class Float> constexpr To& operator/=(Float value) const noexcept {
    return to = static_cast<To>(clamped(to / value));
  }
};

template <class To> constexpr ClampedTo<To> clampedTo(To& to) noexcept { return {to}; }

} // namespace cu2cpp

#endif

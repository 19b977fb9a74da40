// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with the rounding in the name, and reinterpretation of bits. To an integer: the value
// is rounded to an integer, then clamped to the type's range; a NaN becomes 0 from float to 32 bits
// and the sign bit alone otherwise.
//
// CUDA Math API, 'Type Casting Intrinsics'; PTX ISA, 'cvt' (clamping, NaN).
#ifndef CU2CPP_DEVICE_CONVERSIONS_H
#define CU2CPP_DEVICE_CONVERSIONS_H

#include <limits>

#include <cu2cpp/device/rounding.h>

namespace cu2cpp {
namespace detail {

template <class To, class From> inline To sameBitsAs(From from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

/// clampTo() converts an integral floating-point value to an integer type as described above.
template <class To, class From> constexpr To clampTo(From x) noexcept {
  using Limits = std::numeric_limits<To>;
  // The first value beyond the range is a power of two, so it is exact; the largest in range may
  // not be.
  constexpr From beyond = From(2) * From(To(1) << (Limits::digits - 1));
  if (x >= beyond)
    return Limits::max();
  if (x < From(Limits::min()))
    return Limits::min();
  if (x != x)
    return sizeof(From) == 4 && sizeof(To) == 4 ? To(0) : To(1ull << (sizeof(To) * 8 - 1));
  return static_cast<To>(x);
}

inline float roundNearest(float x) noexcept { return __builtin_rintf(x); }
inline float roundDown(float x) noexcept { return __builtin_floorf(x); }
inline float roundUp(float x) noexcept { return __builtin_ceilf(x); }
inline float roundToZero(float x) noexcept { return __builtin_truncf(x); }
inline double roundNearest(double x) noexcept { return __builtin_rint(x); }
inline double roundDown(double x) noexcept { return __builtin_floor(x); }
inline double roundUp(double x) noexcept { return __builtin_ceil(x); }
inline double roundToZero(double x) noexcept { return __builtin_trunc(x); }

} // namespace detail
} // namespace cu2cpp

inline int __float2int_rn(float x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundNearest(x));
}
inline int __float2int_rz(float x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundToZero(x));
}
inline int __float2int_ru(float x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundUp(x));
}
inline int __float2int_rd(float x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundDown(x));
}
inline unsigned __float2uint_rn(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundNearest(x));
}
inline unsigned __float2uint_rz(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundToZero(x));
}
inline unsigned __float2uint_ru(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundUp(x));
}
inline unsigned __float2uint_rd(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundDown(x));
}
inline long long __float2ll_rn(float x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundNearest(x));
}
inline long long __float2ll_rz(float x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundToZero(x));
}
inline long long __float2ll_ru(float x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundUp(x));
}
inline long long __float2ll_rd(float x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundDown(x));
}
inline unsigned long long __float2ull_rn(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundNearest(x));
}
inline unsigned long long __float2ull_rz(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundToZero(x));
}
inline unsigned long long __float2ull_ru(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundUp(x));
}
inline unsigned long long __float2ull_rd(float x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundDown(x));
}
inline int __double2int_rn(double x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundNearest(x));
}
inline int __double2int_rz(double x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundToZero(x));
}
inline int __double2int_ru(double x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundUp(x));
}
inline int __double2int_rd(double x) noexcept {
  return cu2cpp::detail::clampTo<int>(cu2cpp::detail::roundDown(x));
}
inline unsigned __double2uint_rn(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundNearest(x));
}
inline unsigned __double2uint_rz(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundToZero(x));
}
inline unsigned __double2uint_ru(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundUp(x));
}
inline unsigned __double2uint_rd(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned>(cu2cpp::detail::roundDown(x));
}
inline long long __double2ll_rn(double x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundNearest(x));
}
inline long long __double2ll_rz(double x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundToZero(x));
}
inline long long __double2ll_ru(double x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundUp(x));
}
inline long long __double2ll_rd(double x) noexcept {
  return cu2cpp::detail::clampTo<long long>(cu2cpp::detail::roundDown(x));
}
inline unsigned long long __double2ull_rn(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundNearest(x));
}
inline unsigned long long __double2ull_rz(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundToZero(x));
}
inline unsigned long long __double2ull_ru(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundUp(x));
}
inline unsigned long long __double2ull_rd(double x) noexcept {
  return cu2cpp::detail::clampTo<unsigned long long>(cu2cpp::detail::roundDown(x));
}

inline float __int2float_rn(int x) noexcept { return static_cast<float>(x); }
inline double __int2double_rn(int x) noexcept { return static_cast<double>(x); }
inline float __uint2float_rn(unsigned x) noexcept { return static_cast<float>(x); }
inline double __uint2double_rn(unsigned x) noexcept { return static_cast<double>(x); }
inline float __ll2float_rn(long long x) noexcept { return static_cast<float>(x); }
inline double __ll2double_rn(long long x) noexcept { return static_cast<double>(x); }
inline float __ull2float_rn(unsigned long long x) noexcept { return static_cast<float>(x); }
inline double __ull2double_rn(unsigned long long x) noexcept { return static_cast<double>(x); }
inline float __double2float_rn(double x) noexcept { return static_cast<float>(x); }

#define CU2CPP_DIRECTED(suffix, mode)                                                              \
  inline float __int2float_##suffix(int x) noexcept { return cu2cpp::detail::narrowed<mode>(x); }  \
  inline float __uint2float_##suffix(unsigned x) noexcept {                                        \
    return cu2cpp::detail::narrowed<mode>(x);                                                      \
  }                                                                                                \
  inline float __ll2float_##suffix(long long x) noexcept {                                         \
    return cu2cpp::detail::Directed<mode>::toFloat(x);                                             \
  }                                                                                                \
  inline double __ll2double_##suffix(long long x) noexcept {                                       \
    return cu2cpp::detail::Directed<mode>::toDouble(x);                                            \
  }                                                                                                \
  inline float __ull2float_##suffix(unsigned long long x) noexcept {                               \
    return cu2cpp::detail::Directed<mode>::toFloat(x);                                             \
  }                                                                                                \
  inline double __ull2double_##suffix(unsigned long long x) noexcept {                             \
    return cu2cpp::detail::Directed<mode>::toDouble(x);                                            \
  }                                                                                                \
  inline float __double2float_##suffix(double x) noexcept {                                        \
    return cu2cpp::detail::narrowed<mode>(x);                                                      \
  }
CU2CPP_DIRECTED(rz, cu2cpp::detail::Direction::Zero)
CU2CPP_DIRECTED(ru, cu2cpp::detail::Direction::Up)
CU2CPP_DIRECTED(rd, cu2cpp::detail::Direction::Down)
#undef CU2CPP_DIRECTED

inline float __int_as_float(int x) noexcept { return cu2cpp::detail::sameBitsAs<float>(x); }
inline int __float_as_int(float x) noexcept { return cu2cpp::detail::sameBitsAs<int>(x); }
inline float __uint_as_float(unsigned x) noexcept { return cu2cpp::detail::sameBitsAs<float>(x); }
inline unsigned __float_as_uint(float x) noexcept {
  return cu2cpp::detail::sameBitsAs<unsigned>(x);
}
inline double __longlong_as_double(long long x) noexcept {
  return cu2cpp::detail::sameBitsAs<double>(x);
}
inline long long __double_as_longlong(double x) noexcept {
  return cu2cpp::detail::sameBitsAs<long long>(x);
}
inline int __double2hiint(double x) noexcept {
  return int(cu2cpp::detail::sameBitsAs<unsigned long long>(x) >> 32);
}
inline int __double2loint(double x) noexcept {
  return int(unsigned(cu2cpp::detail::sameBitsAs<unsigned long long>(x)));
}
inline double __hiloint2double(int hi, int lo) noexcept {
  return cu2cpp::detail::sameBitsAs<double>((unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}

#endif

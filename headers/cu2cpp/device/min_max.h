// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fminf(), fmaxf(), fmin() and fmax() as a GPU computes them, and CUDA's global min() and max()
// with their mixed-type overloads, for host and device. Not templates, so that they win over
// std::min and std::max under `using namespace std`. The names stand in parentheses because
// programs define macros of these names.
//
// CUDA Math API, 'Integer Mathematical Functions' and the C++ overloads of 'Single/Double Precision
// Mathematical Functions'; PTX ISA, 'min' and 'max'.
#ifndef CU2CPP_DEVICE_MIN_MAX_H
#define CU2CPP_DEVICE_MIN_MAX_H

#include <math.h>

#include <type_traits>

#include <cu2cpp/attributes.h>

namespace cu2cpp {
namespace detail {

template <class Type>
using BitsOf = std::conditional_t<sizeof(Type) == 4, unsigned, unsigned long long>;
template <class Type> inline Type bitsOr(Type a, Type b) noexcept {
  using Bits = BitsOf<Type>;
  return __builtin_bit_cast(Type, __builtin_bit_cast(Bits, a) | __builtin_bit_cast(Bits, b));
}
template <class Type> inline Type bitsAnd(Type a, Type b) noexcept {
  using Bits = BitsOf<Type>;
  return __builtin_bit_cast(Type, __builtin_bit_cast(Bits, a) & __builtin_bit_cast(Bits, b));
}

// A NaN yields to a number, and -0 is less than +0.
#if defined(CU2CPP_EXACT_MINNUM) && defined(__OPTIMIZE__) && defined(__AVX512DQ__) &&              \
    defined(__AVX512VL__)
// cu2cc has a pass with clang++ that makes the one instruction of it that knows both rules.
inline float lesser(float a, float b) noexcept { return __builtin_fminf(a, b); }
inline float greater(float a, float b) noexcept { return __builtin_fmaxf(a, b); }
inline double lesser(double a, double b) noexcept { return __builtin_fmin(a, b); }
inline double greater(double a, double b) noexcept { return __builtin_fmax(a, b); }
#else
// Expressions, because g++ keeps calls of the C library's functions in loops. The machine's own
// minimum gives its second operand for two zeros and beside a NaN, so that the operand that is to
// win there goes second: for zeros the sign of one of them tells which.
template <class Type> inline bool isNegative(Type a) noexcept {
  using Bits = std::conditional_t<sizeof(Type) == 4, int, long long>;
  return __builtin_bit_cast(Bits, a) < 0;
}
template <class Type> inline Type lesser(Type a, Type b) noexcept {
  const bool second = isNegative(b);
  const Type x = second ? a : b, y = second ? b : a;
  const Type number = y != y ? x : y; // first, or compilers would join the two choices
  return x < number ? x : number;
}
template <class Type> inline Type greater(Type a, Type b) noexcept {
  const bool second = isNegative(b);
  const Type x = second ? b : a, y = second ? a : b;
  const Type number = y != y ? x : y; // first, or compilers would join the two choices
  return x > number ? x : number;
}

#endif

} // namespace detail
} // namespace cu2cpp

// The C library's functions with a body for the compiler to inline (gnu_inline: no second
// definition). std::fmin(float, float) stays the compiler's own.
#define CU2CPP_INLINED extern inline __attribute__((gnu_inline, always_inline))
extern "C" {
CU2CPP_INLINED float fminf(float a, float b) noexcept { return cu2cpp::detail::lesser(a, b); }
CU2CPP_INLINED float fmaxf(float a, float b) noexcept { return cu2cpp::detail::greater(a, b); }
CU2CPP_INLINED double fmin(double a, double b) noexcept { return cu2cpp::detail::lesser(a, b); }
CU2CPP_INLINED double fmax(double a, double b) noexcept { return cu2cpp::detail::greater(a, b); }
}
#undef CU2CPP_INLINED

#define CU2CPP_MIN_MAX(R, A, B)                                                                    \
  CU2CPP_PURE inline R(min)(A a, B b) noexcept {                                                   \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                          \
    return y < x ? y : x;                                                                          \
  }                                                                                                \
  CU2CPP_PURE inline R(max)(A a, B b) noexcept {                                                   \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                          \
    return x < y ? y : x;                                                                          \
  }
#define CU2CPP_MIN_MAX_FLOAT(R, A, B)                                                              \
  inline R(min)(A a, B b) noexcept { return cu2cpp::detail::lesser(R(a), R(b)); }                  \
  inline R(max)(A a, B b) noexcept { return cu2cpp::detail::greater(R(a), R(b)); }

CU2CPP_MIN_MAX(int, int, int)
CU2CPP_MIN_MAX(unsigned, unsigned, unsigned)
CU2CPP_MIN_MAX(unsigned, int, unsigned)
CU2CPP_MIN_MAX(unsigned, unsigned, int)
CU2CPP_MIN_MAX(long, long, long)
CU2CPP_MIN_MAX(unsigned long, unsigned long, unsigned long)
CU2CPP_MIN_MAX(unsigned long, long, unsigned long)
CU2CPP_MIN_MAX(unsigned long, unsigned long, long)
CU2CPP_MIN_MAX(long long, long long, long long)
CU2CPP_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CU2CPP_MIN_MAX(unsigned long long, long long, unsigned long long)
CU2CPP_MIN_MAX(unsigned long long, unsigned long long, long long)
CU2CPP_MIN_MAX_FLOAT(float, float, float)
CU2CPP_MIN_MAX_FLOAT(double, double, double)
CU2CPP_MIN_MAX_FLOAT(double, float, double)
CU2CPP_MIN_MAX_FLOAT(double, double, float)
#undef CU2CPP_MIN_MAX_FLOAT
#undef CU2CPP_MIN_MAX

inline unsigned umin(unsigned a, unsigned b) noexcept { return b < a ? b : a; }
inline unsigned umax(unsigned a, unsigned b) noexcept { return a < b ? b : a; }
inline long long llmin(long long a, long long b) noexcept { return b < a ? b : a; }
inline long long llmax(long long a, long long b) noexcept { return a < b ? b : a; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) noexcept {
  return b < a ? b : a;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) noexcept {
  return a < b ? b : a;
}

#endif

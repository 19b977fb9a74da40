// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's global min() and max() with their mixed-type overloads, for host and device. Not
// templates, so that they win over std::min and std::max under `using namespace std`. The names
// stand in parentheses because programs define macros of these names.
//
// CUDA Math API, 'Integer Mathematical Functions' and the C++ overloads of 'Single/Double Precision
// Mathematical Functions'.
#ifndef CU2CPP_DEVICE_MIN_MAX_H
#define CU2CPP_DEVICE_MIN_MAX_H

#include <math.h>

namespace cu2cpp {
namespace detail {

// fmin() and fmax() as expressions, because compilers keep calls of the C library's in loops: a NaN
// yields to a number.
template <class T> inline T lesser(T a, T b) { return a < b ? a : (b == b ? b : a); }
template <class T> inline T greater(T a, T b) { return a > b ? a : (b == b ? b : a); }

} // namespace detail
} // namespace cu2cpp

#define CU2CPP_MIN_MAX(R, A, B)                                                                    \
  inline R(min)(A a, B b) noexcept {                                                               \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                          \
    return y < x ? y : x;                                                                          \
  }                                                                                                \
  inline R(max)(A a, B b) noexcept {                                                               \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                          \
    return x < y ? y : x;                                                                          \
  }
#define CU2CPP_MIN_MAX_FLOAT(R, A, B)                                                              \
  inline R(min)(A a, B b) noexcept { return cu2cpp::detail::lesser<R>(a, b); }                     \
  inline R(max)(A a, B b) noexcept { return cu2cpp::detail::greater<R>(a, b); }

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

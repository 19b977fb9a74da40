// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the rounding in the name: _rn nearest even, _rz towards zero, _ru up, _rd down.
// The directed forms set the processor's rounding mode around the operation, so all are exact. No
// form is merged into a multiply-add.
//
// CUDA Math API, 'Single/Double Precision Intrinsics'.
#ifndef CU2CPP_DEVICE_ROUNDING_H
#define CU2CPP_DEVICE_ROUNDING_H

#include <fenv.h>

namespace cu2cpp {
namespace detail {

/// CU2CPP_UNFUSED stands at the head of a function whose operations clang may not merge with
/// others; unfused() does the same to a value for g++, which has no such pragma.
#if defined(__clang__)
#define CU2CPP_UNFUSED _Pragma("clang fp contract(off)")
#else
#define CU2CPP_UNFUSED
#endif
template <class Type> inline Type unfused(Type x) noexcept {
#if defined(__clang__)
  return x;
#elif defined(__x86_64__)
  __asm__("" : "+x"(x));
  return x;
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
  return x;
#else
  volatile Type kept = x;
  return kept;
#endif
}

struct Add {
  template <class Type> Type operator()(Type a, Type b) const { return a + b; }
};
struct Subtract {
  template <class Type> Type operator()(Type a, Type b) const { return a - b; }
};
struct Multiply {
  template <class Type> Type operator()(Type a, Type b) const { return a * b; }
};
struct Divide {
  template <class Type> Type operator()(Type a, Type b) const { return a / b; }
};
struct Reciprocal {
  template <class Type> Type operator()(Type a) const { return Type(1) / a; }
};
struct SquareRoot {
  float operator()(float a) const { return __builtin_sqrtf(a); }
  double operator()(double a) const { return __builtin_sqrt(a); }
};
struct MultiplyAdd {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};
template <class To> struct Convert {
  template <class From> To operator()(From a) const { return static_cast<To>(a); }
};

/// pinned() is its argument at this point of the program: the optimiser neither knows the value nor
/// moves its use before this place or its computation behind it.
template <class Type> inline Type pinned(Type x) noexcept {
  __asm__ volatile("" : "+m"(x));
  return x;
}

/// directed() is operation(operands...) under the rounding mode.
template <class Result, int mode, class Operation, class... Type>
inline Result directed(Operation operation, Type... operands) noexcept {
  // Neither what the operands are computed from nor what is done to the result may be computed
  // under the other mode.
  const int done[] = {(operands = pinned(operands), 0)...};
  (void)done;
  const int before = fegetround();
  fesetround(mode);
  const Result result = pinned<Result>(operation(pinned(operands)...));
  fesetround(before);
  return pinned<Result>(result);
}

} // namespace detail
} // namespace cu2cpp

inline float __fadd_rn(float x, float y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x) + cu2cpp::detail::unfused(y);
}
inline float __fsub_rn(float x, float y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x) - cu2cpp::detail::unfused(y);
}
inline float __fmul_rn(float x, float y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x * y);
}
inline float __fdiv_rn(float x, float y) noexcept { return x / y; }
inline float __frcp_rn(float x) noexcept { return 1.0f / x; }
inline float __fsqrt_rn(float x) noexcept { return __builtin_sqrtf(x); }
inline double __dadd_rn(double x, double y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x) + cu2cpp::detail::unfused(y);
}
inline double __dsub_rn(double x, double y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x) - cu2cpp::detail::unfused(y);
}
inline double __dmul_rn(double x, double y) noexcept {
  CU2CPP_UNFUSED return cu2cpp::detail::unfused(x * y);
}
inline double __ddiv_rn(double x, double y) noexcept { return x / y; }
inline double __drcp_rn(double x) noexcept { return 1.0 / x; }
inline double __dsqrt_rn(double x) noexcept { return __builtin_sqrt(x); }
inline float __fmaf_rn(float x, float y, float z) noexcept { return __builtin_fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) noexcept { return __builtin_fma(x, y, z); }
inline float __fmaf_ieee_rn(float x, float y, float z) noexcept { return __builtin_fmaf(x, y, z); }
// In double the quotient's error is far below half a unit of float, ties included (a square root
// has none).
inline float __frsqrt_rn(float x) noexcept { return float(1.0 / __builtin_sqrt(double(x))); }

#define CU2CPP_DIRECTED(suffix, mode)                                                              \
  inline float __fadd_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::Add(), x, y);                     \
  }                                                                                                \
  inline float __fsub_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::Subtract(), x, y);                \
  }                                                                                                \
  inline float __fmul_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::Multiply(), x, y);                \
  }                                                                                                \
  inline float __fdiv_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::Divide(), x, y);                  \
  }                                                                                                \
  inline float __frcp_##suffix(float x) noexcept {                                                 \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::Reciprocal(), x);                 \
  }                                                                                                \
  inline float __fsqrt_##suffix(float x) noexcept {                                                \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::SquareRoot(), x);                 \
  }                                                                                                \
  inline double __dadd_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::Add(), x, y);                    \
  }                                                                                                \
  inline double __dsub_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::Subtract(), x, y);               \
  }                                                                                                \
  inline double __dmul_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::Multiply(), x, y);               \
  }                                                                                                \
  inline double __ddiv_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::Divide(), x, y);                 \
  }                                                                                                \
  inline double __drcp_##suffix(double x) noexcept {                                               \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::Reciprocal(), x);                \
  }                                                                                                \
  inline double __dsqrt_##suffix(double x) noexcept {                                              \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::SquareRoot(), x);                \
  }                                                                                                \
  inline float __fmaf_##suffix(float x, float y, float z) noexcept {                               \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::MultiplyAdd(), x, y, z);          \
  }                                                                                                \
  inline float __fmaf_ieee_##suffix(float x, float y, float z) noexcept {                          \
    return cu2cpp::detail::directed<float, mode>(cu2cpp::detail::MultiplyAdd(), x, y, z);          \
  }                                                                                                \
  inline double __fma_##suffix(double x, double y, double z) noexcept {                            \
    return cu2cpp::detail::directed<double, mode>(cu2cpp::detail::MultiplyAdd(), x, y, z);         \
  }
CU2CPP_DIRECTED(rz, FE_TOWARDZERO)
CU2CPP_DIRECTED(ru, FE_UPWARD)
CU2CPP_DIRECTED(rd, FE_DOWNWARD)
#undef CU2CPP_DIRECTED

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the rounding in the name: _rn nearest even, _rz towards zero, _ru up, _rd down.
// No form is merged into a multiply-add.
//
// CUDA Math API, 'Single/Double Precision Intrinsics'.
#ifndef CU2CPP_DEVICE_ROUNDING_H
#define CU2CPP_DEVICE_ROUNDING_H

#include <cu2cpp/device/directed_rounding.h>

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
#else
  return opaque(x);
#endif
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
    return cu2cpp::detail::Directed<mode>::add(x, y);                                              \
  }                                                                                                \
  inline float __fsub_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::Directed<mode>::add(x, -y);                                             \
  }                                                                                                \
  inline float __fmul_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::Directed<mode>::multiply(x, y);                                         \
  }                                                                                                \
  inline float __fdiv_##suffix(float x, float y) noexcept {                                        \
    return cu2cpp::detail::Directed<mode>::divide(x, y);                                           \
  }                                                                                                \
  inline float __frcp_##suffix(float x) noexcept {                                                 \
    return cu2cpp::detail::Directed<mode>::divide(float(1), x);                                    \
  }                                                                                                \
  inline float __fsqrt_##suffix(float x) noexcept {                                                \
    return cu2cpp::detail::Directed<mode>::squareRoot(x);                                          \
  }                                                                                                \
  inline double __dadd_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::Directed<mode>::add(x, y);                                              \
  }                                                                                                \
  inline double __dsub_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::Directed<mode>::add(x, -y);                                             \
  }                                                                                                \
  inline double __dmul_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::Directed<mode>::multiply(x, y);                                         \
  }                                                                                                \
  inline double __ddiv_##suffix(double x, double y) noexcept {                                     \
    return cu2cpp::detail::Directed<mode>::divide(x, y);                                           \
  }                                                                                                \
  inline double __drcp_##suffix(double x) noexcept {                                               \
    return cu2cpp::detail::Directed<mode>::divide(double(1), x);                                   \
  }                                                                                                \
  inline double __dsqrt_##suffix(double x) noexcept {                                              \
    return cu2cpp::detail::Directed<mode>::squareRoot(x);                                          \
  }                                                                                                \
  inline float __fmaf_##suffix(float x, float y, float z) noexcept {                               \
    return cu2cpp::detail::Directed<mode>::multiplyAdd(x, y, z);                                   \
  }                                                                                                \
  inline float __fmaf_ieee_##suffix(float x, float y, float z) noexcept {                          \
    return cu2cpp::detail::Directed<mode>::multiplyAdd(x, y, z);                                   \
  }                                                                                                \
  inline double __fma_##suffix(double x, double y, double z) noexcept {                            \
    return cu2cpp::detail::Directed<mode>::multiplyAdd(x, y, z);                                   \
  }
CU2CPP_DIRECTED(rz, cu2cpp::detail::Direction::Zero)
CU2CPP_DIRECTED(ru, cu2cpp::detail::Direction::Up)
CU2CPP_DIRECTED(rd, cu2cpp::detail::Direction::Down)
#undef CU2CPP_DIRECTED

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematical functions that the C library lacks, in both precisions, and the fast
// single-precision intrinsics, which here are the accurate functions. Callable on the host too.
// Functions that are more than an expression are in the runtime library (exec/device_math.cpp).
//
// CUDA C++ Programming Guide, 'Mathematical Functions Appendix'.
#ifndef CU2CPP_DEVICE_MATH_FUNCTIONS_H
#define CU2CPP_DEVICE_MATH_FUNCTIONS_H

#include <math.h>

#include <cmath>

// C23 brings some of these names and glibc declares others for itself, all with C linkage and
// without exceptions; so do these, which makes them the same functions and no overloads.
extern "C" {
inline double rsqrt(double x) noexcept { return 1.0 / __builtin_sqrt(x); }
inline float rsqrtf(float x) noexcept { return 1.0f / __builtin_sqrtf(x); }

double sinpi(double x) noexcept;
float sinpif(float x) noexcept;
double cospi(double x) noexcept;
float cospif(float x) noexcept;

inline float __sinf(float x) noexcept { return __builtin_sinf(x); }
inline float __cosf(float x) noexcept { return __builtin_cosf(x); }
inline float __tanf(float x) noexcept { return __builtin_tanf(x); }
inline float __tanhf(float x) noexcept { return __builtin_tanhf(x); }
inline float __logf(float x) noexcept { return __builtin_logf(x); }
inline float __exp10f(float x) noexcept { return ::exp10f(x); }
inline float __log2f(float x) noexcept { return __builtin_log2f(x); }
inline float __log10f(float x) noexcept { return __builtin_log10f(x); }
inline float __powf(float x, float y) noexcept { return __builtin_powf(x, y); }

#ifndef CU2CPP_PARSE
// Two functions that compilers know and have vector versions of; where a loop stays scalar they
// call the C library's one for both. No function of its own, so that the library's keeps the name.
extern inline __attribute__((gnu_inline, always_inline)) void sincosf(float x, float* sine,
                                                                      float* cosine) noexcept {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}
extern inline __attribute__((gnu_inline, always_inline)) void sincos(double x, double* sine,
                                                                     double* cosine) noexcept {
  *sine = __builtin_sin(x);
  *cosine = __builtin_cos(x);
}
// erfc() has versions for vectors. It magnifies the relative error of its argument by its square:
// normcdf() puts that of x / sqrt(2) back, whose root is a number and its tail.
extern inline __attribute__((gnu_inline, always_inline)) double normcdf(double x) noexcept {
  // Beyond lie 0 and 1; not a number stays that.
  const double bounded = x < -40.0 ? -40.0 : x > 40.0 ? 40.0 : x;
  const double root = 0.70710678118654752440, argument = -root * bounded;
  const double tail = __builtin_fma(-root, bounded, -argument) + 4.8336466567264567e-17 * bounded;
  const double slope = -1.12837916709551257390 * __builtin_exp(-argument * argument);
  return 0.5 * (__builtin_erfc(argument) + slope * tail);
}
extern inline __attribute__((gnu_inline, always_inline)) float normcdff(float x) noexcept {
  return static_cast<float>(0.5 * __builtin_erfc(-0.70710678118654752440 * x));
}
// Written out where it is called, it needs no function for each width of vectors, around whose
// calls registers would have to be saved. Errors are below 1 unit in the last place, as CUDA
// promises: x = n ln 2 + r, the polynomial is (exp(r) - 1 - r) / r^2, and 2^n is two factors, so
// that results may be infinite or below the normal numbers.
extern inline __attribute__((gnu_inline, always_inline)) float expf(float x) noexcept {
  const float bounded = x > 89.0f ? 89.0f : x < -104.0f ? -104.0f : x; // not a number stays that
  const float shifted = bounded * 0x1.715476p0f + 0x1.8p23f;           // n in the low bits
  const float times = shifted - 0x1.8p23f;
  float r = bounded - times * 0x1.62e4p-1f; // exact
  r = r - times * 0x1.7f7d1cp-20f;
  float p = r * 1.989098084e-04f + 1.393364103e-03f;
  p = p * r + 8.333310934e-03f;
  p = p * r + 4.166646501e-02f;
  p = p * r + 1.666666668e-01f;
  p = p * r + 5.000000013e-01f;
  const float power = 1.0f + (r + r * r * p);
  int n;
  __builtin_memcpy(&n, &shifted, sizeof n);
  n -= 0x4b400000;
  const int half = n >> 1;
  const unsigned first = (unsigned(half) + 127u) << 23, second = (unsigned(n - half) + 127u) << 23;
  float low, high;
  __builtin_memcpy(&low, &first, sizeof low);
  __builtin_memcpy(&high, &second, sizeof high);
  return power * low * high;
}
#endif
inline float __expf(float x) noexcept { return ::expf(x); }
inline void __sincosf(float x, float* sine, float* cosine) noexcept { ::sincosf(x, sine, cosine); }
}

double rcbrt(double x) noexcept;
float rcbrtf(float x) noexcept;
void sincospi(double x, double* sine, double* cosine) noexcept;
void sincospif(float x, float* sine, float* cosine) noexcept;

// Inverse and scaled error functions, the normal distribution, modified Bessel functions.
double erfinv(double x) noexcept;
float erfinvf(float x) noexcept;
double erfcinv(double x) noexcept;
float erfcinvf(float x) noexcept;
double erfcx(double x) noexcept;
float erfcxf(float x) noexcept;
double normcdf(double x) noexcept;
float normcdff(float x) noexcept;
double normcdfinv(double p) noexcept;
float normcdfinvf(float p) noexcept;
double cyl_bessel_i0(double x) noexcept;
float cyl_bessel_i0f(float x) noexcept;
double cyl_bessel_i1(double x) noexcept;
float cyl_bessel_i1f(float x) noexcept;

// Lengths of vectors and their reciprocals, without overflow on the way.
double norm(int dim, const double* a) noexcept;
float normf(int dim, const float* a) noexcept;
double rnorm(int dim, const double* a) noexcept;
float rnormf(int dim, const float* a) noexcept;
double rhypot(double x, double y) noexcept;
float rhypotf(float x, float y) noexcept;
double norm3d(double a, double b, double c) noexcept;
float norm3df(float a, float b, float c) noexcept;
double norm4d(double a, double b, double c, double d) noexcept;
float norm4df(float a, float b, float c, float d) noexcept;
double rnorm3d(double a, double b, double c) noexcept;
float rnorm3df(float a, float b, float c) noexcept;
double rnorm4d(double a, double b, double c, double d) noexcept;
float rnorm4df(float a, float b, float c, float d) noexcept;

inline float fdividef(float x, float y) noexcept { return x / y; }
inline double fdivide(double x, double y) noexcept { return x / y; }
inline float __fdividef(float x, float y) noexcept { return x / y; }
/// __saturatef() clamps to [0, 1]; NaN becomes 0.
inline float __saturatef(float x) noexcept { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// float versions under the double's name.
inline float rsqrt(float x) noexcept { return ::rsqrtf(x); }
inline float rcbrt(float x) noexcept { return ::rcbrtf(x); }
inline float sinpi(float x) noexcept { return ::sinpif(x); }
inline float cospi(float x) noexcept { return ::cospif(x); }
inline float exp10(float x) noexcept { return ::exp10f(x); }
inline void sincos(float x, float* s, float* c) noexcept { ::sincosf(x, s, c); }
inline void sincospi(float x, float* s, float* c) noexcept { ::sincospif(x, s, c); }
inline float erfinv(float x) noexcept { return ::erfinvf(x); }
inline float erfcinv(float x) noexcept { return ::erfcinvf(x); }
inline float erfcx(float x) noexcept { return ::erfcxf(x); }
inline float normcdf(float x) noexcept { return ::normcdff(x); }
inline float normcdfinv(float p) noexcept { return ::normcdfinvf(p); }
inline float cyl_bessel_i0(float x) noexcept { return ::cyl_bessel_i0f(x); }
inline float cyl_bessel_i1(float x) noexcept { return ::cyl_bessel_i1f(x); }
inline float j0(float x) noexcept { return ::j0f(x); }
inline float j1(float x) noexcept { return ::j1f(x); }
inline float jn(int n, float x) noexcept { return ::jnf(n, x); }
inline float y0(float x) noexcept { return ::y0f(x); }
inline float y1(float x) noexcept { return ::y1f(x); }
inline float yn(int n, float x) noexcept { return ::ynf(n, x); }

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematical functions that the C library lacks and that are more than an expression.
// Single precision computes in double. Accuracy: within a few units in the last place of double,
// which the guide's tables allow for each of them.
//
// CUDA C++ Programming Guide, 'Mathematical Functions Appendix'.
#include <cu2cpp/device/math_functions.h>

#include <cfloat>
#include <limits>

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double piTail = 1.2246467991473532e-16; // pi - double(pi)
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Turned is an angle of x half turns as a quadrant and a rest in [-1/4, 1/4]; exact.
struct Turned {
  double rest;
  int quadrant;
};
Turned reduceHalfTurns(double x) {
  x = std::fmod(x, 2.0);
  const double quarters = std::nearbyint(2.0 * x);
  return {x - 0.5 * quarters, static_cast<int>(quarters) & 3};
}

// sin and cos of pi * rest, with the rounding error of the product put back to first order.
double sineOf(double rest) {
  const double angle = pi * rest;
  const double tail = std::fma(pi, rest, -angle) + piTail * rest;
  return std::sin(angle) + std::cos(angle) * tail;
}
double cosineOf(double rest) {
  const double angle = pi * rest;
  const double tail = std::fma(pi, rest, -angle) + piTail * rest;
  return std::cos(angle) - std::sin(angle) * tail;
}

/// normalQuantile() is the inverse of the normal distribution's lower tail to about 16 digits:
/// algorithm AS 241 (PPND16) of M. J. Wichura, Applied Statistics 37 (1988). q = p - 1/2 and the
/// smaller tail r are given apart, so that neither loses digits; the tail may be a multiple of r,
/// whose logarithm is given.
double normalQuantile(double q, double tail, double logOfMultiple = 0.0) {
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           (((((((2.5090809287301226727e+3 * r + 3.3430575583588128105e+4) * r +
                 6.7265770927008700853e+4) *
                    r +
                4.5921953931549871457e+4) *
                   r +
               1.3731693765509461125e+4) *
                  r +
              1.9715909503065514427e+3) *
                 r +
             1.3314166789178437745e+2) *
                r +
            3.3871328727963666080e+0) /
           (((((((5.2264952788528545610e+3 * r + 2.8729085735721942674e+4) * r +
                 3.9307895800092710610e+4) *
                    r +
                2.1213794301586595867e+4) *
                   r +
               5.3941960214247511077e+3) *
                  r +
              6.8718700749205790830e+2) *
                 r +
             4.2313330701600911252e+1) *
                r +
            1.0);
  }
  double r = std::sqrt(logOfMultiple - std::log(tail));
  double x;
  if (r <= 5.0) {
    r -= 1.6;
    x = (((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r +
              2.41780725177450611770e-1) *
                 r +
             1.27045825245236838258e+0) *
                r +
            3.64784832476320460504e+0) *
               r +
           5.76949722146069140550e+0) *
              r +
          4.63033784615654529590e+0) *
             r +
         1.42343711074968357734e+0) /
        (((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r +
              1.51986665636164571966e-2) *
                 r +
             1.48103976427480074590e-1) *
                r +
            6.89767334985100004550e-1) *
               r +
           1.67638483018380384940e+0) *
              r +
          2.05319162663775882187e+0) *
             r +
         1.0);
  } else {
    r -= 5.0;
    x = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r +
              1.24266094738807843860e-3) *
                 r +
             2.65321895265761230930e-2) *
                r +
            2.96560571828504891230e-1) *
               r +
           1.78482653991729133580e+0) *
              r +
          5.46378491116411436990e+0) *
             r +
         6.65790464350110377720e+0) /
        (((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r +
              1.84631831751005468180e-5) *
                 r +
             7.86869131145613259100e-4) *
                r +
            1.48753612908506148525e-2) *
               r +
           1.36929880922735805310e-1) *
              r +
          5.99832206555887937690e-1) *
             r +
         1.0);
  }
  return q < 0 ? -x : x;
}

// Modified Bessel function of order 0 or 1 for x >= 0, times exp(-scale): all terms of the series
// are positive, and from x = 30 on the asymptotic series (Abramowitz and Stegun 9.7.1) has terms
// below 1e-17 before it diverges.
double besselI(int order, double x) {
  if (x < 30.0) {
    // Wider than the result, so that the sum of up to a hundred terms keeps its last digits.
    const long double quarter = 0.25L * x * x;
    long double term = order == 0 ? 1.0L : 0.5L * x;
    long double sum = term;
    for (int k = 1; term > sum * 1e-19L; ++k) {
      term *= quarter / (static_cast<long double>(k) * (k + order));
      sum += term;
    }
    return static_cast<double>(sum);
  }
  const double mu = 4.0 * order * order;
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 60 && std::fabs(term) > 1e-18; ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= -(mu - odd * odd) / (k * 8.0 * x);
    sum += term;
  }
  // In two steps, so that exp() doesn't overflow before the result does.
  const double half = std::exp(0.5 * x);
  return half * (sum / std::sqrt(2.0 * pi * x)) * half;
}

/// Wider has digits to spare, where the machine has any.
template <class T> struct Wider;
template <> struct Wider<float> {
  using Type = double;
};
template <> struct Wider<double> {
  using Type = long double;
};

/// Length is value / scale.
template <class T> struct Length {
  typename Wider<T>::Type value, scale;
};
// Infinite lengths are so whatever the other elements are, NaN included. The scale, a power of two,
// keeps squares in range where Wider is no wider.
template <class T> Length<T> length(int count, const T* a) {
  T largest = 0;
  for (int i = 0; i < count; ++i) {
    if (std::isinf(a[i]))
      return {infinity, 1};
    largest = std::fmax(largest, std::fabs(a[i]));
  }
  const double scale = largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1;
  typename Wider<T>::Type sum = 0;
  for (int i = 0; i < count; ++i) {
    const typename Wider<T>::Type element = a[i] * scale;
    sum += element * element;
  }
  return {std::sqrt(sum), scale};
}
template <class T> T lengthOf(int count, const T* a) {
  const Length<T> found = length(count, a);
  return static_cast<T>(found.value / found.scale);
}
template <class T> T reciprocalLengthOf(int count, const T* a) {
  const Length<T> found = length(count, a);
  return static_cast<T>(1 / found.value * found.scale);
}

} // namespace

extern "C" {
double sinpi(double x) noexcept {
  if (!std::isfinite(x))
    return notANumber;
  if (x == 0.0 || x == std::trunc(x))
    return std::copysign(0.0, x);
  const Turned t = reduceHalfTurns(x);
  const double s = t.quadrant & 1 ? cosineOf(t.rest) : sineOf(t.rest);
  return t.quadrant & 2 ? -s : s;
}
double cospi(double x) noexcept {
  if (!std::isfinite(x))
    return notANumber;
  const Turned t = reduceHalfTurns(x);
  if (t.rest == 0.0 && (t.quadrant & 1))
    return 0.0;
  const double c = t.quadrant & 1 ? sineOf(t.rest) : cosineOf(t.rest);
  return t.quadrant == 1 || t.quadrant == 2 ? -c : c;
}
float sinpif(float x) noexcept { return static_cast<float>(sinpi(static_cast<double>(x))); }
float cospif(float x) noexcept { return static_cast<float>(cospi(static_cast<double>(x))); }
}

void sincospi(double x, double* sine, double* cosine) noexcept {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
void sincospif(float x, float* sine, float* cosine) noexcept {
  *sine = sinpif(x);
  *cosine = cospif(x);
}

double rcbrt(double x) noexcept {
  const double y = 1.0 / std::cbrt(x);
  const double error = std::fma(-(x * y) * y, y, 1.0);
  // One step of Newton's method; not at zero, infinity and NaN, nor where x * y * y underflows.
  return std::fabs(error) < 1e-10 ? y + y * error / 3.0 : y;
}
float rcbrtf(float x) noexcept {
  return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x)));
}

double normcdfinv(double p) noexcept {
  if (!(p >= 0.0 && p <= 1.0))
    return notANumber;
  if (p == 0.0 || p == 1.0)
    return p == 0.0 ? -infinity : infinity;
  return normalQuantile(p - 0.5, p < 0.5 ? p : 1.0 - p);
}
double erfcinv(double x) noexcept {
  if (!(x >= 0.0 && x <= 2.0))
    return notANumber;
  if (x == 0.0 || x == 2.0)
    return x == 0.0 ? infinity : -infinity;
  if (x == 1.0)
    return 0.0;
  if (x < 1e-300) // half a denormal number may be no number
    return -M_SQRT1_2 * normalQuantile(-0.5, x, M_LN2);
  return -M_SQRT1_2 * normalQuantile(0.5 * (x - 1.0), 0.5 * (x < 1.0 ? x : 2.0 - x));
}
double erfinv(double x) noexcept {
  if (!(x >= -1.0 && x <= 1.0))
    return notANumber;
  if (x == 1.0 || x == -1.0)
    return x * infinity;
  if (std::fabs(x) < 1e-9) // the next term of the series is x^3
    return x * 0.88622692545275801365;
  const double y = M_SQRT1_2 * normalQuantile(0.5 * x, 0.5 * (1.0 - std::fabs(x)));
  if (std::fabs(x) > 0.95)
    return y;
  // One step of Newton's method; further out erf() is too flat to tell the difference.
  const long double w = y;
  return static_cast<double>(w - (erfl(w) - x) * (0.886226925452758013649L * std::exp(w * w)));
}

double erfcx(double x) noexcept {
  if (x < -27.0)
    return infinity;
  if (x < 26.0) {
    // exp(x * x), with the square's rounding error put back; overflows below about -26.6 as it
    // must.
    const double square = x * x;
    const double tail = std::fma(x, x, -square);
    if (square > 709.0)
      return std::isnan(x) ? x : 2.0 * std::exp(square / 2) * std::exp(square / 2) * (1.0 + tail);
    const double e = std::exp(square);
    return (e + e * tail) * std::erfc(x);
  }
  if (std::isnan(x))
    return x;
  // 1 / (x sqrt(pi)) * (1 - 1/(2x^2) + 3/(4x^4) - 15/(8x^6) + ...)
  const double r = 0.5 / x / x;
  return 0.56418958354775628695 / x *
         (1.0 -
          r * (1.0 -
               r * (3.0 - r * (15.0 - r * (105.0 - r * (945.0 - r * (10395.0 - r * 135135.0)))))));
}

double normcdf(double x) noexcept {
  // erfc() magnifies the relative error of its argument by its square: put the error of x / sqrt(2)
  // back.
  const double argument = -M_SQRT1_2 * x;
  if (!(std::fabs(x) < 40.0))
    return std::isnan(x) ? x : (x > 0 ? 1.0 : 0.0);
  constexpr double tailOfSqrt = -4.8336466567264567e-17; // sqrt(1/2) - double(sqrt(1/2))
  const double tail = std::fma(-M_SQRT1_2, x, -argument) - tailOfSqrt * x;
  const double slope = -1.12837916709551257390 * std::exp(-argument * argument);
  return 0.5 * (std::erfc(argument) + slope * tail);
}

float normcdfinvf(float p) noexcept {
  return static_cast<float>(normcdfinv(static_cast<double>(p)));
}
float erfcinvf(float x) noexcept { return static_cast<float>(erfcinv(static_cast<double>(x))); }
float erfinvf(float x) noexcept { return static_cast<float>(erfinv(static_cast<double>(x))); }
float erfcxf(float x) noexcept { return static_cast<float>(erfcx(static_cast<double>(x))); }
float normcdff(float x) noexcept { return static_cast<float>(normcdf(static_cast<double>(x))); }

double cyl_bessel_i0(double x) noexcept {
  const double size = std::fabs(x);
  return std::isnan(x) ? x : size > 720.0 ? infinity : besselI(0, size);
}
double cyl_bessel_i1(double x) noexcept {
  const double size = std::fabs(x);
  return std::isnan(x) ? x : std::copysign(size > 720.0 ? infinity : besselI(1, size), x);
}
float cyl_bessel_i0f(float x) noexcept {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
float cyl_bessel_i1f(float x) noexcept {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}

double norm(int dim, const double* a) noexcept { return lengthOf(dim, a); }
float normf(int dim, const float* a) noexcept { return lengthOf(dim, a); }
double rnorm(int dim, const double* a) noexcept { return reciprocalLengthOf(dim, a); }
float rnormf(int dim, const float* a) noexcept { return reciprocalLengthOf(dim, a); }
double rhypot(double x, double y) noexcept {
  const double v[] = {x, y};
  return rnorm(2, v);
}
float rhypotf(float x, float y) noexcept {
  const float v[] = {x, y};
  return rnormf(2, v);
}
double norm3d(double a, double b, double c) noexcept {
  const double v[] = {a, b, c};
  return norm(3, v);
}
float norm3df(float a, float b, float c) noexcept {
  const float v[] = {a, b, c};
  return normf(3, v);
}
double norm4d(double a, double b, double c, double d) noexcept {
  const double v[] = {a, b, c, d};
  return norm(4, v);
}
float norm4df(float a, float b, float c, float d) noexcept {
  const float v[] = {a, b, c, d};
  return normf(4, v);
}
double rnorm3d(double a, double b, double c) noexcept {
  const double v[] = {a, b, c};
  return rnorm(3, v);
}
float rnorm3df(float a, float b, float c) noexcept {
  const float v[] = {a, b, c};
  return rnormf(3, v);
}
double rnorm4d(double a, double b, double c, double d) noexcept {
  const double v[] = {a, b, c, d};
  return rnorm(4, v);
}
float rnorm4df(float a, float b, float c, float d) noexcept {
  const float v[] = {a, b, c, d};
  return rnormf(4, v);
}

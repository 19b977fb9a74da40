// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, log, sin, cos and tan of 4 doubles or 8 floats at a time, by the names under which compilers
// call them from vectorised loops (the x86-64 vector function ABI). glibc's versions of these have
// errors of up to 4 units in the last place; these keep to what CUDA promises of exp() and log() (1
// unit), sin(), cos() and tan() (2 units), so that a loop over threads gives what a single thread
// gives.
//
// CUDA C++ Programming Guide, 'Mathematical Functions Appendix'.
#include <cmath>
#include <cstdint>

#if defined(__x86_64__) && defined(__GLIBC__)

#define CU2CPP_AVX2 __attribute__((target("avx2,fma")))
#define CU2CPP_INLINE CU2CPP_AVX2 __attribute__((always_inline)) static inline

namespace {

typedef double Double4 __attribute__((vector_size(32)));
typedef std::int64_t Long4 __attribute__((vector_size(32)));
typedef float Float8 __attribute__((vector_size(32)));
typedef int Int8 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16)));
typedef double Double2 __attribute__((vector_size(16)));

// Adding it to a small number leaves the nearest integer in the low bits.
constexpr double roundingMagic = 0x1.8p52;
constexpr double ln2High = 0x1.62e42fefa39efp-1, ln2Low = 0x1.abc9e3b39803fp-56;
constexpr double log2e = 0x1.71547652b82fep0;

CU2CPP_INLINE Double4 all(double x) { return Double4{x, x, x, x}; }
CU2CPP_INLINE Double4 choose(Long4 where, Double4 a, Double4 b) {
  return (Double4)((where & (Long4)a) | (~where & (Long4)b));
}
CU2CPP_INLINE bool any(Long4 where) { return (where[0] | where[1] | where[2] | where[3]) != 0; }

/// Polynomial c[0] + c[1] x + ... by Horner's rule.
template <int n> CU2CPP_INLINE Double4 polynomial(Double4 x, const double (&c)[n]) {
  Double4 sum = all(c[n - 1]);
  for (int i = n - 2; i >= 0; --i)
    sum = sum * x + all(c[i]);
  return sum;
}

/// exp(x) for |x| <= 700: x = n ln 2 + r, a Taylor polynomial of r, and n added to the exponent.
template <int n> CU2CPP_INLINE Double4 expSmall(Double4 x, const double (&taylor)[n]) {
  const Double4 shifted = x * all(log2e) + all(roundingMagic);
  const Double4 times = shifted - all(roundingMagic);
  Double4 r = x - times * all(ln2High);
  r = r - times * all(ln2Low);
  const Double4 power = all(1.0) + (r + r * r * polynomial(r, taylor));
  const Long4 exponent = ((Long4)shifted + 1023) << 52;
  return power * (Double4)exponent;
}

// 1/2!, 1/3! ...
constexpr double expTaylor[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
constexpr double expTaylorShort[] = {1.0 / 2,   1.0 / 6,    1.0 / 24,   1.0 / 120,
                                     1.0 / 720, 1.0 / 5040, 1.0 / 40320};
// 2/3, 2/5 ...: log((1 + s) / (1 - s)) = 2 s + s (2/3 s^2 + 2/5 s^4 + ...)
constexpr double logSeries[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
constexpr double logSeriesShort[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11};

/// log(x) for normal x > 0: x = 2^k (1 + f), 1 + f between sqrt(1/2) and sqrt(2).
template <int n> CU2CPP_INLINE Double4 logNormal(Double4 x, const double (&series)[n]) {
  constexpr std::int64_t rootHalf = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  typedef std::uint64_t ULong4 __attribute__((vector_size(32)));
  // k + 1023, by a shift without sign.
  const ULong4 biased = ((ULong4)x + (std::uint64_t)(one - rootHalf)) >> 52;
  const Double4 k = (Double4)(biased | 0x4330000000000000u) - all(0x1p52 + 1023);
  const Double4 m = (Double4)((ULong4)x - ((biased - 1023u) << 52));
  const Double4 f = m - all(1.0), half = all(0.5) * f * f;
  const Double4 s = f / (f + all(2.0)), z = s * s;
  const Double4 rest = z * polynomial(z, series);
  return k * all(ln2High) + (f - (half - (s * (half + rest) + k * all(ln2Low))));
}

template <class Function> CU2CPP_INLINE Double4 eachLane(Double4 x, Function function) {
  return Double4{function(x[0]), function(x[1]), function(x[2]), function(x[3])};
}

/// sin(x + quarters * pi/2) for |x| < 1e5; the rest goes to the C library.
CU2CPP_INLINE Double4 sine(Double4 x, std::int64_t quarters) {
  constexpr double high = 0x1.921fb54442d18p0, middle = 0x1.1a62633145c07p-54,
                   low = -0x1.f1976b7ed8fbcp-110;
  const Double4 shifted = x * all(0x1.45f306dc9c883p-1) + all(roundingMagic);
  const Double4 times = shifted - all(roundingMagic);
  Double4 r = x - times * all(high);
  r = r - times * all(middle);
  r = r - times * all(low);
  const Long4 quadrant = (Long4)shifted + quarters;
  const Double4 z = r * r;
  constexpr double sineTaylor[] = {
      -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
      -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  constexpr double cosineTaylor[] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  const Double4 sinePart = r + r * z * polynomial(z, sineTaylor);
  const Double4 half = all(0.5) * z, near = all(1.0) - half;
  const Double4 cosinePart =
      near + (((all(1.0) - near) - half) + z * z * polynomial(z, cosineTaylor));
  const Double4 value = choose((quadrant & 1) != 0, cosinePart, sinePart);
  return (Double4)((Long4)value ^ ((quadrant & 2) << 62));
}

CU2CPP_INLINE Double4 lowHalf(Float8 x) {
  return __builtin_convertvector(Float4{x[0], x[1], x[2], x[3]}, Double4);
}
CU2CPP_INLINE Double4 highHalf(Float8 x) {
  return __builtin_convertvector(Float4{x[4], x[5], x[6], x[7]}, Double4);
}
CU2CPP_INLINE Float8 join(Double4 low, Double4 high) {
  const Float4 a = __builtin_convertvector(low, Float4), b = __builtin_convertvector(high, Float4);
  return Float8{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
}

/// Of floats among which some are too large, too small or no numbers: computed in double.
CU2CPP_INLINE Double4 expOfFloat(Double4 x) {
  x = choose(x < all(-200.0), all(-200.0), x); // NaN stays
  x = choose(x > all(200.0), all(200.0), x);
  return expSmall(x, expTaylorShort);
}
CU2CPP_INLINE Double4 logOfFloat(Double4 x) {
  const Double4 value = logNormal(x, logSeriesShort);
  const Double4 special = choose(x == all(0.0), all(-HUGE_VAL),
                                 choose(x < all(0.0), all(std::nan("")), x)); // else +inf or NaN
  return choose((x > all(0.0)) & (x < all(HUGE_VAL)), value, special);
}

CU2CPP_INLINE bool anyOf(Int8 where) {
  const Long4 pairs = (Long4)where;
  return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) != 0;
}

/// exp(x) for |x| < 87. The polynomial is (exp(r) - 1 - r) / r^2, interpolated for |r| <= ln 2 / 2.
CU2CPP_INLINE Float8 expOrdinary(Float8 x) {
  const Float8 shifted = x * 0x1.715476p0f + 0x1.8p23f;
  const Float8 times = shifted - 0x1.8p23f;
  Float8 r = x - times * 0x1.62e43p-1f;
  r = r - times * -0x1.05c61p-29f;
  Float8 p = r * 1.989098084e-04f + 1.393364103e-03f;
  p = p * r + 8.333310934e-03f;
  p = p * r + 4.166646501e-02f;
  p = p * r + 1.666666668e-01f;
  p = p * r + 5.000000013e-01f;
  const Float8 power = 1.0f + (r + r * r * p);
  return power * (Float8)(((Int8)shifted + 127) << 23);
}

/// log(x) for normal x > 0: x = 2^k (1 + f), 1 + f between 2/3 and 4/3. The polynomial is
/// (log(1 + f) - f + f^2 / 2) / f^3, interpolated.
CU2CPP_INLINE Float8 logOrdinary(Float8 x) {
  const Int8 k = ((Int8)x - 0x3f2aaaab) >> 23;
  const Float8 f = (Float8)((Int8)x - (k << 23)) - 1.0f;
  const Float8 times = __builtin_convertvector(k, Float8);
  Float8 p = f * 1.133061742e-01f + -1.242220058e-01f;
  p = p * f + 1.091565479e-01f;
  p = p * f + -1.228872161e-01f;
  p = p * f + 1.429186718e-01f;
  p = p * f + -1.667331625e-01f;
  p = p * f + 1.999994835e-01f;
  p = p * f + -2.499994419e-01f;
  p = p * f + 3.333333333e-01f;
  p = p * f + -0.5f;
  const Float8 rest = f * f * p + times * -0x1.05c61p-29f;
  return times * 0x1.62e43p-1f + (f + rest);
}

} // namespace

extern "C" {

CU2CPP_AVX2 Double4 _ZGVdN4v_exp(Double4 x) {
  if (any(~((x < all(700.0)) & (x > all(-700.0)))))
    return eachLane(x, [](double v) { return std::exp(v); });
  return expSmall(x, expTaylor);
}

CU2CPP_AVX2 Double4 _ZGVdN4v_log(Double4 x) {
  if (any(~((x < all(HUGE_VAL)) & (x >= all(0x1p-1022)))))
    return eachLane(x, [](double v) { return std::log(v); });
  return logNormal(x, logSeries);
}

CU2CPP_AVX2 Double4 _ZGVdN4v_sin(Double4 x) {
  if (any(~((x < all(1e5)) & (x > all(-1e5)))))
    return eachLane(x, [](double v) { return std::sin(v); });
  return choose(x == all(0.0), x, sine(x, 0)); // the sign of a zero stays
}

CU2CPP_AVX2 Double4 _ZGVdN4v_cos(Double4 x) {
  if (any(~((x < all(1e5)) & (x > all(-1e5)))))
    return eachLane(x, [](double v) { return std::cos(v); });
  return sine(x, 1);
}

CU2CPP_AVX2 Double4 _ZGVdN4v_tan(Double4 x) {
  return eachLane(x, [](double v) { return std::tan(v); });
}

CU2CPP_AVX2 Float8 _ZGVdN8v_expf(Float8 x) {
  if (anyOf(~((x < 87.0f) & (x > -87.0f))))
    return join(expOfFloat(lowHalf(x)), expOfFloat(highHalf(x)));
  return expOrdinary(x);
}

CU2CPP_AVX2 Float8 _ZGVdN8v_logf(Float8 x) {
  if (anyOf(~((x < HUGE_VALF) & (x >= 0x1p-126f))))
    return join(logOfFloat(lowHalf(x)), logOfFloat(highHalf(x)));
  return logOrdinary(x);
}

// Shorter vectors are rare in kernels: one value after the other.
Double2 _ZGVbN2v_exp(Double2 x) { return Double2{std::exp(x[0]), std::exp(x[1])}; }
Double2 _ZGVbN2v_log(Double2 x) { return Double2{std::log(x[0]), std::log(x[1])}; }
Double2 _ZGVbN2v_sin(Double2 x) { return Double2{std::sin(x[0]), std::sin(x[1])}; }
Double2 _ZGVbN2v_cos(Double2 x) { return Double2{std::cos(x[0]), std::cos(x[1])}; }
Double2 _ZGVbN2v_tan(Double2 x) { return Double2{std::tan(x[0]), std::tan(x[1])}; }
Float4 _ZGVbN4v_expf(Float4 x) {
  return Float4{std::exp(x[0]), std::exp(x[1]), std::exp(x[2]), std::exp(x[3])};
}
Float4 _ZGVbN4v_logf(Float4 x) {
  return Float4{std::log(x[0]), std::log(x[1]), std::log(x[2]), std::log(x[3])};
}
}

#endif

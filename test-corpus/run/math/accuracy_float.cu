// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The single-precision mathematical functions stay within the error bounds of the guide's tables on 16384 inputs each, and have the
// GPU's zeros, infinities and NaN at special values.
#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int inputs = 16384;
using Real = float;
typedef long double Wide;

static unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
// A number between 0 and 1.
static double share(unsigned i, unsigned k) {
  return (hashed(5 * i + k) + hashed(5 * i + k + 0x10000000u) * 0x1p-32) * 0x1p-32;
}
// Between two bounds: evenly, or with evenly spread exponents where both have one sign.
static Real between(double low, double high, unsigned i, unsigned k) {
  const double s = share(i, k);
  if (i % 2 == 0 || low * high <= 0)
    return Real(low + (high - low) * s);
  const double size = exp(log(fabs(low)) + (log(fabs(high)) - log(fabs(low))) * s);
  return Real(fmin(fmax(low < 0 ? -size : size, low), high));
}
static Real special(unsigned k) {
  const double zero = 0, large = 3e38;
  const double values[16] = {0, -zero, 1, -1, 0.5, -0.5, 2, -3, large, -large, HUGE_VAL, -HUGE_VAL, NAN, 1e-30, -1e-30, 4};
  return Real(values[k % 16]);
}

// A function, its bound in units in the last place, the inputs, and its value in more digits. What has no simple formula
// is checked by its inverse: near(y) is what y misses.
static const Wide pi = acosl(-1.0L), rootOfHalf = sqrtl(0.5L), halfRootOfPi = sqrtl(acosl(-1.0L)) / 2,
                  rootOfTwoPi = sqrtl(2 * acosl(-1.0L));
// sin(pi x); the reduction is exact.
static Wide sineOfTurns(Wide x) {
  const Wide whole = roundl(x), sine = sinl(pi * (x - whole));
  return fmodl(whole, 2) == 0 ? sine : -sine;
}
static Wide besselI(int order, Wide x) {
  Wide term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 200; ++k) {
    term *= x / 2 * (x / 2) / (Wide(k) * (k + order));
    sum += term;
  }
  return sum;
}

#define FUNCTIONS                                                                                                     \
  ONE(sinf, 2, -100, 100, sinl(x))                                                                                    \
  ONE(cosf, 2, -100, 100, cosl(x))                                                                                    \
  ONE(tanf, 4, -50, 50, tanl(x))                                                                                      \
  ONE(asinf, 2, -1, 1, asinl(x))                                                                                      \
  ONE(acosf, 2, -1, 1, acosl(x))                                                                                      \
  ONE(atanf, 2, -100, 100, atanl(x))                                                                                  \
  ONE(sinhf, 3, -80, 80, sinhl(x))                                                                                    \
  ONE(coshf, 2, -80, 80, coshl(x))                                                                                    \
  ONE(tanhf, 2, -10, 10, tanhl(x))                                                                                    \
  ONE(asinhf, 3, -10000.0, 10000.0, asinhl(x))                                                                        \
  ONE(acoshf, 4, 1, 10000.0, acoshl(x))                                                                               \
  ONE(atanhf, 3, -0.999, 0.999, atanhl(x))                                                                            \
  ONE(expf, 2, -80, 80, expl(x))                                                                                      \
  ONE(exp2f, 2, -120, 120, exp2l(x))                                                                                  \
  ONE(exp10f, 2, -37, 37, powl(10, x))                                                                                \
  ONE(expm1f, 1, -20, 80, expm1l(x))                                                                                  \
  ONE(logf, 1, 1e-30, 1e+30, logl(x))                                                                                 \
  ONE(log2f, 1, 1e-30, 1e+30, log2l(x))                                                                               \
  ONE(log10f, 2, 1e-30, 1e+30, log10l(x))                                                                             \
  ONE(log1pf, 1, -0.99, 100000.0, log1pl(x))                                                                          \
  ONE(sqrtf, 0.5, 1e-30, 1e+30, sqrtl(x))                                                                             \
  ONE(rsqrtf, 2, 1e-30, 1e+30, 1 / sqrtl(x))                                                                          \
  ONE(cbrtf, 1, -1000000000.0, 1000000000.0, cbrtl(x))                                                                \
  ONE(rcbrtf, 1, 1e-09, 1000000000.0, 1 / cbrtl(x))                                                                   \
  ONE(erff, 2, -4, 4, erfl(x))                                                                                        \
  ONE(erfcf, 4, -4, 9, erfcl(x))                                                                                      \
  ONE(erfinvf, 2, -0.99, 0.99, y - (erfl(y) - x) * halfRootOfPi * expl(y * y))                                        \
  ONE(erfcinvf, 4, 0.0001, 1.9, y + (erfcl(y) - x) * halfRootOfPi * expl(y * y))                                      \
  ONE(erfcxf, 4, -3, 9, expl(x * x) * erfcl(x))                                                                       \
  ONE(normcdff, 5, -5, 5, erfcl(-x * rootOfHalf) / 2)                                                                 \
  ONE(normcdfinvf, 5, 0.0001, 0.999, y - (erfcl(-y * rootOfHalf) / 2 - x) * rootOfTwoPi * expl(y * y / 2))            \
  ONE(tgammaf, 5, 0.1, 30, tgammal(x))                                                                                \
  ONE(lgammaf, 6, 3, 1000, lgammal(x))                                                                                \
  ONE(sinpif, 1, -30, 30, sineOfTurns(x))                                                                     \
  ONE(cospif, 1, -30, 30, sineOfTurns(x + 0.5L))                                                                     \
  ONE(cyl_bessel_i0f, 6, 0, 20, besselI(0, x))                                                                        \
  ONE(cyl_bessel_i1f, 6, 0.01, 20, besselI(1, x))                                                                     \
  TWO(powf, 4, 0.001, 1000.0, -8, 8, powl(x, y))                                                                      \
  TWO(atan2f, 3, -50, 50, -50, 50, atan2l(x, y))                                                                      \
  TWO(hypotf, 3, -1000000.0, 1000000.0, -1000000.0, 1000000.0, hypotl(x, y))                                          \
  TWO(rhypotf, 2, 1, 1000000.0, 1, 1000000.0, 1 / hypotl(x, y))                                                       \
  THREE((norm3df(x, y, z)), 3, 0.5, 1e4, sqrtl(x * x + y * y + z * z))                                                \
  THREE((rnorm3df(x, y, z)), 2, 0.5, 1e4, 1 / sqrtl(x * x + y * y + z * z))                                           \
  THREE((norm4df(x, y, z, x)), 3, 0.5, 1e4, sqrtl(2 * x * x + y * y + z * z))                                         \
  THREE((rnorm4df(x, y, z, x)), 2, 0.5, 1e4, 1 / sqrtl(2 * x * x + y * y + z * z))

__global__ void compute(const Real* in, const Real* special, Real* out, Real* atSpecial) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#define ONE(function, bound, low, high, exact)                                                                          \
  {                                                                                                                    \
    const Real x = in[3 * n * inputs + i];                                                                            \
    out[n * inputs + i] = function(x);                                                                                 \
    if (i < 16)                                                                                                        \
      atSpecial[n * 256 + i] = function(special[i]);                                                                   \
    ++n;                                                                                                               \
  }
#define TWO(function, bound, low, high, low2, high2, exact)                                                             \
  {                                                                                                                    \
    const Real x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i];                                     \
    out[n * inputs + i] = function(x, y);                                                                              \
    if (i < 256)                                                                                                       \
      atSpecial[n * 256 + i] = function(special[i % 16], special[i / 16]);                                             \
    ++n;                                                                                                               \
  }
#define THREE(function, bound, low, high, exact)                                                                        \
  {                                                                                                                    \
    const Real x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i], z = in[(3 * n + 2) * inputs + i];   \
    out[n * inputs + i] = function;                                                                                    \
    ++n;                                                                                                               \
  }
  int n = 0;
  FUNCTIONS
#undef ONE
#undef TWO
#undef THREE
}

// One number for the kind of each result: zeros, infinities and NaN must be the GPU's.
static unsigned kinds(const Real* values, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    const Real v = values[i];
    const unsigned kind = std::isnan(v) ? 1 : (std::isinf(v) ? 2 : v == 0 ? 3 : 4) + 8 * std::signbit(v);
    sum = sum * 31 + kind;
  }
  return sum;
}

static Wide lastPlace(Wide exact) {
  const Real near = Real(fabsl(exact)) < 1.17549435e-38f ? 1.17549435e-38f : Real(fabsl(exact));
  return Wide(std::nextafter(near, Real(INFINITY))) - near;
}
static void report(const char* name, double bound, double worst, unsigned kind) {
  // The tables count from the rounded result, this from the exact one.
  if (worst <= (bound < 1 ? bound : bound + 0.5))
    printf("%-28s within %g, special values %08x\n", name, bound, kind);
  else
    printf("%-28s off by %.2f (allowed %g), special values %08x\n", name, worst, bound, kind);
}

int main() {
  int count = 0;
#define ONE(...) ++count;
#define TWO(...) ++count;
#define THREE(...) ++count;
  FUNCTIONS
#undef ONE
#undef TWO
#undef THREE
  Real *out, *atSpecial;
  cudaMallocManaged(&out, size_t(count) * inputs * sizeof(Real));
  cudaMallocManaged(&atSpecial, size_t(count) * 256 * sizeof(Real));
  memset(atSpecial, 0, size_t(count) * 256 * sizeof(Real));
  Real *in, *specials;
  cudaMallocManaged(&in, size_t(count) * 3 * inputs * sizeof(Real));
  cudaMallocManaged(&specials, 16 * sizeof(Real));
  for (int k = 0; k < 16; ++k)
    specials[k] = special(k);
  int n = 0;
#define FILL(a, b, c, d, e, f)                                                                                          \
  for (unsigned i = 0; i < inputs; ++i) {                                                                              \
    in[3 * n * inputs + i] = between(a, b, i, n);                                                                      \
    in[(3 * n + 1) * inputs + i] = between(c, d, i, n + 1000);                                                         \
    in[(3 * n + 2) * inputs + i] = between(e, f, i, n + 2000);                                                         \
  }                                                                                                                    \
  ++n;
#define ONE(function, bound, low, high, exact) FILL(low, high, low, high, low, high)
#define TWO(function, bound, low, high, low2, high2, exact) FILL(low, high, low2, high2, low, high)
#define THREE(function, bound, low, high, exact) FILL(low, high, low, high, low, high)
  FUNCTIONS
#undef ONE
#undef TWO
#undef THREE
  compute<<<inputs / 128, 128>>>(in, specials, out, atSpecial);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  n = 0;
#define CHECK(exact)                                                                                                    \
  const Real got = out[n * inputs + i];                                                                                \
  const Wide is = (exact), error = fabsl(is - Wide(got)) / lastPlace(is);                                               \
  if (!(error <= worst))                                                                                               \
    worst = double(error);
#define ONE(function, bound, low, high, exact)                                                                          \
  {                                                                                                                    \
    double worst = 0;                                                                                                  \
    for (unsigned i = 0; i < inputs; ++i) {                                                                            \
      const Wide x = in[3 * n * inputs + i], y = out[n * inputs + i];                                                \
      (void)y;                                                                                                         \
      CHECK(exact)                                                                                                     \
    }                                                                                                                  \
    report(#function, bound, worst, kinds(atSpecial + n * 256, 16));                                                   \
    ++n;                                                                                                               \
  }
#define TWO(function, bound, low, high, low2, high2, exact)                                                             \
  {                                                                                                                    \
    double worst = 0;                                                                                                  \
    for (unsigned i = 0; i < inputs; ++i) {                                                                            \
      const Wide x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i];                                   \
      CHECK(exact)                                                                                                     \
    }                                                                                                                  \
    report(#function, bound, worst, kinds(atSpecial + n * 256, 256));                                                  \
    ++n;                                                                                                               \
  }
#define THREE(function, bound, low, high, exact)                                                                        \
  {                                                                                                                    \
    double worst = 0;                                                                                                  \
    for (unsigned i = 0; i < inputs; ++i) {                                                                            \
      const Wide x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i], z = in[(3 * n + 2) * inputs + i]; \
      CHECK(exact)                                                                                                     \
    }                                                                                                                  \
    report(#function, bound, worst, 0);                                                                                \
    ++n;                                                                                                               \
  }
  FUNCTIONS
  return 0;
}

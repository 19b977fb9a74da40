// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions, pairs of sine and cosine, lengths of vectors, and rounding to integers on 16384
// inputs each, in both precisions: within the errors of the guide's table, or exact.
#include <cmath>
#include <cstdio>

constexpr int inputs = 16384;

static unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
static double between(double low, double high, unsigned i, unsigned k) {
  return low + (high - low) *
                   ((hashed(29 * i + k) + hashed(29 * i + k + 0x20000000u) * 0x1p-32) * 0x1p-32);
}
static long double lastPlace(long double exact, bool single) {
  return fmaxl(ldexpl(1, ilogbl(fabsl(exact)) - (single ? 23 : 52)),
               single ? 0x1p-149L : 0x1p-1074L);
}
static long double sineOfTurns(long double x) {
  const long double whole = roundl(x), sine = sinl(acosl(-1.0L) * (x - whole));
  return fmodl(whole, 2) == 0 ? sine : -sine;
}

template <class Real> __device__ Real lengthOf(Real x, Real y, Real z, bool inverse);
template <> __device__ float lengthOf(float x, float y, float z, bool inverse) {
  const float v[6] = {x, y, z, y, x, z};
  return inverse ? rnormf(6, v) : normf(6, v);
}
template <> __device__ double lengthOf(double x, double y, double z, bool inverse) {
  const double v[6] = {x, y, z, y, x, z};
  return inverse ? rnorm(6, v) : norm(6, v);
}
template <class Real> __device__ Real one(Real x, bool turns, bool cosine);
template <> __device__ float one(float x, bool turns, bool cosine) {
  float s, c;
  if (turns)
    sincospif(x, &s, &c);
  else
    sincosf(x, &s, &c);
  return cosine ? c : s;
}
template <> __device__ double one(double x, bool turns, bool cosine) {
  double s, c;
  if (turns)
    sincospi(x, &s, &c);
  else
    sincos(x, &s, &c);
  return cosine ? c : s;
}

// Name, value of x, y, z, exact value, error bound, inputs.
#define FUNCTIONS(suffix, R)                                                                       \
  F(j0, j0##suffix(x), j0l(x), 3e-6L, 9e-16L, 0.1, 8)                                              \
  F(j1, j1##suffix(x), j1l(x), 3e-6L, 9e-16L, 0.1, 8)                                              \
  F(y0, y0##suffix(x), y0l(x), 3e-6L, 9e-15L, 0.5, 8)                                              \
  F(y1, y1##suffix(x), y1l(x), 3e-6L, 9e-15L, 1, 8)                                                \
  F(yn, yn##suffix(2, x), ynl(2, x), 2e-5L, 5e-14L, 1, 8)                                          \
  F(sincos sine, one<R>(x, false, false), sinl(x), 2.5L * lastPlace(sinl(x), true),                \
    2.5L * lastPlace(sinl(x), false), -100, 100)                                                   \
  F(sincos cosine, one<R>(x, false, true), cosl(x), 2.5L * lastPlace(cosl(x), true),               \
    2.5L * lastPlace(cosl(x), false), -100, 100)                                                   \
  F(sincospi sine, one<R>(x, true, false), sineOfTurns(x), 2.5L * lastPlace(sineOfTurns(x), true), \
    2.5L * lastPlace(sineOfTurns(x), false), -30, 30)                                              \
  F(sincospi cosine, one<R>(x, true, true), sineOfTurns(x + 0.5L),                                 \
    2.5L * lastPlace(sineOfTurns(x + 0.5L), true), 2.5L * lastPlace(sineOfTurns(x + 0.5L), false), \
    -30, 30)                                                                                       \
  F(norm, lengthOf<R>(x, y, z, false), sqrtl(2 * (x * x + y * y + z * z)),                         \
    4 * lastPlace(sqrtl(2 * (x * x + y * y + z * z)), true),                                       \
    4 * lastPlace(sqrtl(2 * (x * x + y * y + z * z)), false), 0.5, 1e4)                            \
  F(rnorm, lengthOf<R>(x, y, z, true), 1 / sqrtl(2 * (x * x + y * y + z * z)),                     \
    4 * lastPlace(1 / sqrtl(2 * (x * x + y * y + z * z)), true),                                   \
    4 * lastPlace(1 / sqrtl(2 * (x * x + y * y + z * z)), false), 0.5, 1e4)                        \
  F(fdivide, fdivide##suffix(x, y), x / y, lastPlace(x / y, true), lastPlace(x / y, false), 1,     \
    1000)                                                                                          \
  F(lround, R(lround##suffix(x)), roundl(x), 0, 0, -1e6, 1e6)                                      \
  F(llround, R(llround##suffix(x)), roundl(x), 0, 0, -1e6, 1e6)                                    \
  F(lrint, R(lrint##suffix(x)), rintl(x), 0, 0, -1e6, 1e6)                                         \
  F(llrint, R(llrint##suffix(x)), rintl(x), 0, 0, -1e6, 1e6)

#define KERNEL(name, R, suffix)                                                                    \
  __global__ void name(const R* in, R* out) {                                                      \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                      \
    int n = 0;                                                                                     \
    FUNCTIONS(suffix, R)                                                                           \
  }
#define F(name, value, exact, boundSingle, boundDouble, low, high)                                 \
  {                                                                                                \
    const auto x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i],                       \
               z = in[(3 * n + 2) * inputs + i];                                                   \
    (void)y, (void)z;                                                                              \
    out[n * inputs + i] = value;                                                                   \
    ++n;                                                                                           \
  }
KERNEL(singles, float, f)
KERNEL(doubles, double, )
#undef F

template <class R> void test(void (*kernel)(const R*, R*)) {
  const bool single = sizeof(R) == 4;
  int count = 0;
#define F(...) ++count;
  FUNCTIONS(, R)
#undef F
  R *in, *out;
  cudaMallocManaged(&in, size_t(count) * 3 * inputs * sizeof(R));
  cudaMallocManaged(&out, size_t(count) * inputs * sizeof(R));
  int n = 0;
#define F(name, value, exact, boundSingle, boundDouble, low, high)                                 \
  for (unsigned i = 0; i < inputs; ++i)                                                            \
    for (int k = 0; k < 3; ++k)                                                                    \
      in[(3 * n + k) * inputs + i] = R(between(low, high, i, 3 * n + k));                          \
  ++n;
  FUNCTIONS(, R)
#undef F
  kernel<<<inputs / 128, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  n = 0;
#define F(name, value, exact, boundSingle, boundDouble, low, high)                                 \
  {                                                                                                \
    int outside = 0;                                                                               \
    for (unsigned i = 0; i < inputs; ++i) {                                                        \
      const long double x = in[3 * n * inputs + i], y = in[(3 * n + 1) * inputs + i],              \
                        z = in[(3 * n + 2) * inputs + i];                                          \
      (void)y, (void)z;                                                                            \
      outside +=                                                                                   \
          !(fabsl(out[n * inputs + i] - (exact)) <= (single ? (boundSingle) : (boundDouble)));     \
    }                                                                                              \
    printf("%-16s %s: %d of %d outside\n", #name, single ? "float" : "double", outside, inputs);   \
    ++n;                                                                                           \
  }
  FUNCTIONS(, R)
#undef F
}

int main() {
  test<float>(singles);
  test<double>(doubles);
}

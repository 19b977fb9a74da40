// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast intrinsics stay within the errors of the guide's table on 16384 inputs each: in the
// ranges that the table names, as absolute errors or in units in the last place.
#include <cmath>
#include <cstdio>

constexpr int inputs = 16384;

static unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
static float between(double low, double high, unsigned i, unsigned k) {
  const double s = hashed(31 * i + k) * 0x1p-32;
  if (i % 2 == 0 || low * high <= 0)
    return float(low + (high - low) * s);
  return float(low < 0 ? -exp(log(-low) + (log(-high) - log(-low)) * s)
                       : exp(log(low) + (log(high) - log(low)) * s));
}

static double lastPlace(double exact) {
  const float near = fmaxf(fabsf(float(exact)), 1.17549435e-38f);
  return double(nextafterf(near, INFINITY)) - near;
}

// A function of x and y, its value in more digits, its error bound, and the inputs.
#define FUNCTIONS                                                                                  \
  F(__sinf(x), sin(x), 0x1p-21, -3.14159, 3.14159, 0, 1)                                           \
  F(__cosf(x), cos(x), 0x1p-21, -3.14159, 3.14159, 0, 1)                                           \
  F(__tanf(x), tan(x), 0x1p-19, -1.0, 1.0, 0, 1)                                                   \
  F(pairSine(x), sin(x), 0x1p-21, -3.14159, 3.14159, 0, 1)                                         \
  F(pairCosine(x), cos(x), 0x1p-21, -3.14159, 3.14159, 0, 1)                                       \
  F(__expf(x), exp(x), (3 + floor(fabs(1.173 * x))) * lastPlace(exp(x)), -80, 80, 0, 1)            \
  F(__exp10f(x), pow(10, x), (3 + floor(fabs(2.97 * x))) * lastPlace(pow(10, x)), -35, 35, 0, 1)   \
  F(__logf(x), log(x), 0x1p-21, 0.5, 2, 0, 1)                                                      \
  F(__logf(x), log(x), 4 * lastPlace(log(x)), 2.1, 1e30, 0, 1)                                     \
  F(__logf(x), log(x), 4 * lastPlace(log(x)), 1e-30, 0.45, 0, 1)                                   \
  F(__log2f(x), log2(x), 0x1p-21, 0.5, 2, 0, 1)                                                    \
  F(__log2f(x), log2(x), 3 * lastPlace(log2(x)), 2.1, 1e30, 0, 1)                                  \
  F(__log10f(x), log10(x), 0x1p-23, 0.5, 2, 0, 1)                                                  \
  F(__log10f(x), log10(x), 4 * lastPlace(log10(x)), 2.1, 1e30, 0, 1)                               \
  F(__powf(x, y), pow(x, y), 1e-4 * pow(x, y), 0.01, 100, -8, 8)                                   \
  F(__fdividef(x, y), x / y, 3 * lastPlace(x / y), -1000, 1000, 0.001, 1e20)                       \
  F(fdividef(x, y), x / y, lastPlace(x / y), -1000, 1000, 0.001, 1e20)                             \
  F(__frsqrt_rn(x), 1 / sqrt(x), 0.501 * lastPlace(1 / sqrt(x)), 1e-30, 1e30, 0, 1)                \
  F(__saturatef(x), x < 0 ? 0.0 : x > 1 ? 1.0 : x, 0, -2, 2, 0, 1)

__device__ float pairSine(float x) {
  float s, c;
  __sincosf(x, &s, &c);
  return s;
}
__device__ float pairCosine(float x) {
  float s, c;
  __sincosf(x, &s, &c);
  return c;
}

__global__ void compute(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#define F(function, exact, bound, low, high, low2, high2)                                          \
  {                                                                                                \
    const float x = in[2 * n * inputs + i], y = in[(2 * n + 1) * inputs + i];                      \
    (void)y;                                                                                       \
    out[n * inputs + i] = function;                                                                \
    ++n;                                                                                           \
  }
  int n = 0;
  FUNCTIONS
#undef F
}

int main() {
  int count = 0;
#define F(...) ++count;
  FUNCTIONS
#undef F
  float *in, *out;
  cudaMallocManaged(&in, size_t(count) * 2 * inputs * sizeof(float));
  cudaMallocManaged(&out, size_t(count) * inputs * sizeof(float));
  int n = 0;
#define F(function, exact, bound, low, high, low2, high2)                                          \
  for (unsigned i = 0; i < inputs; ++i) {                                                          \
    in[2 * n * inputs + i] = between(low, high, i, n);                                             \
    in[(2 * n + 1) * inputs + i] = between(low2, high2, i, n + 1000);                              \
  }                                                                                                \
  ++n;
  FUNCTIONS
#undef F
  compute<<<inputs / 128, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  n = 0;
#define F(function, exact, bound, low, high, low2, high2)                                          \
  {                                                                                                \
    int outside = 0;                                                                               \
    for (unsigned i = 0; i < inputs; ++i) {                                                        \
      const double x = in[2 * n * inputs + i], y = in[(2 * n + 1) * inputs + i];                   \
      (void)y;                                                                                     \
      outside += !(fabs(double(out[n * inputs + i]) - (exact)) <= (bound));                        \
    }                                                                                              \
    printf("%-20s on [%g, %g]: %d of %d outside\n", #function, double(low), double(high), outside, \
           inputs);                                                                                \
    ++n;                                                                                           \
  }
  FUNCTIONS
#undef F
}

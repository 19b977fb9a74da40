// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding functions, parts of numbers, classification, minima with NaN, and integer division by the GPU's rules.
#include <cstdio>

__global__ void k(double* out) {
  const float values[] = {-2.5f, -0.4f, 0.5f, 1.5f, 2.49f, 1e10f};
  float x = values[threadIdx.x];
  double y = double(x) * 1.000001;
  double* r = out + threadIdx.x * 30;
  int n = 0, e = 0, quo = 0;
  float nan = nanf("");
  r[n++] = floorf(x); r[n++] = ceil(y); r[n++] = truncf(x); r[n++] = rint(y); r[n++] = rintf(x); r[n++] = roundf(x);
  r[n++] = nearbyintf(x); r[n++] = lrintf(x); r[n++] = llround(y); r[n++] = fmodf(x, 0.7f); r[n++] = remainderf(x, 0.7f);
  r[n++] = frexpf(x, &e); r[n++] = e; r[n++] = ldexpf(x, 3); r[n++] = scalbn(y, -2); r[n++] = ilogbf(x); r[n++] = logb(y);
  float whole;
  r[n++] = modff(x, &whole); r[n++] = whole;
  r[n++] = fminf(nan, x); r[n++] = fmax(y, double(nan)); r[n++] = isnan(nan) + 2 * isinf(x / 0.0f) + 4 * isfinite(x);
  r[n++] = signbit(x) != 0; r[n++] = copysignf(3, x); r[n++] = nextafterf(x, 100) - x; r[n++] = fdimf(x, 1);
  r[n++] = remquof(x, 0.7f, &quo) + (quo & 7); r[n++] = fabsf(x) + fabs(y); r[n++] = int(x / 7) / 2 + int(x / 7) % 2; r[n++] = min(x, 1.0f);
}

int main() {
  double* out;
  cudaMallocManaged(&out, 6 * 30 * sizeof(double));
  k<<<1, 6>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 180; ++i)
    printf("%.9g%c", out[i], i % 6 == 5 ? '\n' : ' ');
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions of every order, pairs of sines and cosines, lengths of vectors of any dimension, in both precisions.
// TOLERANCE: 2e-4
#include <cstdio>

__global__ void floats(double* o) {
  const float x = 0.7f + 1.3f * threadIdx.x;
  float s, c;
  o += 16 * threadIdx.x;
  o[0] = j0f(x) + 2;
  o[1] = j1f(x) + 2;
  o[2] = jnf(3, x) + 2;
  o[3] = y0f(x) + 2;
  o[4] = y1f(x) + 2;
  o[5] = ynf(2, x) + 4;
  sincosf(x, &s, &c);
  o[6] = s + 2;
  o[7] = c + 2;
  sincospif(x, &s, &c);
  o[8] = s + 2;
  o[9] = c + 2;
  const float v[5] = {x, -1.5f, 2 * x, 0.25f, x * x};
  o[10] = normf(5, v);
  o[11] = rnormf(5, v);
  o[12] = cyl_bessel_i0f(x);
  o[13] = cyl_bessel_i1f(x);
  o[14] = normf(1, v) + rnormf(2, v);
  o[15] = j0f(-x) + 2;
}
__global__ void doubles(double* o) {
  const double x = 0.7 + 1.3 * threadIdx.x;
  double s, c;
  o += 16 * threadIdx.x;
  o[0] = j0(x) + 2;
  o[1] = j1(x) + 2;
  o[2] = jn(3, x) + 2;
  o[3] = y0(x) + 2;
  o[4] = y1(x) + 2;
  o[5] = yn(2, x) + 4;
  sincos(x, &s, &c);
  o[6] = s + 2;
  o[7] = c + 2;
  sincospi(x, &s, &c);
  o[8] = s + 2;
  o[9] = c + 2;
  const double v[5] = {x, -1.5, 2 * x, 0.25, x * x};
  o[10] = norm(5, v);
  o[11] = rnorm(5, v);
  o[12] = cyl_bessel_i0(x);
  o[13] = cyl_bessel_i1(x);
  o[14] = norm(1, v) + rnorm(2, v);
  o[15] = j0(-x) + 2;
}

int main() {
  double* o;
  cudaMallocManaged(&o, 8 * 16 * sizeof *o);
  for (int kind = 0; kind < 2; ++kind) {
    if (kind == 0)
      floats<<<1, 8>>>(o);
    else
      doubles<<<1, 8>>>(o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i)
      printf("%.8g%c", o[i], i % 8 == 7 ? '\n' : ' ');
  }
  return 0;
}

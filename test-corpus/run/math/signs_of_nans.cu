// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NaNs that operations and the commonest functions make: those of float have no sign, those of double have one.
#include <cstdio>
#include <cstring>

template <class T> __global__ void functions(const T* in, T* out) {
  const T x = in[threadIdx.x], none = in[0], big = in[1];
  T* to = out + threadIdx.x * 24;
  to[0] = sqrt(x);
  to[1] = log(x);
  to[2] = log2(x);
  to[3] = fmin(x, big);
  to[4] = log1p(x - 1);
  to[5] = fmax(x, none);
  to[6] = copysign(none, x);
  to[7] = fabs(x);
  to[8] = fmod(x, none);
  to[9] = fmod(big, x);
  to[10] = acosh(x);
  to[11] = floor(x);
  to[12] = sin(big * x);
  to[13] = cos(big * x);
  to[14] = tan(big * x);
  to[15] = rsqrt(x);
  to[16] = lgamma(big * x);
  to[17] = tgamma(x + 4);
  to[18] = remainder(x, none);
  to[19] = cbrt(x);
  to[20] = hypot(x, big);
  to[21] = fma(big, none, x);
  to[22] = fmax(sqrt(x), x);
  to[23] = exp(sqrt(x));
}
template <class T> __global__ void operations(const T* in, T* out) {
  const T none = in[0], big = in[1], x = in[2];
  out[0] = none / none;
  out[1] = big - big;
  out[2] = big * none;
  out[3] = big / big;
  out[4] = none / none + x;
  out[5] = sqrt(x) * x;
  out[6] = (big - big) * big;
  out[7] = x / (none * big);
}
__global__ void printed(const float* in) {
  const float none = in[0], big = in[1], x = in[2];
  printf("%f %e %g %5.1f|%-5.1f|\n", sqrtf(x), logf(x), none / none, big - big, big * none);
  printf("%f %f %f\n", (double)x / 0.0, sqrt((double)x), (double)none / none);
  printf("%f %f\n", fmaxf(sqrtf(x), 2.0f), fminf(NAN, -1.0f));
}
template <class T> void show(const T* values, int n) {
  T *in, *out;
  cudaMallocManaged(&in, n * sizeof(T));
  cudaMallocManaged(&out, n * 24 * sizeof(T));
  memcpy(in, values, n * sizeof(T));
  functions<<<1, n>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 24; ++k)
      printf("%.3g ", out[i * 24 + k]);
    printf("\n");
  }
  operations<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 8; ++k)
    printf("%f ", out[k]);
  printf("\n");
}
int main() {
  const float f[] = {0.0f, INFINITY, -1.0f, -2.5f, 0.25f};
  const double d[] = {0.0, INFINITY, -1.0, -2.5, 0.25};
  show(f, 5);
  show(d, 5);
  float* in;
  cudaMallocManaged(&in, sizeof f);
  memcpy(in, f, sizeof f);
  printed<<<1, 1>>>(in);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

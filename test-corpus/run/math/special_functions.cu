// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary and special functions in float and double, compared with a tolerance.
// TOLERANCE: 2e-5
#include <cstdio>

template <class T> __device__ void all(T x, double* r) {
  int n = 0;
  r[n++] = sin(x);
  r[n++] = cos(x);
  r[n++] = tan(x * T(0.3));
  r[n++] = exp(x);
  r[n++] = exp2(x);
  r[n++] = exp10(x * T(0.5));
  r[n++] = expm1(x);
  r[n++] = log(x);
  r[n++] = log2(x + T(1.5));
  r[n++] = log10(x);
  r[n++] = log1p(x);
  r[n++] = sqrt(x);
  r[n++] = rsqrt(x);
  r[n++] = cbrt(x);
  r[n++] = rcbrt(x);
  r[n++] = pow(x, T(1.7));
  r[n++] = erf(x);
  r[n++] = erfc(x);
  r[n++] = erfinv(x * T(0.2));
  r[n++] = erfcx(x);
  r[n++] = normcdf(x - T(2));
  r[n++] = normcdfinv(x * T(0.23));
  r[n++] = tgamma(x);
  r[n++] = lgamma(x + T(2.5));
  r[n++] = sinpi(x * T(0.37));
  r[n++] = cospi(x * T(0.3));
  r[n++] = hypot(x, T(2));
  r[n++] = rhypot(x, T(2));
  r[n++] = atan2(x, T(-1));
  r[n++] = fmod(x * T(7), T(2.3));
  r[n++] = fma(x, x, T(1));
  r[n++] = j0(x) + y1(x);
}

__global__ void k(double* out) {
  double x = 0.3 + threadIdx.x * 1.1;
  all<float>(float(x), out + threadIdx.x * 64);
  all<double>(x, out + threadIdx.x * 64 + 32);
}

int main() {
  double* out;
  cudaMallocManaged(&out, 4 * 64 * sizeof(double));
  k<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i)
    printf("%.8g%c", out[i], i % 4 == 3 ? '\n' : ' ');
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions with rounding modes and saturation: NaN and out-of-range to integers clamp as the GPU does, never as x86 does.
#include <cstdio>

__global__ void k(const float* f, const double* d, long long* out, float* fout, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  long long* r = out + i * 16;
  r[0] = __float2int_rn(f[i]);
  r[1] = __float2int_rz(f[i]);
  r[2] = __float2int_ru(f[i]);
  r[3] = __float2int_rd(f[i]);
  r[4] = __float2uint_rn(f[i]);
  r[5] = __float2uint_rz(f[i]);
  r[6] = __float2ll_rn(f[i]);
  r[7] = (long long)__float2ull_rz(f[i]);
  r[8] = __double2int_rn(d[i]);
  r[9] = __double2int_rz(d[i]);
  r[10] = __double2uint_ru(d[i]);
  r[11] = __double2ll_rd(d[i]);
  r[12] = __float_as_int(f[i]);
  r[13] = __double2hiint(d[i]);
  r[14] = __double2loint(d[i]);
  r[15] = __float_as_uint(__double2float_rn(d[i]));
  fout[i * 4] = __int2float_rz(16777219 + i);
  fout[i * 4 + 1] = __int2float_ru(16777217 + i);
  fout[i * 4 + 2] = __uint2float_rn(4294967295u - 200 * i);
  fout[i * 4 + 3] = __ll2float_rd(9007199254740993ll + i);
}

int main() {
  const float f0[] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 2147483648.0f, -3e9f, 4294967296.0f, 1e20f, -1e20f, NAN, 123456.7f};
  const double d0[] = {0.5, 1.5, 2.5, -2.5, 1e10, -1e10, 4294967295.5, 9.3e18, -9.3e18, NAN, 1e-310, 0.1};
  const int n = 12;
  float *f, *fout;
  double* d;
  long long* out;
  cudaMallocManaged(&f, sizeof f0);
  cudaMallocManaged(&d, sizeof d0);
  cudaMallocManaged(&out, n * 16 * sizeof(long long));
  cudaMallocManaged(&fout, n * 4 * sizeof(float));
  for (int i = 0; i < n; ++i) {
    f[i] = f0[i];
    d[i] = d0[i];
  }
  k<<<1, 32>>>(f, d, out, fout, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    // A NaN's bits are not specified: its columns are left out.
    for (int j = 0; j < 16; ++j)
      if (!(j == 12 && f0[i] != f0[i]) && !(j > 12 && d0[i] != d0[i]))
        printf("%lld ", out[i * 16 + j]);
    printf("| %.1f %.1f %.1f %.1f\n", fout[i * 4], fout[i * 4 + 1], fout[i * 4 + 2], fout[i * 4 + 3]);
  }
  return 0;
}

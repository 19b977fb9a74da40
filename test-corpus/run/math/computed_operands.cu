// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics with a rounding of their own whose operands are computed in the same expression, and
// whose results are added to: nothing around them is rounded their way or merged with them.
#include <cstdio>

__global__ void compute(const float* in, unsigned* out, unsigned long long* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  unsigned* o = out + i * 9;
  o[0] = __float_as_uint(__frcp_ru(__fadd_rn(a, 0.5f)));
  o[1] = __float_as_uint(__fdiv_rd(a / 3.0f, b));
  o[2] = __float_as_uint(__fsqrt_rz(fabsf(a) / 7.0f));
  o[3] = __float_as_uint(__fadd_ru(a / b, 1.0f / c));
  o[4] = __float_as_uint(__fmul_rn(a, b) + c);
  o[5] = __float_as_uint(__fadd_rn(a * b, c));
  o[6] = __float_as_uint(c - __fmul_rn(b, a));
  o[7] = __float_as_uint(__int2float_ru(int(a * 3e6f)) / 3.0f);
  o[8] = __float_as_uint(__fsub_rn(a * a, b * b));
  const double x = a, y = b, z = c;
  wide[i * 4] = __double_as_longlong(__dmul_rn(x / 3, y / 7) + z / 11);
  wide[i * 4 + 1] = __double_as_longlong(__dadd_rn((x / 3) * (y / 7), z / 11));
  wide[i * 4 + 2] = __double_as_longlong(__ddiv_ru(x / 3, y / 7) / 3);
  wide[i * 4 + 3] = __double_as_longlong(__dsqrt_rd(fabs(x) / 3) * __drcp_rz(y / 3));
}

int main() {
  const int n = 20000;
  float* in;
  unsigned* out;
  unsigned long long* wide;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * 9 * sizeof(unsigned));
  cudaMallocManaged(&wide, n * 4 * sizeof(unsigned long long));
  unsigned x = 7;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    in[i] = (float(int(x >> 7) % 2000001 - 1000000) + 0.5f) * 0x1.8p-12f;
  }
  compute<<<(n + 127) / 128, 128>>>(in, out, wide, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < 9; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 9 + k]) * 1099511628211ull;
    printf("%d %016llx\n", k, h);
  }
  for (int k = 0; k < 4; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ wide[i * 4 + k]) * 1099511628211ull;
    printf("%d %016llx\n", k, h);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic intrinsics with a rounding mode give exactly the rounded result, in float and double; fma doesn't round twice.
#include <cstdio>

__global__ void k(float* f, double* d) {
  // Not computed: a sum of a product would be one rounding or two, as the compiler likes.
  const float as[] = {1.0f, 1.1f, 1.2f};
  const double xs[] = {1.0, 1.1, 1.2};
  float a = as[threadIdx.x], b = 3.0f + threadIdx.x;
  float* r = f + threadIdx.x * 20;
  int n = 0;
  r[n++] = __fadd_rn(a, 1e-7f); r[n++] = __fadd_rz(a, 1e-7f); r[n++] = __fadd_ru(a, 1e-9f); r[n++] = __fadd_rd(a, 1e-7f);
  r[n++] = __fmul_rn(a, b); r[n++] = __fmul_rz(a, -b); r[n++] = __fmul_ru(a, b); r[n++] = __fmul_rd(a, -b);
  r[n++] = __fdiv_rn(a, b); r[n++] = __fdiv_rz(a, b); r[n++] = __fdiv_ru(a, b); r[n++] = __fdiv_rd(a, b);
  r[n++] = __fsqrt_rn(a); r[n++] = __fsqrt_ru(a); r[n++] = __frcp_rn(b); r[n++] = __frcp_rd(b);
  r[n++] = __fmaf_rn(a, b, -a * b); r[n++] = __fmaf_ru(a, b, 1e-6f); r[n++] = __fsub_ru(a, 1e-8f); r[n++] = __saturatef(a - 1.2f);
  double x = xs[threadIdx.x], y = 3.0 + threadIdx.x;
  double* q = d + threadIdx.x * 12;
  n = 0;
  q[n++] = __dadd_ru(x, 1e-18); q[n++] = __dadd_rz(x, -1e-18); q[n++] = __dmul_rn(x, y); q[n++] = __dmul_ru(x, y);
  q[n++] = __ddiv_rn(x, y); q[n++] = __ddiv_rd(x, y); q[n++] = __dsqrt_rn(x); q[n++] = __dsqrt_ru(x);
  q[n++] = __drcp_rn(y); q[n++] = __drcp_ru(y); q[n++] = __fma_rn(x, y, 1e-17); q[n++] = __fma_rz(x, y, -1e-17);
}

int main() {
  float* f;
  double* d;
  cudaMallocManaged(&f, 3 * 20 * sizeof(float));
  cudaMallocManaged(&d, 3 * 12 * sizeof(double));
  k<<<1, 3>>>(f, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 60; ++i)
    printf("%a%c", f[i], i % 5 == 4 ? '\n' : ' ');
  for (int i = 0; i < 36; ++i)
    printf("%a%c", d[i], i % 4 == 3 ? '\n' : ' ');
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of tiles of complex numbers, added up by macros that are statements.
#include <cstdio>

#include <cuda_runtime.h>

#define BS 16
#define CMAC(acc, a, b)                                                                            \
  do {                                                                                             \
    (acc).x += (a).x * (b).x + (a).y * (b).y;                                                      \
    (acc).y += (a).y * (b).x - (a).x * (b).y;                                                      \
  } while (0)
// A block, with a literal and a call.
#define CSCALE(acc, by)                                                                            \
  {                                                                                                \
    acc.x = fmaxf((acc).x, -4096.0f) * (by);                                                       \
    acc.y *= by > 0 ? by : 0.5f;                                                                   \
  }
// Leaves the statement's semicolon to the user; the second begins with its argument.
#define CADD(acc, a) acc.x += (a).x, acc.y += (a).y
#define STEP(acc, a) acc = a

__global__ void overlap(const float2* A, const float2* B, float2* S, int m, int n, int k) {
  __shared__ float2 As[2 * BS][BS];
  __shared__ float2 Bs[BS][BS + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * 2 * BS + ty, row1 = row0 + BS, col = blockIdx.x * BS + tx;
  const int brow = blockIdx.x * BS + ty;
  const float2 zero = make_float2(0.0f, 0.0f);
  float2 s0 = zero, s1 = zero;
  for (int k0 = 0; k0 < k; k0 += BS) {
    const int at = k0 + tx;
    As[ty][tx] = (row0 < m && at < k) ? A[row0 * k + at] : zero;
    As[ty + BS][tx] = (row1 < m && at < k) ? A[row1 * k + at] : zero;
    Bs[ty][tx] = (brow < n && at < k) ? B[brow * k + at] : zero;
    __syncthreads();
    for (int q = 0; q < BS; q++) {
      float2 b = Bs[tx][q];
      float2 a0 = As[ty][q];
      float2 a1 = As[ty + BS][q];
      CMAC(s0, a0, b);
      CMAC(s1, a1, b);
    }
    __syncthreads();
  }
  float2 last;
  STEP(last, s0);
  if (tx % 2 == 0)
    CADD(last, s1);
  else
    CMAC(last, s1, zero);
  CSCALE(last, 0.5f);
  if (col < n) {
    if (row0 < m)
      S[row0 * n + col] = last;
    if (row1 < m)
      S[row1 * n + col] = s1;
  }
}

int main() {
  for (const int size : {1, 16, 37, 64}) {
    const int m = size + 3, n = size, k = size + 7;
    float2 *a, *b, *s;
    cudaMallocManaged(&a, m * k * sizeof *a);
    cudaMallocManaged(&b, n * k * sizeof *b);
    cudaMallocManaged(&s, m * n * sizeof *s);
    for (int i = 0; i < m * k; ++i)
      a[i] = make_float2(float(i % 7 - 3), float(i % 5 - 2));
    for (int i = 0; i < n * k; ++i)
      b[i] = make_float2(float(i % 3 - 1), float(i % 11 - 5));
    overlap<<<dim3((n + BS - 1) / BS, (m + 2 * BS - 1) / (2 * BS)), dim3(BS, BS)>>>(a, b, s, m, n,
                                                                                    k);
    cudaDeviceSynchronize();
    double x = 0, y = 0;
    for (int i = 0; i < m * n; ++i) {
      x += double(s[i].x) * (1 + i % 13);
      y += double(s[i].y) * (1 + i % 17);
    }
    printf("%d: %.1f %.1f\n", size, x, y);
    cudaFree(a);
    cudaFree(b);
    cudaFree(s);
  }
}

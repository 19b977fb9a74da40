// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores and loads with hints for the cache, alone and in loops that step by the block or a warp.
#include <cstdio>

__global__ void scale(const float* x, float* y, float4* vectors, double* wide, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    __stcs(y + i, __ldcs(x + i) * 2);
    __stcg(&wide[i],
           3 * i);
    if (i & 1)
      __stwt(vectors + i / 2, make_float4(1, x[i], 2, 3));
  }
  __stwb(y, 5);
}

__global__ void rows(const float* x, float* y, float* means, int n, int width) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n)
    return;
  const float* mine = x + row * width;
  float sum = 0;
  for (int i = lane; i < width; i += 32)
    sum += mine[i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0)
    __stcs(means + row, sum / width);
  for (int i = lane; i < width; i += 32)
    __stcs(y + row * width + i, __ldcs(mine + i) - sum / width);
}

int main() {
  const int n = 1000;
  float *x, *y, *means;
  float4* vectors;
  double* wide;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&means, n * sizeof(float));
  cudaMallocManaged(&vectors, n * sizeof(float4));
  cudaMallocManaged(&wide, n * sizeof(double));
  for (int i = 0; i < n; ++i)
    x[i] = float(i % 64) / 8;
  scale<<<1, 64>>>(x, y, vectors, wide, n);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n / 2; ++i)
    sum += y[i] + y[n - 1 - i] * 3 + wide[i] + vectors[i].y * vectors[i].w;
  std::printf("scaled %.3f\n", sum);
  rows<<<3, 128>>>(x, y, means, 10, 100);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * (i % 13) + (i < 10 ? means[i] : 0);
  std::printf("rows %.3f\n", sum);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose threads take the items of a row in short loops, around warps that exchange values:
// what the next block loads and stores is fetched in between, also by a pointer to the row.
#include <cstdio>

#include <cuda_runtime.h>

template <int WIDTH, int THREADS> __global__ void shares(const float* x, const float* w, float* y) {
  __shared__ float part[THREADS / 32];
  constexpr int items = WIDTH / THREADS;
  const float* row = x + (size_t)blockIdx.x * WIDTH;
  float v[items], sum = 0;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    v[k] = row[threadIdx.x + k * THREADS] * w[threadIdx.x + k * THREADS];
    sum += v[k];
  }
  for (int o = 16; o > 0; o >>= 1)
    sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  float all = 0;
  for (int k = 0; k < THREADS / 32; ++k)
    all += part[k];
#pragma unroll
  for (int k = 0; k < items; ++k)
    y[(size_t)blockIdx.x * WIDTH + threadIdx.x + k * THREADS] = v[k] / all;
}

// Items that only a tile of its own reads, in rows that pointers walk along.
__global__ void reversed(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int* from = in + blockIdx.x * 256;
  int* to = out + (n - (blockIdx.x + 1) * 256);
  for (int k = 0; k < 4; ++k)
    tile[threadIdx.x + k * 64] = from[threadIdx.x + k * 64];
  __syncthreads();
  const int odd = __popc(__ballot_sync(~0u, tile[threadIdx.x] & 1));
  for (int k = 0; k < 4; ++k)
    to[threadIdx.x + k * 64] = tile[255 - threadIdx.x - k * 64] + (k == 0 ? odd : 0);
}

int main() {
  constexpr int width = 256, rows = 9, n = width * rows;
  float *x, *w, *y;
  int *in, *out;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&w, width * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    x[i] = float(1 + i * 11 % 64);
    in[i] = i * 7 % 1000;
  }
  for (int i = 0; i < width; ++i)
    w[i] = float(1 + i % 4);
  shares<width, 64><<<rows, 64>>>(x, w, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 97)
    printf("%.6f\n", y[i]);
  reversed<<<rows, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 83)
    printf("%d\n", out[i]);
}

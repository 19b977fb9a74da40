// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in place in global memory whose last warp works through a volatile pointer, in step and without a barrier.
#include <cstdio>

__global__ void reduce(int* data, int* out, int n) {
  const int tid = threadIdx.x;
  int* block = data + blockIdx.x * blockDim.x * 2;
  if (blockIdx.x * blockDim.x * 2 + tid + blockDim.x < n)
    block[tid] += block[tid + blockDim.x];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (tid < stride)
      block[tid] += block[tid + stride];
    __syncthreads();
  }
  if (tid < 32) {
    volatile int* last = block;
    last[tid] += last[tid + 32];
    last[tid] += last[tid + 16];
    last[tid] += last[tid + 8];
    last[tid] += last[tid + 4];
    last[tid] += last[tid + 2];
    last[tid] += last[tid + 1];
  }
  if (tid == 0)
    out[blockIdx.x] = block[0];
}

template <unsigned blockSize> __global__ void reduceUnrolled(float* data, float* out) {
  const unsigned tid = threadIdx.x;
  float* block = data + blockIdx.x * blockSize;
  if (blockSize >= 256 && tid < 128)
    block[tid] += block[tid + 128];
  __syncthreads();
  if (blockSize >= 128 && tid < 64)
    block[tid] += block[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile float* last = block;
    if (blockSize >= 64)
      last[tid] += last[tid + 32];
    last[tid] += last[tid + 16];
    last[tid] += last[tid + 8];
    last[tid] += last[tid + 4];
    last[tid] += last[tid + 2];
    last[tid] += last[tid + 1];
  }
  if (tid == 0)
    out[blockIdx.x] = block[0];
}

int main() {
  const int n = 4096;
  int *data, *sums;
  float *values, *totals;
  cudaMallocManaged(&data, n * sizeof *data);
  cudaMallocManaged(&sums, 16 * sizeof *sums);
  cudaMallocManaged(&values, n * sizeof *values);
  cudaMallocManaged(&totals, 64 * sizeof *totals);
  for (int i = 0; i < n; ++i) {
    data[i] = i * 7 % 31;
    values[i] = float(i % 13);
  }
  reduce<<<n / 512, 256>>>(data, sums, n);
  reduceUnrolled<256><<<8, 256>>>(values, totals);
  reduceUnrolled<64><<<32, 64>>>(values + 2048, totals + 8);
  cudaDeviceSynchronize();
  int sum = 0;
  float total = 0;
  for (int i = 0; i < n / 512; ++i)
    sum += sums[i];
  for (int i = 0; i < 40; ++i)
    total += totals[i];
  printf("%d %d, %g %g\n", sums[0], sum, totals[9], total);
  return 0;
}

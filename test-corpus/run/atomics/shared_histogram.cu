// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram with atomics on shared memory, merged by atomics on global memory, and the last block found by a ticket.
#include <cstdio>

__device__ unsigned done = 0;

__global__ void histogram(const unsigned char* data, int n, unsigned* bins, unsigned* total) {
  __shared__ unsigned local[256];
  __shared__ bool last;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
  __threadfence();
  if (threadIdx.x == 0)
    last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += ((volatile unsigned*)bins)[i] * (i + 1);
    *total = sum;
    done = 0;
  }
}

int main() {
  const int n = 30000;
  unsigned char* data;
  unsigned *bins, *total;
  cudaMallocManaged(&data, n);
  cudaMallocManaged(&bins, 256 * sizeof(unsigned));
  cudaMallocManaged(&total, sizeof(unsigned));
  for (int i = 0; i < n; ++i)
    data[i] = (unsigned char)((i * i + 3 * i) >> 2);
  for (int round = 0; round < 2; ++round) {
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    histogram<<<12, 96>>>(data, n, bins, total);
    cudaDeviceSynchronize();
    printf("%u %u %u %u\n", bins[0], bins[1], bins[255], *total);
  }
  return 0;
}

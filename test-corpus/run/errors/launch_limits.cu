// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's launch bounds and shared variables do to launches, attributes and occupancy.
#include <cstdio>

__global__ void __launch_bounds__(256) bounded(int* p) { p[threadIdx.x] = 2; }
__global__ void withShared(int* p) {
  __shared__ int memory[4096];
  memory[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int *p, minGrid = 0, size = 0, blocks = 0;
  cudaMalloc(&p, 1024 * sizeof(int));
  bounded<<<1, 256>>>(p);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  bounded<<<1, 257>>>(p);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  printf("threads %d\n", attributes.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attributes, withShared);
  printf("shared %zu, dynamic %d\n", attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &size, bounded, 0, 0);
  printf("%d\n", size);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, withShared, 32, 0);
  printf("%d\n", blocks);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

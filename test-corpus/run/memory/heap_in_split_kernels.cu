// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread gets memory of its own from malloc() and new, also where all ask for the same size between barriers.
#include <cstdio>

struct Cell {
  int value;
};
__device__ Cell* makeCell(int value) { return new Cell{value}; }

__global__ void own(int* out, int words) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = t;
  __syncthreads();
  int* memory = (int*)malloc(words * sizeof(int));
  Cell* cell = makeCell(5);
  for (int i = 0; i < words; ++i)
    memory[i] = t * 10 + i;
  cell->value += t;
  __syncthreads();
  sums[t] += memory[words - 1] + cell->value * 1000;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = sums[63 - t];
  free(memory);
  delete cell;
}

__global__ void oneForAll(int* out) {
  __shared__ int* memory;
  if (threadIdx.x == 0)
    memory = (int*)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    free(memory);
}

int main() {
  int *device, host[128], wrong = 0;
  cudaMalloc(&device, sizeof(host));
  own<<<2, 64>>>(device, 8);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    const int t = 63 - i % 64;
    wrong += host[i] != t + t * 10 + 7 + (5 + t) * 1000;
  }
  printf("own: %d wrong, %d %d\n", wrong, host[0], host[127]);
  oneForAll<<<1, 64>>>(device);
  cudaMemcpy(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("one for all: %d %d\n", host[0], host[62]);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return wrong != 0;
}

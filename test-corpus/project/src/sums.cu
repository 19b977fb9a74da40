#include "blocks.cuh"
#include <interface.cuh>

#define BETWEEN __syncthreads()
#define OTHER s[threadIdx.x ^ 1]
#include "neighbours.cuh"

void addPairs(int* device, int n) {
  if (n == 64)
    neighbours<<<1, 64>>>(device);
}

int sumOf(const int* device, int n) {
  int *out, sum = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sumBlocks<int, 128><<<(n + 127) / 128, 128>>>(device, out, n);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return sum;
}

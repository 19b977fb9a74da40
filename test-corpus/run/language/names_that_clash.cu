// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User names that a translator might want for itself: block, thread, body, launch, cuBlock, cuThread, shared, std-like names.
#include <cstdio>

struct Block {
  int thread;
};
__device__ int thread(int x) { return x + 1; }
__device__ int launch(int x) { return x * 2; }
namespace shared {
__device__ int eachThread = 5;
}

__global__ void kernel(int* out, int n) {
  int block = blockIdx.x, cuBlock = blockDim.x, cuThread = threadIdx.x;
  int i = block * cuBlock + cuThread;
  Block body = {thread(i)};
  int grid = gridDim.x, index = launch(body.thread);
  if (i < n) {
    int threadIdx_x = index + grid, lane = 1, self = 2, fiber = 3;
    out[i] = threadIdx_x + shared::eachThread + lane + self + fiber;
  }
}

__global__ void shadow(int* out) {
  int x = threadIdx.x;
  {
    int blockDim = 7;  // hides the built-in in this scope
    out[x] = blockDim;
  }
  out[x] += 10 * blockDim.x;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 12 * sizeof(int));
  kernel<<<3, 4>>>(out, 11);
  cudaDeviceSynchronize();
  for (int i = 0; i < 11; ++i)
    printf("%d ", out[i]);
  shadow<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  printf("\n%d %d\n", out[0], out[3]);
  return 0;
}

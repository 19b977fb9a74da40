// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1-D, 2-D and 3-D blocks and grids with odd sizes: each thread writes all its indices once.
#include <cstdio>

__global__ void k(int* hits, unsigned long long* sum) {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned id = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  hits[id] += 1;
  atomicAdd(sum, (unsigned long long)(threadIdx.x + 3 * threadIdx.y + 5 * threadIdx.z + 7 * blockIdx.x +
                                      11 * blockIdx.y + 13 * blockIdx.z + warpSize) *
                     (id % 17 + 1));
}

void test(dim3 grid, dim3 block) {
  int n = grid.x * grid.y * grid.z * block.x * block.y * block.z;
  int* hits;
  unsigned long long* sum;
  cudaMallocManaged(&hits, n * sizeof(int));
  cudaMallocManaged(&sum, sizeof *sum);
  for (int i = 0; i < n; ++i)
    hits[i] = 0;
  *sum = 0;
  k<<<grid, block>>>(hits, sum);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += hits[i] != 1;
  printf("%u %u %u, %u %u %u: sum %llu wrong %d\n", grid.x, grid.y, grid.z, block.x, block.y, block.z, *sum,
         wrong);
  cudaFree(hits);
  cudaFree(sum);
}

int main() {
  test(1, 1);
  test(13, 37);
  test(dim3(5, 3), dim3(7, 9));
  test(dim3(2, 3, 4), dim3(5, 3, 2));
  test(dim3(1, 1, 65), dim3(1, 1, 64));
  test(3, 1024);
  test(dim3(1, 70), dim3(1, 33));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is launched with blocks of many sizes runs each thread of each block once, whichever size comes first.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void mark(int* counts, int* order) {
  const int inBlock = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int perBlock = blockDim.x * blockDim.y * blockDim.z;
  const int i = blockIdx.x * perBlock + inBlock;
  counts[i] += 1;
  order[i] = threadIdx.x * 10000 + threadIdx.y * 100 + threadIdx.z;
}

__global__ void reversed(int* values) {
  __shared__ int tile[1024];
  const int n = blockDim.x * blockDim.y, t = threadIdx.y * blockDim.x + threadIdx.x;
  tile[t] = values[blockIdx.x * n + t];
  __syncthreads();
  values[blockIdx.x * n + t] = tile[n - 1 - t];
}

static bool marksEachOnce(int* counts, int* order, dim3 block) {
  const int n = 3 * block.x * block.y * block.z;
  for (int i = 0; i < n; ++i) {
    const int inBlock = i % (n / 3);
    const int x = inBlock % block.x, y = inBlock / block.x % block.y, z = inBlock / (block.x * block.y);
    if (counts[i] != 1 || order[i] != x * 10000 + y * 100 + z)
      return false;
    counts[i] = order[i] = 0;
  }
  return true;
}

static bool reverses(int* values, dim3 block) {
  const int n = block.x * block.y;
  for (int i = 0; i < 2 * n; ++i)
    if (values[i] != (i / n) * n + n - 1 - i % n)
      return false;
  return true;
}

int main() {
  int *counts, *order;
  cudaMallocManaged(&counts, 3 * 1024 * sizeof(int));
  cudaMallocManaged(&order, 3 * 1024 * sizeof(int));
  for (int i = 0; i < 3 * 1024; ++i)
    counts[i] = order[i] = 0;
  bool good = true;
  mark<<<3, dim3(16, 4)>>>(counts, order);
  cudaDeviceSynchronize();
  good = good && marksEachOnce(counts, order, dim3(16, 4));
  const dim3 others[] = {dim3(1), dim3(4, 16), dim3(16, 4, 2), dim3(64), dim3(31, 3, 5), dim3(1024), dim3(16)};
  for (const dim3& block : others) {
    mark<<<3, block>>>(counts, order);
    cudaDeviceSynchronize();
    const bool right = marksEachOnce(counts, order, block);
    if (!right)
      printf("wrong with %u x %u x %u\n", block.x, block.y, block.z);
    good = good && right;
  }
  for (int i = 0; i < 2 * 256; ++i)
    order[i] = i;
  reversed<<<2, 256>>>(order);
  cudaDeviceSynchronize();
  good = good && reverses(order, dim3(256));
  for (const dim3& block : {dim3(100), dim3(16, 16), dim3(512), dim3(1)}) {
    for (unsigned i = 0; i < 2 * block.x * block.y; ++i)
      order[i] = i;
    reversed<<<2, block>>>(order);
    cudaDeviceSynchronize();
    good = good && reverses(order, block);
  }
  cudaFree(counts);
  cudaFree(order);
  puts(good && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
  return good ? 0 : 1;
}

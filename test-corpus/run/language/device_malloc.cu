// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc, free, new and delete in device code: memory made by one thread is used by others and in later kernels.
#include <cstdio>
#include <cstdlib>

__device__ int* kept[4];

__global__ void make(int n) {
  __shared__ int* data;
  if (threadIdx.x == 0) {
    data = (int*)malloc(n * sizeof(int));
    kept[blockIdx.x] = data;
  }
  __syncthreads();
  if (data == nullptr)
    return;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = i + 1000 * blockIdx.x;
}

__global__ void use(int n, int* sums) {
  int* mine = kept[blockIdx.x];
  int* copy = new int[n];
  int sum = 0;
  for (int i = 0; i < n; ++i)
    copy[i] = mine[i];
  for (int i = 0; i < n; ++i)
    sum += copy[i];
  delete[] copy;
  free(mine);
  sums[blockIdx.x] = sum;
}

int main() {
  int* sums;
  cudaMallocManaged(&sums, 4 * sizeof(int));
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
  make<<<4, 32>>>(100);
  use<<<4, 1>>>(100, sums);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
  return 0;
}

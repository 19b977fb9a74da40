// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device function with barriers that threads may leave early: none of them does, some do, all do.
#include <cstdio>

__device__ void reverse(int* data, int n) {
  if ((int)threadIdx.x >= n)
    return;
  const int mine = data[n - 1 - threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = mine;
  __syncthreads();
  const int last = data[n - 1];
  __syncthreads();
  data[threadIdx.x] += last == 1 ? 1000 : 2000;
}

__global__ void run(int* data, int n) { reverse(data, n); }

int main() {
  const int threads = 128;
  int* data;
  cudaMallocManaged(&data, threads * sizeof(int));
  for (int n : {threads, threads / 2, 0}) {
    for (int i = 0; i < threads; ++i)
      data[i] = i + 1;
    run<<<1, threads>>>(data, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%d %d %d %d\n", data[1], data[threads / 2 - 1], data[threads / 2], data[threads - 1]);
  }
  return 0;
}

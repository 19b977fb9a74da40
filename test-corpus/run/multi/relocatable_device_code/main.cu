// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions, variables and kernels used across files (-rdc=true).
// FLAGS: -rdc=true
#include "shared.cuh"
#include <cstdio>

__device__ int total = 100;

__global__ void direct(int* out) { out[threadIdx.x] = weighted(threadIdx.x) + total; }

int main() {
  const int n = 64;
  int *data, *out;
  cudaMallocManaged(&data, n * sizeof(int));
  cudaMallocManaged(&out, 8 * sizeof(int));
  for (int i = 0; i < n; ++i)
    data[i] = i;
  int w[4] = {1, 10, 100, 1000};
  cudaMemcpyToSymbol(weights, w, sizeof w);
  accumulate<<<2, 16>>>(data, n);
  runOther(data, n);
  direct<<<1, 8>>>(out);
  cudaDeviceSynchronize();
  int sum;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  printf("%d %d %d\n", sum, out[0], out[7]);
  return 0;
}

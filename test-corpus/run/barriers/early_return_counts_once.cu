// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that returned before a barrier run nothing after it and never run their prefix twice; thread 0 returns too.
#include <cstdio>

__global__ void k(int* prefix, int* suffix, int* out, int n) {
  __shared__ int sum[2];
  int t = threadIdx.x;
  if (t == 5) {
    sum[0] = sum[1] = 0;
  }
  atomicAdd(&prefix[blockIdx.x], 1);
  if (t % 3 == 0 || t >= n)
    return;
  __syncthreads();
  atomicAdd(&sum[t % 2], t);
  __syncthreads();
  atomicAdd(&suffix[blockIdx.x], 1);
  if (t == 1)
    out[blockIdx.x] = sum[0] * 10000 + sum[1];
}

int main() {
  int *prefix, *suffix, *out;
  cudaMallocManaged(&prefix, 4 * sizeof(int));
  cudaMallocManaged(&suffix, 4 * sizeof(int));
  cudaMallocManaged(&out, 4 * sizeof(int));
  for (int b = 0; b < 4; ++b)
    prefix[b] = suffix[b] = out[b] = 0;
  k<<<4, 100>>>(prefix, suffix, out, 77);
  cudaDeviceSynchronize();
  for (int b = 0; b < 4; ++b)
    printf("%d %d %d\n", prefix[b], suffix[b], out[b]);
  return 0;
}

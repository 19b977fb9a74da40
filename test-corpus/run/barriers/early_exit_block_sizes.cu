// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads beyond the end return before, between and after barriers; blocks of 1, 33 and 1024 threads; thread 0 gone.
#include <cstdio>

__global__ void k(int* out, int* visits, int n) {
  extern __shared__ int s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  atomicAdd(visits, 1);
  if (i >= n)
    return;
  s[t] = i;
  __syncthreads();
  int left = t > 0 ? s[t - 1] : -1;
  if (i % 5 == 0) {
    out[i] = left;
    return;
  }
  __syncthreads();
  s[t] = left * 2;
  __syncthreads();
  if (left < 4)
    return;
  __syncthreads();
  out[i] = s[t] + left;
}

int main() {
  int *out, *visits;
  const int n = 2000;
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&visits, sizeof(int));
  int bad = 0;
  for (int size : {1, 33, 1024}) {
    for (int i = 0; i < n; ++i)
      out[i] = -100;
    *visits = 0;
    const int grid = (n + size - 1) / size;
    k<<<grid, size, size * sizeof(int)>>>(out, visits, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
      const int left = i % size > 0 ? i - 1 : -1;
      bad += out[i] != (i % 5 == 0 ? left : left < 4 ? -100 : left * 3);
    }
    bad += *visits != grid * size;
    printf("%d: %d %d %d\n", size, out[1], out[7], *visits);
  }
  printf("wrong: %d\n", bad);
  return bad != 0;
}

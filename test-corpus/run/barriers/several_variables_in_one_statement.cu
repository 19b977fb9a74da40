// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop variable of the block and a thread's own value declared in one statement.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[32];
  int step = n, sum = threadIdx.x, i;
  for (i = 0; i < step; ++i) {
    s[threadIdx.x] = sum + i;
    __syncthreads();
    sum += s[31 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum * 10 + i;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out, 5);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 32; ++t) {
    int a = t, b = 31 - t;
    for (int i = 0; i < 5; ++i) {
      const int c = a + b + i;
      b = b + a + i;
      a = c;
    }
    bad += out[t] != a * 10 + 5;
  }
  printf("wrong: %d; %d %d\n", bad, out[0], out[31]);
  return bad != 0;
}

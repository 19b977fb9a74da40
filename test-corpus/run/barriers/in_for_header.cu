// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in unusual places: the step of a for loop, a comma expression, the operand of a condition, an else without braces.
#include <cstdio>

__device__ bool arrive(bool more) {
  __syncthreads();
  return more;
}

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, v = t;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; ++i, __syncthreads()) {
    v += s[(t + i) % 64];
    __syncthreads();
    s[t] = v & 255;
  }
  for (int i = 0; arrive(i < 3); ++i)
    s[(t + i) % 64] += i;
  v += s[t], __syncthreads(), s[t] = v & 1023;
  if (n > 100)
    v = 0;
  else
    __syncthreads();
  out[t] = v + s[63 - t];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out, 5);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}

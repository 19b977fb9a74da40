// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform if with barriers in both branches, else-if chains, branches without braces, nested, dangling else.
#include <cstdio>

__global__ void k(int* out, int mode) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int v = t;
  s[t] = t;
  if (mode == 0) {
    __syncthreads();
    v += s[31 - t];
    __syncthreads();
  } else if (mode == 1) {
    v *= 2; // before
    __syncthreads();
    v -= s[(t + 1) % 32]; // between
    __syncthreads();
    s[t] = v; // after
  } else
    __syncthreads();
  if (mode & 1)
    __syncthreads();
  else
    s[t] += 5;
  if (mode > 1)
    if (mode > 2)
      __syncthreads();
    else
      v += 7;
  if (mode < 3) {
    int inner = v * 3;
    {
      __syncthreads();
      int deeper = s[t ^ 1];
      if (mode != 2) {
        inner += deeper;
        __syncthreads();
        s[t] = inner;
      }
      v += deeper;
    }
    v += inner;
  }
  __syncthreads();
  if (t < 16) {
    if (t & 1)
      v = -v;
  } else {
    v += 1;
  }
  __syncthreads();
  out[t] = v * 1000 + s[31 - t];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int mode = 0; mode < 5; ++mode) {
    k<<<1, 32>>>(out, mode);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < 32; ++t)
      sum += (long long)out[t] * (t + 1);
    printf("%d: %d %d %lld\n", mode, out[0], out[31], sum);
  }
  return 0;
}

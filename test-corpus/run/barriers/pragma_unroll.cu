// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with barriers under #pragma unroll, with and without a count, and a loop without a barrier inside a region.
#include <cstdio>

template <int N> __global__ void k(int* out) {
  __shared__ int s[N];
  const int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
#pragma unroll
  for (int d = N / 2; d > 0; d >>= 1) {
    int v = t < d ? s[t] + s[t + d] : s[t];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  int sum = 0;
#pragma unroll 4
  for (int i = 0; i < 8; ++i)
    sum += s[(t + i) % N];
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    s[t] = sum + i;
    __syncthreads();
    sum += s[N - 1 - t];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    out[i] = i % 9;
  k<64><<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[63]);
  k<8><<<1, 8>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[7]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier inside a macro, and barriers that exist in one instantiation of a kernel template only.
#include <cstdio>

#define SYNC_AND(statement)                                                                        \
  do {                                                                                             \
    __syncthreads();                                                                               \
    statement;                                                                                     \
  } while (0)
#define BARRIER __syncthreads()

template <bool WithBarrier> __global__ void shift(int* data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t];
  if (WithBarrier) {
    BARRIER;
    data[t] = s[(t + 1) % 64];
  } else {
    data[t] = s[t] + 100;
  }
}

__global__ void twice(int* data) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  s[t] = data[t];
  SYNC_AND(x = s[63 - t]);
  SYNC_AND(s[t] = 2 * x);
  SYNC_AND(data[t] = s[(t + 3) % 64] + x);
}

int main() {
  int* data;
  cudaMallocManaged(&data, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    data[i] = i;
  shift<true><<<1, 64>>>(data);
  shift<false><<<1, 64>>>(data);
  twice<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", data[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that wait in a `for` for what the block in front of them writes must not run side by side
// with it; loops that count may.
#include <cstdio>
#include <cuda_runtime.h>

// Polls with an atomic function; the counter only counts how often.
__global__ void inTurn(int* turn, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int polls = 0; atomicAdd(turn, 0) < (int)blockIdx.x; ++polls)
    ;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] = out[i * n + t] + i + t;
  __threadfence();
  atomicAdd(turn, 1);
}

// Polls volatile memory.
__global__ void inTurnVolatile(volatile int* turn, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int polls = 0; turn[0] < (int)blockIdx.x; ++polls)
    ;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] = out[i * n + t] * 3 + t;
  __threadfence();
  turn[0] = blockIdx.x + 1;
}

// Counts backwards again while the turn is another block's.
__global__ void inTurnBackwards(int* turn, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 1; ++k)
    if (atomicAdd(turn, 0) < (int)blockIdx.x)
      --k;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] += i * 5;
  __threadfence();
  atomicAdd(turn, 1);
}

__device__ void waitFor(int* turn, int block) {
  while (atomicAdd(turn, 0) < block)
    ;
}
__global__ void inTurnByFunction(int* turn, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  waitFor(turn, blockIdx.x);
  for (int i = 0; i < 10; ++i)
    out[i * n + t] -= i;
  __threadfence();
  atomicAdd(turn, 1);
}

// These only count.
__global__ void counts(int* out, int n, const int* limit) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 10 && i < limit[0]; ++i)
    out[i * n + t] += i;
  for (int i = 9, k = 0; i >= 0; --i, ++k)
    out[i * n + t] += k;
}

int main() {
  const int blocks = 6, n = blocks;
  int *out, *turn;
  cudaMallocManaged(&out, 10 * n * sizeof(int));
  cudaMallocManaged(&turn, sizeof(int));
  for (int i = 0; i < 10 * n; ++i)
    out[i] = i % 7;
  const auto finish = [&](const char* what) {
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
      printf("failed\n");
    long long sum = 0;
    for (int i = 0; i < 10 * n; ++i)
      sum += static_cast<long long>(out[i]) * (i + 1);
    printf("%s: %lld\n", what, sum);
    *turn = 0;
  };
  *turn = 0;
  inTurn<<<blocks, 1>>>(turn, out, n);
  finish("atomic");
  inTurnVolatile<<<blocks, 1>>>(turn, out, n);
  finish("volatile");
  inTurnBackwards<<<blocks, 1>>>(turn, out, n);
  finish("backwards");
  inTurnByFunction<<<blocks, 1>>>(turn, out, n);
  finish("function");
  *turn = 8;
  counts<<<blocks, 1>>>(out, n, turn);
  finish("counts");
  return 0;
}

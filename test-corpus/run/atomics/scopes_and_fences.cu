// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics with _block and _system scope, 64-bit compare-and-swap, fences around a flag that one block waits for from a lower one.
#include <cstdio>

__global__ void k(int* counters, unsigned long long* big, volatile int* flags, volatile int* sums) {
  __shared__ int local;
  if (threadIdx.x == 0)
    local = 0;
  __syncthreads();
  atomicAdd_block(&local, int(threadIdx.x));
  atomicMax_block(&counters[0], int(blockIdx.x * blockDim.x + threadIdx.x));
  atomicAdd_system(&counters[1], 2);
  atomicOr_system(&counters[2], 1 << (threadIdx.x % 20));
  unsigned long long old = *big, seen;
  do {
    seen = old;
    old = atomicCAS(big, seen, seen + (1ull << 32) + 1);
  } while (old != seen);
  __syncthreads();
  // A chained sum: each block waits for the block below it.
  if (threadIdx.x == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0)
        ;
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + local + int(blockIdx.x);
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

int main() {
  const int blocks = 40;
  int *counters, *flags, *sums;
  unsigned long long* big;
  cudaMalloc(&counters, 3 * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&big, sizeof *big);
  cudaMemset(counters, 0, 3 * sizeof(int));
  cudaMemset(flags, 0, blocks * sizeof(int));
  cudaMemset(big, 0, sizeof *big);
  k<<<blocks, 48>>>(counters, big, flags, sums);
  int c[3], s[blocks];
  unsigned long long b;
  cudaMemcpy(c, counters, sizeof c, cudaMemcpyDefault);
  cudaMemcpy(s, sums, sizeof s, cudaMemcpyDefault);
  cudaMemcpy(&b, big, sizeof b, cudaMemcpyDefault);
  printf("%d %d %x %llx %d %d\n", c[0], c[1], unsigned(c[2]), b, s[0], s[blocks - 1]);
  return 0;
}

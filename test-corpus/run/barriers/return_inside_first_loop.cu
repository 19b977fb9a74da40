// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that return in a loop, one more each round, in the kernel's first region: none runs its prefix again.
#include <cstdio>

__global__ void k(int* visits, int* seen, int rounds) {
  __shared__ int alive[96];
  for (int r = 0; r < rounds; ++r) {
    atomicAdd(&visits[threadIdx.x], 1);
    if (threadIdx.x == (unsigned)r * 7 % 96)
      return;
    alive[threadIdx.x] = r;
    __syncthreads();
    if (threadIdx.x == 95)
      seen[r] = alive[94];
    __syncthreads();
  }
  visits[threadIdx.x] += 100;
}

int main() {
  int *visits, *seen;
  cudaMallocManaged(&visits, 96 * sizeof(int));
  cudaMallocManaged(&seen, 12 * sizeof(int));
  for (int i = 0; i < 96; ++i)
    visits[i] = 0;
  k<<<1, 96>>>(visits, seen, 12);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < 96; ++i) {
    int want = 112;
    for (int r = 11; r >= 0; --r)
      if (i == r * 7 % 96)
        want = r + 1;
    bad += visits[i] != want;
  }
  for (int r = 0; r < 12; ++r)
    bad += seen[r] != r;
  printf("wrong: %d; %d %d %d %d\n", bad, visits[0], visits[7], visits[77], visits[95]);
  return bad != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads return in every region of nested loops; in the end all are gone, and the uniform loop does not go on for ever.
#include <cstdio>

__global__ void k(int* log, const int* forever) {
  __shared__ int s[40];
  const int t = threadIdx.x;
  int mine = 0;
  while (*forever) {
    if (mine > 2 && t % 4 == 0)
      return;
    s[t] = mine;
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
      if (t % 4 == 1 && mine > 6) {
        log[t] = mine * 10;
        return;
      }
      mine += 1 + (s[t] > 100);
      __syncthreads();
      switch (t % 4) {
      case 2:
        if (mine == 11)
          return;
        break;
      default:
        for (int j = 0; j < 3; ++j)
          if (mine + j == 20)
            return;
      }
      log[t] = mine;
      __syncthreads();
    }
    __syncthreads();
  }
}

int main() {
  int *log, *forever;
  cudaMallocManaged(&log, 40 * sizeof(int));
  cudaMallocManaged(&forever, sizeof(int));
  *forever = 1;
  for (int i = 0; i < 40; ++i)
    log[i] = -1;
  k<<<1, 40>>>(log, forever);
  cudaDeviceSynchronize();
  const int want[4] = {4, 70, 10, 17};
  int bad = 0;
  for (int i = 0; i < 40; ++i)
    bad += log[i] != want[i % 4];
  printf("wrong: %d; %d %d %d %d\n", bad, log[0], log[1], log[2], log[3]);
  return bad != 0;
}

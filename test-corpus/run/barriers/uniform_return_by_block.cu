// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole blocks return early: by blockIdx, by a parameter, by memory, by a shared flag, in a nested uniform if.
#include <cstdio>

__global__ void k(int* out, const int* active, int limit) {
  __shared__ int s[64];
  __shared__ int stop;
  int t = threadIdx.x;
  int* mine = out + blockIdx.x * 64;
  mine[t] = 1;
  if (blockIdx.x % 4 == 3)
    return;
  mine[t] += 10;
  if (!active[blockIdx.x]) {
    return;
  }
  const bool late = (int)blockIdx.x > limit;
  s[t] = t;
  if (t == 5)
    stop = blockIdx.x == 5;
  __syncthreads();
  mine[t] += 100 * s[63 - t];
  if (stop)
    return;
  if (late) {
    __syncthreads();
    if (blockIdx.x & 1)
      return;
    s[t] = 0;
  }
  __syncthreads();
  mine[t] += 10000 * s[(t + 1) % 64];
}

int main() {
  int *out, *active;
  cudaMallocManaged(&out, 12 * 64 * sizeof(int));
  cudaMallocManaged(&active, 12 * sizeof(int));
  for (int i = 0; i < 12; ++i)
    active[i] = i != 2;
  k<<<12, 64>>>(out, active, 7);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int b = 0; b < 12; ++b)
    for (int t = 0; t < 64; ++t) {
      int want = 1;
      if (b % 4 != 3) {
        want += 10;
        if (b != 2) {
          want += 100 * (63 - t);
          if (b != 5 && !(b > 7 && b % 2))
            want += b > 7 ? 0 : 10000 * ((t + 1) % 64);
        }
      }
      bad += out[b * 64 + t] != want;
    }
  printf("wrong: %d; %d %d %d\n", bad, out[0], out[5 * 64], out[10 * 64 + 1]);
  return bad != 0;
}

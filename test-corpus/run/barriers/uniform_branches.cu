// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in both branches of a condition that is the same for the block, and in a switch over a kernel argument.
#include <cstdio>

__global__ void k(int* data, int mode) {
  __shared__ int s[32];
  int t = threadIdx.x;
  int* mine = data + blockIdx.x * 32;
  s[t] = mine[t];
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    mine[t] = s[31 - t];
    __syncthreads();
  } else {
    s[t] *= 2;
    __syncthreads();
    mine[t] = s[(t + 1) & 31];
    __syncthreads();
  }
  s[t] = mine[t] + 1;
  switch (mode) {
  case 0:
    __syncthreads();
    mine[t] = s[t ^ 1];
    break;
  case 1:
    mine[t] += 5;
    // falls through
  case 2:
    __syncthreads();
    mine[t] += s[t ^ 2];
    break;
  default:
    mine[t] = -1;
  }
}

int main() {
  int* data;
  cudaMallocManaged(&data, 64 * sizeof(int));
  for (int mode = 0; mode < 4; ++mode) {
    for (int i = 0; i < 64; ++i)
      data[i] = i;
    k<<<2, 32>>>(data, mode);
    cudaDeviceSynchronize();
    printf("mode %d:", mode);
    for (int i = 0; i < 64; i += 3)
      printf(" %d", data[i]);
    printf("\n");
  }
  return 0;
}

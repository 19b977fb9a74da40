// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// break and continue that the whole block takes together, before and after barriers of the loop.
#include <cstdio>

__global__ void k(int* data, const int* limit) {
  __shared__ int s[48];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  int rounds = 0;
  for (int i = 0;; ++i) {
    if (i == limit[0])
      break;
    if (i % 4 == 2)
      continue;
    int next = s[(t + 1) % 48];
    __syncthreads();
    s[t] = next + i;
    __syncthreads();
    if (s[0] > 30)
      break;
    ++rounds;
    if (i % 3 == 1)
      continue;
    __syncthreads();
    s[t] += 1;
    __syncthreads();
  }
  data[t] = s[t] * 100 + rounds;
}

int main() {
  int *data, *limit;
  cudaMallocManaged(&data, 48 * sizeof(int));
  cudaMallocManaged(&limit, sizeof(int));
  for (int l : {0, 1, 5, 50}) {
    *limit = l;
    for (int i = 0; i < 48; ++i)
      data[i] = i % 7;
    k<<<1, 48>>>(data, limit);
    cudaDeviceSynchronize();
    printf("limit %d: %d %d %d %d\n", l, data[0], data[1], data[30], data[47]);
  }
  return 0;
}

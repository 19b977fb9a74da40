// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Const locals read from memory that changes later keep the value of the time of their declaration.
#include <cstdio>

__constant__ int scale = 3;
__device__ int cell = 5;

__global__ void k(int* data, const int* const table) {
  __shared__ int s[40];
  const int t = threadIdx.x;
  const int mine = data[t];
  const int all = data[40];
  const int global = cell;
  const int constant = scale;
  s[t] = mine;
  __syncthreads();
  const int neighbour = s[(t + 1) % 40];
  const int first = s[0];
  const int looked = table[t % 4] + table[0];
  const int mixed = first + all;
  __syncthreads();
  data[t] = -1;
  s[t] = -2;
  if (t == 0) {
    data[40] = -3;
    if (gridDim.x == 1)
      cell = -4;
  }
  __syncthreads();
  const int again = s[0] + data[40] + cell;
  data[t] = mine + all * 2 + global * 3 + constant * 5 + neighbour * 7 + first * 11 + looked * 13 + mixed * 17 + again;
}

int main() {
  int *data, *table;
  cudaMallocManaged(&data, 41 * sizeof(int));
  cudaMallocManaged(&table, 4 * sizeof(int));
  for (int i = 0; i < 41; ++i)
    data[i] = 100 + i * 3;
  for (int i = 0; i < 4; ++i)
    table[i] = i + 1;
  k<<<1, 40>>>(data, table);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 40; ++t) {
    const int want = 100 + t * 3 + 220 * 2 + 15 + 15 + (100 + (t + 1) % 40 * 3) * 7 + 1100 + (t % 4 + 2) * 13 +
                     320 * 17 - 9;
    bad += data[t] != want;
  }
  printf("wrong: %d; %d %d\n", bad, data[0], data[39]);
  return bad != 0;
}

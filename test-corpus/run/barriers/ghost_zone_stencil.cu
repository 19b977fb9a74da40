// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic program with ghost zones: guards that shrink each step, a flag alive across barriers, early break of the block.
#include <cstdio>

#define BLOCK 64
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))

__global__ void path(int steps, const int* wall, const int* src, int* dst, int cols, int start, int border) {
  __shared__ int prev[BLOCK];
  __shared__ int result[BLOCK];
  int tx = threadIdx.x;
  int small = BLOCK - steps * 2;
  int first = small * int(blockIdx.x) - border;
  int last = first + BLOCK - 1;
  int x = first + tx;
  int validMin = first < 0 ? -first : 0;
  int validMax = last > cols - 1 ? BLOCK - 1 - (last - cols + 1) : BLOCK - 1;
  int W = max(tx - 1, validMin), E = min(tx + 1, validMax);
  bool valid = IN_RANGE(tx, validMin, validMax), computed;
  if (IN_RANGE(x, 0, cols - 1))
    prev[tx] = src[x];
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (IN_RANGE(tx, i + 1, BLOCK - i - 2) && valid) {
      computed = true;
      int shortest = min(min(prev[W], prev[tx]), prev[E]);
      result[tx] = shortest + wall[cols * (start + i) + x];
    }
    __syncthreads();
    if (i == steps - 1)
      break;
    if (computed)
      prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed)
    dst[x] = result[tx];
}

int main() {
  const int cols = 300, rows = 21, pyramid = 5;
  int *wall, *buffer[2];
  cudaMallocManaged(&wall, rows * cols * sizeof(int));
  cudaMallocManaged(&buffer[0], cols * sizeof(int));
  cudaMallocManaged(&buffer[1], cols * sizeof(int));
  static int want[2][cols];
  for (int i = 0; i < rows * cols; ++i)
    wall[i] = (i * 7919) % 10;
  for (int c = 0; c < cols; ++c)
    buffer[0][c] = want[0][c] = c % 3;
  int small = BLOCK - pyramid * 2, blocks = (cols + small - 1) / small, from = 0;
  for (int t = 0; t < rows - 1; t += pyramid) {
    path<<<blocks, BLOCK>>>(pyramid, wall, buffer[from], buffer[1 - from], cols, t, pyramid);
    from = 1 - from;
  }
  cudaDeviceSynchronize();
  for (int t = 0; t < rows - 1; ++t)
    for (int c = 0; c < cols; ++c) {
      int best = want[t % 2][c];
      if (c > 0)
        best = min(best, want[t % 2][c - 1]);
      if (c < cols - 1)
        best = min(best, want[t % 2][c + 1]);
      want[1 - t % 2][c] = best + wall[cols * t + c];
    }
  int wrong = 0, sum = 0;
  for (int c = 0; c < cols; ++c) {
    wrong += buffer[from][c] != want[0][c];
    sum += buffer[from][c] * (c + 1);
  }
  printf("%d %d sum %d wrong %d\n", buffer[from][0], buffer[from][cols - 1], sum, wrong);
  return wrong != 0;
}

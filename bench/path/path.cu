// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cheapest path down a grid of costs, a row at a time: blocks work on some rows alone, with
// overlapping edges (ghost zones).
#include "../device_vector.h"

#define BLOCK 256
#define HALO 10

__global__ void rows(int steps, const int* wall, const int* src, int* dst, int cols, int start) {
  __shared__ int prev[BLOCK];
  __shared__ int result[BLOCK];
  int tx = threadIdx.x;
  int inner = BLOCK - steps * 2;
  int first = inner * blockIdx.x - steps;
  int x = first + tx;
  int last = first + BLOCK - 1;
  int low = first < 0 ? -first : 0;
  int high = last > cols - 1 ? BLOCK - 1 - (last - cols + 1) : BLOCK - 1;
  int west = tx - 1 < low ? low : tx - 1;
  int east = tx + 1 > high ? high : tx + 1;
  bool valid = tx >= low && tx <= high;
  if (x >= 0 && x < cols)
    prev[tx] = src[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= BLOCK - i - 2 && valid) {
      computed = true;
      int shortest = min(prev[west], prev[tx]);
      shortest = min(shortest, prev[east]);
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
  const int cols = 100000, height = 100;
  std::vector<int> costs(cols * height);
  for (int i = 0; i < cols * height; ++i)
    costs[i] = static_cast<int>(uniform(i) * 10.0f);
  DeviceVector<int> wall(costs), a(cols), b(cols);
  int* result = nullptr;
  measure([&] {
    CHECK_CUDA(cudaMemcpy(a, wall, cols * sizeof(int), cudaMemcpyDeviceToDevice));
    int *from = a, *to = b;
    for (int row = 1; row < height; row += HALO) {
      int steps = min(HALO, height - row);
      int blocks = (cols + BLOCK - 2 * steps - 1) / (BLOCK - 2 * steps);
      rows<<<blocks, BLOCK>>>(steps, wall, from, to, cols, row);
      std::swap(from, to);
    }
    finish();
    result = from;
  });
  check(weightedSum(result == (int*)a ? a.toHost() : b.toHost()));
}

// In the second half of a tile's wavefront threads count rows and columns from its corners: row and column of a thread add up to the
// same diagonal for all threads. Such sums are computed before the loop over threads.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int side = 32, tiles = 5;

__global__ void paths(const int* weights, int* out, int price) {
  __shared__ int best[side + 1][side + 1];
  const int tx = threadIdx.x;
  const int* mine = weights + blockIdx.x * side * side;
  best[tx + 1][0] = 3 * tx + blockIdx.x;
  best[0][tx + 1] = 2 * tx;
  if (tx == 0)
    best[0][0] = 1;
  __syncthreads();
  for (int m = 0; m < side; ++m) {
    if (tx <= m) {
      const int x = tx + 1, y = m - tx + 1;
      best[y][x] = max(best[y - 1][x - 1] + mine[(y - 1) * side + x - 1], max(best[y][x - 1], best[y - 1][x]) - price);
    }
    __syncthreads();
  }
  for (int m = side - 2; m >= 0; --m) {
    if (tx <= m) {
      const int x = tx + side - m, y = side - tx;
      best[y][x] = max(best[y - 1][x - 1] + mine[(y - 1) * side + x - 1], max(best[y][x - 1], best[y - 1][x]) - price);
    }
    __syncthreads();
  }
  for (int r = 0; r < side; ++r)
    out[(blockIdx.x * side + r) * side + tx] = best[r + 1][tx + 1];
}

int main() {
  constexpr int n = tiles * side * side;
  static int weights[n], out[n];
  unsigned seed = 7;
  for (int& weight : weights) {
    seed = seed * 1664525u + 1013904223u;
    weight = int(seed >> 24) % 19 - 6;
  }
  int *deviceWeights, *deviceOut;
  cudaMalloc(&deviceWeights, sizeof(weights));
  cudaMalloc(&deviceOut, sizeof(out));
  cudaMemcpy(deviceWeights, weights, sizeof(weights), cudaMemcpyHostToDevice);
  for (const int price : {1, 4, 9}) {
    paths<<<tiles, side>>>(deviceWeights, deviceOut, price);
    cudaMemcpy(out, deviceOut, sizeof(out), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31u + unsigned(out[i]);
    std::printf("%d: %u, last %d\n", price, sum, out[n - 1]);
  }
  cudaFree(deviceWeights);
  cudaFree(deviceOut);
}

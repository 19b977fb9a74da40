// Rows that warps and halves of them sum up, of which the first lane alone loads and stores more,
// and keeps a sum of its own from row to row.
#include <cstdio>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int TILE>
__global__ void rows(const double* a, const double* x, double* y, double* sums, int n, int length) {
  auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
  const int tiles = blockDim.x / TILE, first = blockIdx.x * tiles + threadIdx.x / TILE;
  double kept = threadIdx.x % TILE;
  for (int row = first; row < n; row += gridDim.x * tiles) {
    double sum = 0;
    for (int k = tile.thread_rank(); k < length; k += TILE)
      sum += a[row * length + k];
    for (int off = TILE / 2; off > 0; off /= 2)
      sum += tile.shfl_down(sum, off);
    if (tile.thread_rank() == 0) {
      const double value = 2 * sum - x[row];
      y[row] = value;
      kept += value * x[row];
    }
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = kept;
}

int main() {
  const int n = 101, length = 45, threads = 3 * 64;
  std::vector<double> a(n * length), x(n), y(n), s(threads);
  for (int i = 0; i < n * length; ++i)
    a[i] = i * 7 % 13 - 5;
  for (int i = 0; i < n; ++i)
    x[i] = i % 9 - 3;
  double *da, *dx, *dy, *ds;
  cudaMalloc(&da, a.size() * 8);
  cudaMalloc(&dx, n * 8);
  cudaMalloc(&dy, n * 8);
  cudaMalloc(&ds, threads * 8);
  cudaMemcpy(da, a.data(), a.size() * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x.data(), n * 8, cudaMemcpyHostToDevice);
  for (int width : {32, 16}) {
    if (width == 32)
      rows<32><<<3, 64>>>(da, dx, dy, ds, n, length);
    else
      rows<16><<<3, 64>>>(da, dx, dy, ds, n, length);
    cudaMemcpy(y.data(), dy, n * 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(s.data(), ds, threads * 8, cudaMemcpyDeviceToHost);
    double all = 0, kept = 0;
    for (int i = 0; i < n; ++i)
      all += y[i] * (i + 1);
    for (int i = 0; i < threads; ++i)
      kept += s[i] * (i + 1);
    printf("%d: %.0f %.0f\n", width, all, kept);
  }
  cudaFree(da), cudaFree(dx), cudaFree(dy), cudaFree(ds);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of a warp, declared by their class, that go along rows of a sparse matrix in steps of their own size, the rows
// in steps of the whole grid; and counters that come close to the greatest integer.
#include <climits>
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int lanes>
__global__ void product(int rows, const int* __restrict__ begins, const int* __restrict__ columns,
                        const double* __restrict__ values, const double* __restrict__ x, double* __restrict__ y) {
  cg::thread_block_tile<lanes> tile = cg::tiled_partition<lanes>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  const int perBlock = blockDim.x / lanes;
  for (int row = blockIdx.x * perBlock + threadIdx.x / lanes; row < rows; row += perBlock * gridDim.x) {
    const int begin = begins[row], end = begins[row + 1];
    double sum = 0.0;
    for (int j = begin + lane; j < end; j += lanes)
      sum += values[j] * x[columns[j]];
    for (int distance = lanes / 2; distance > 0; distance >>= 1)
      sum += tile.shfl_down(sum, distance);
    if (lane == 0)
      y[row] = sum;
  }
}

// Each tile counts what lies from its first place to its last.
__global__ void count(const int* begins, const int* ends, int tiles, unsigned* sums) {
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  for (int t = (blockIdx.x * blockDim.x + threadIdx.x) / 8; t < tiles; t += gridDim.x * (blockDim.x / 8)) {
    const int begin = begins[t], end = ends[t];
    unsigned sum = 0;
    for (int j = begin + lane; j < end; j += 8)
      sum += unsigned(j) & 1023u;
    for (int distance = 4; distance > 0; distance >>= 1)
      sum += tile.shfl_down(sum, distance);
    if (lane == 0)
      sums[t] = sum;
  }
}

int main() {
  constexpr int rows = 301;
  int *begins, *columns, *from, *to;
  double *values, *x, *y;
  unsigned* sums;
  cudaMallocManaged(&begins, (rows + 1) * sizeof(int));
  cudaMallocManaged(&columns, rows * 40 * sizeof(int));
  cudaMallocManaged(&values, rows * 40 * sizeof(double));
  cudaMallocManaged(&x, rows * sizeof(double));
  cudaMallocManaged(&y, rows * sizeof(double));
  begins[0] = 0;
  for (int row = 0; row < rows; ++row) {
    const int length = row * 7 % 39;
    begins[row + 1] = begins[row] + length;
    for (int k = 0; k < length; ++k) {
      columns[begins[row] + k] = (row * 3 + k * k) % rows;
      values[begins[row] + k] = double((row + k) % 9) - 3.0;
    }
    x[row] = double(row % 13) * 0.5;
  }
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    double sum = 0.0;
    for (int row = 0; row < rows; ++row)
      sum += y[row] * (row % 5 + 1);
    printf("%s: %g %g %g, sum %g\n", name, y[1], y[rows / 2], y[rows - 1], sum);
    for (int row = 0; row < rows; ++row)
      y[row] = -1.0;
  };
  product<4><<<3, 128>>>(rows, begins, columns, values, x, y);
  print("tiles of 4");
  product<8><<<5, 128>>>(rows, begins, columns, values, x, y);
  print("tiles of 8");
  product<8><<<5, 40>>>(rows, begins, columns, values, x, y);
  print("tiles of 8 in odd blocks");
  product<16><<<2, 64>>>(rows, begins, columns, values, x, y);
  print("tiles of 16");
  product<32><<<7, 96>>>(rows, begins, columns, values, x, y);
  print("tiles of 32");

  constexpr int tiles = 12;
  cudaMallocManaged(&from, tiles * sizeof(int));
  cudaMallocManaged(&to, tiles * sizeof(int));
  cudaMallocManaged(&sums, tiles * sizeof(unsigned));
  for (int t = 0; t < tiles; ++t) {
    from[t] = INT_MAX - 40 - t;
    to[t] = INT_MAX - 16 - t % 3;
  }
  for (const int threads : {32, 40}) {
    count<<<2, threads>>>(from, to, tiles, sums);
    cudaDeviceSynchronize();
    printf("counts:");
    for (int t = 0; t < tiles; ++t)
      printf(" %u", sums[t]);
    printf("\n");
  }
  cudaFree(begins);
  cudaFree(columns);
  cudaFree(values);
  cudaFree(x);
  cudaFree(y);
  cudaFree(from);
  cudaFree(to);
  cudaFree(sums);
  return 0;
}

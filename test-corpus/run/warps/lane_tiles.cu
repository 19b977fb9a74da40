// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a warp of 4, 8 and 16 lanes that work on an item each: as long as each likes, by shuffles
// with a width or within a mask, by tiles, in blocks whose rows are tiles, and in blocks that are no
// whole warps or tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

const int rows = 37;

__global__ void byWidth(const int* start, const int* a, int* out, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = gid / 8, lane = threadIdx.x & 7;
  int sum = 0;
  if (row < n)
    for (int j = start[row] + lane; j < start[row + 1]; j += 8)
      sum += a[j];
  for (int o = 4; o > 0; o >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, o, 8);
  if (row < n && lane == 0)
    out[row] = sum;
}

__global__ void byMask(const int* start, const int* a, int* out, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = gid >> 2, lane = gid & 3;
  if (row >= n)
    return;
  const unsigned mask = 0xfu << (threadIdx.x & 28);
  int most = -1000, at = -1;
  for (int j = start[row] + lane; j < start[row + 1]; j += 4)
    if (a[j] > most) {
      most = a[j];
      at = j;
    }
  for (int o = 1; o < 4; o <<= 1) {
    const int other = __shfl_xor_sync(mask, most, o), place = __shfl_xor_sync(mask, at, o);
    if (other > most || (other == most && place < at)) {
      most = other;
      at = place;
    }
  }
  if (lane == 0)
    out[row] = most * 1000 + at;
}

template <int W>
__global__ void byTile(const int* start, const int* a, double* out, int n) {
  auto tile = cg::tiled_partition<W>(cg::this_thread_block());
  const int each = blockDim.x / W;
  for (int row = blockIdx.x * each + threadIdx.x / W; row < n; row += gridDim.x * each) {
    double sum = 0;
    long long product = 1;
    for (int j = start[row] + tile.thread_rank(); j < start[row + 1]; j += tile.size()) {
      if (a[j] == 0)
        continue;
      sum += a[j] * 0.5;
      product = product * (a[j] & 15) % 1009;
    }
    sum = cg::reduce(tile, sum, cg::plus<double>());
    const int before = cg::inclusive_scan(tile, int(product));
    const int last = tile.shfl(before, tile.size() - 1);
    if (tile.thread_rank() == 0)
      out[row] = sum + last * 1024.0;
  }
}

// Rows of blocks are tiles; some of them leave the loop, or the kernel, before others.
__global__ void byRows(const int* start, const int* a, int* out, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n)
    return;
  const unsigned mask = 0xffffu << threadIdx.y % 2 * 16;
  int found = -1;
  for (int j = start[row] + threadIdx.x; j - int(threadIdx.x) < start[row + 1]; j += blockDim.x) {
    int here = j < start[row + 1] && a[j] > 30 ? j : 1 << 30;
    for (int o = 8; o > 0; o /= 2)
      here = min(here, __shfl_xor_sync(mask, here, o, 16));
    if (here < 1 << 30) {
      found = here;
      break;
    }
  }
  if (threadIdx.x == 0)
    out[row] = found;
}

// A matrix for each tile in shared memory, and neighbours' values in both directions.
__global__ void inShared(const int* a, int* out, int n) {
  __shared__ int m[4][16][17];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x / 16, r = tile.thread_rank();
  const int id = blockIdx.x * 4 + t;
  if (id >= n)
    return;
  for (int k = 0; k < 16; ++k)
    m[t][k][r] = a[(id * 16 + k * 5 + r * 3) % 400];
  tile.sync();
  for (int k = 0; k < 15; ++k) {
    if (r > k)
      for (int j = k + 1; j < 16; ++j)
        m[t][r][j] = (m[t][r][j] + m[t][r][k] * m[t][k][j]) % 97;
    tile.sync();
  }
  int sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += m[t][r][k] * (k + 1);
  const int up = tile.shfl_up(sum, 1), down = tile.shfl_down(sum, 2);
  out[id * 16 + r] = sum + 3 * up + 5 * down + (tile.any(sum > 4000) ? 100000 : 0);
}

// Registers of neighbours: an array whose elements go round.
__global__ void inRegisters(const int* a, int* out, int n) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int id = (blockIdx.x * blockDim.x + threadIdx.x) / 8, r = tile.thread_rank();
  if (id >= n)
    return;
  int row[8];
  for (int j = 0; j < 8; ++j)
    row[j] = a[(id * 8 + r * 7 + j) % 400];
  for (int k = 0; k < 8; ++k) {
    const int first = tile.shfl(row[k], k) & 7;
    const int f = r != k ? first : 0;
    for (int j = 0; j < 8; ++j)
      row[j] -= f * tile.shfl(row[j], k) % 31;
  }
  int sum = 0;
  for (int j = 0; j < 8; ++j)
    sum = sum * 3 + row[j];
  out[id * 8 + r] = sum;
}

// Lanes counted in the grid, which are no lanes of a warp where blocks are no whole warps.
template <int W>
__global__ void inGrid(const int* a, int* out, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = gid & (W - 1);
  int sum = 0;
  for (int j = lane; j < n; j += W)
    sum += a[j];
  out[gid] = sum;
  __syncwarp();
  if (lane == 0)
    atomicAdd(&out[1999], sum);
}
template <int W>
__global__ void inGridTiles(const int* a, int* out, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = gid & (W - 1);
  int sum = 0;
  for (int j = lane; j < n; j += W)
    sum += a[j];
  const int other = __shfl_down_sync(0xffffffffu, sum, 1, W);
  out[gid] = threadIdx.x % W + 1 < W && threadIdx.x + 1 < blockDim.x ? sum * 3 + other : sum;
  if (lane == 0)
    out[1000 + gid] = sum;
}

template <class T> double total(const T* v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += double(v[i]) * (i % 13 + 1);
  return s;
}

int main() {
  int *start, *a, *out;
  double* sums;
  cudaMallocManaged(&start, (rows + 1) * sizeof(int));
  cudaMallocManaged(&a, 400 * sizeof(int));
  cudaMallocManaged(&out, 2000 * sizeof(int));
  cudaMallocManaged(&sums, rows * sizeof(double));
  for (int i = 0; i <= rows; ++i)
    start[i] = i * (i + 3) / 5 + (i % 4 == 1 ? 2 : 0);
  for (int i = 0; i < 400; ++i)
    a[i] = i * 29 % 67 - 20;
  const auto clear = [&] {
    cudaDeviceSynchronize();
    for (int i = 0; i < 2000; ++i)
      out[i] = -7;
  };
  for (const int block : {64, 96, 40, 256}) {
    clear();
    byWidth<<<(rows * 8 + block - 1) / block, block>>>(start, a, out, rows);
    cudaDeviceSynchronize();
    printf("width %d: %.0f\n", block, total(out, rows));
    clear();
    byMask<<<(rows * 4 + block - 1) / block, block>>>(start, a, out, rows);
    cudaDeviceSynchronize();
    printf("mask %d: %.0f\n", block, total(out, rows));
  }
  byTile<4><<<2, 64>>>(start, a, sums, rows);
  cudaDeviceSynchronize();
  printf("tiles of 4: %.2f\n", total(sums, rows));
  byTile<8><<<3, 48>>>(start, a, sums, rows);
  cudaDeviceSynchronize();
  printf("tiles of 8: %.2f\n", total(sums, rows));
  byTile<16><<<2, 128>>>(start, a, sums, rows);
  cudaDeviceSynchronize();
  printf("tiles of 16: %.2f\n", total(sums, rows));
  clear();
  byRows<<<10, dim3(16, 4)>>>(start, a, out, rows);
  cudaDeviceSynchronize();
  printf("rows: %.0f\n", total(out, rows));
  clear();
  inShared<<<10, 64>>>(a, out, rows);
  cudaDeviceSynchronize();
  printf("shared: %.0f\n", total(out, rows * 16));
  clear();
  inRegisters<<<10, 32>>>(a, out, rows);
  cudaDeviceSynchronize();
  printf("registers: %.0f\n", total(out, rows * 8));
  for (const int block : {48, 20, 12, 64, 33}) {
    clear();
    inGrid<32><<<4, block>>>(a, out, 400);
    cudaDeviceSynchronize();
    printf("grid %d: %.0f", block, total(out, 4 * block));
    clear();
    inGridTiles<8><<<4, block>>>(a, out, 400);
    cudaDeviceSynchronize();
    printf(" %.0f\n", total(out, 2000));
  }
  return 0;
}

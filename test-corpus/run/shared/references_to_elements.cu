// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References to elements of shared arrays: structures of a warp each, rows of a matrix, references
// to references, const ones with two versions of a method, indices that change afterwards, names
// that hide the array, and elements of which the address is taken.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;
using Tile = cg::thread_block_tile<32>;

struct System {
  float l[12][13];
  float x[12];
};

__device__ void factor(const Tile& tile, System& s) {
  const int r = tile.thread_rank();
  for (int k = 0; k < 12; ++k) {
    const float pivot = sqrtf(s.l[k][k]);
    tile.sync();
    if (r == k) s.l[k][k] = pivot;
    if (r > k && r < 12) s.l[r][k] /= pivot;
    tile.sync();
    if (r > k && r < 12)
      for (int j = k + 1; j <= r; ++j) s.l[r][j] -= s.l[r][k] * s.l[j][k];
    tile.sync();
  }
}

__global__ void factors(const float* in, float* out, int count) {
  __shared__ System systems[4];
  const Tile tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int id = blockIdx.x * 4 + tile.meta_group_rank();
  if (id >= count) return;
  System& s = systems[tile.meta_group_rank()];
  for (int e = tile.thread_rank(); e < 144; e += 32) s.l[e / 12][e % 12] = in[id * 144 + e];
  tile.sync();
  factor(tile, s);
  float(&x)[12] = s.x;
  if (tile.thread_rank() < 12) x[tile.thread_rank()] = s.l[tile.thread_rank()][0];
  tile.sync();
  for (int e = tile.thread_rank(); e < 144; e += 32)
    out[id * 144 + e] = s.l[e / 12][e % 12] + s.x[e % 12];
}

struct Counter {
  int n;
  __device__ int get() {
    for (int i = 0; i < 3; ++i)
      if (n > i) ++n;
    return n;
  }
  __device__ int get() const {
    int sum = 0;
    for (int i = 0; i < 3; ++i)
      if (n > i) sum += n * 100;
    return sum;
  }
};

// The index changes behind the reference, a name hides the array's, and methods differ by const.
__global__ void others(int* out) {
  __shared__ int rows[8][33];
  __shared__ Counter counters[64];
  const int t = threadIdx.x;
  int at = t % 8;
  int(&row)[33] = rows[at];
  int(&same)[33] = row;
  at += 3;
  for (int i = t / 8; i < 33; i += blockDim.x / 8) row[i] = i * 10 + t % 8;
  Counter& mine = counters[t];
  const Counter& kept = mine;
  const Counter& fixed = counters[t];
  mine.n = t;
  int sum = kept.get() - fixed.get();
  __syncthreads();
  sum += same[at] + rows[at % 8][32];
  {
    const int rows = 5;
    sum += row[rows];
  }
  __syncthreads();
  int* first = &row[1];
  if (t < 8) *first = -t;
  __syncthreads();
  sum += row[1] * 1000 + mine.get() + kept.get() + fixed.get() + mine.n;
  out[t] = sum;
}

int main() {
  const int count = 7;
  float *in, *out;
  cudaMallocManaged(&in, count * 144 * sizeof(float));
  cudaMallocManaged(&out, count * 144 * sizeof(float));
  for (int i = 0; i < count * 144; ++i) {
    const int row = i / 12 % 12, column = i % 12;
    in[i] = row == column ? 20.0f + i % 5 : (row * column % 7) / 7.0f;
    out[i] = 0;
  }
  factors<<<2, 128>>>(in, out, count);
  cudaDeviceSynchronize();
  double sum = 0, mixed = 0;
  for (int i = 0; i < count * 144; ++i) {
    sum += out[i];
    mixed += out[i] * (i % 17 - 8);
  }
  printf("factors %.5g %.5g %.5g\n", sum, mixed, out[300]);
  int* numbers;
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  others<<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 7) printf("%d ", numbers[i]);
  printf("\n");
}

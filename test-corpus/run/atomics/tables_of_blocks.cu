// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that only count in tables of the block's: blocks may use one table in turn, but for what
// each block alone knows. Places told before the barrier, tables of several rows of blocks, sums
// that are left out where nothing was counted, and numbers that a block hands on to its end.
#include <cstdio>

constexpr int bins = 64;

__device__ int binOf(int v, int most) { return min(max(v / 3, 0), most - 1); }

__global__ void counted(const int* in, int n, int* all) {
  __shared__ int table[bins];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < bins)
    table[threadIdx.x] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&table[binOf(in[i], bins)], 1);
  __syncthreads();
  if (threadIdx.x < bins && table[threadIdx.x] != 0)
    atomicAdd(&all[threadIdx.x], table[threadIdx.x]);
}
// A table for each row of blocks, and pixels of a tile of several rows.
__global__ void tiles(const int* in, int width, int height, unsigned* all) {
  __shared__ unsigned table[bins];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (int b = rank; b < bins; b += blockDim.x * blockDim.y)
    table[b] = 0u;
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int y = blockIdx.y * 16 + r * 4 + threadIdx.y;
    if (x < width && y < height) {
      int v = in[y * width + x];
      if (v & 1)
        v += 7;
      atomicAdd(&table[v % bins], unsigned(x + 1));
    }
  }
  __syncthreads();
  for (int b = rank; b < bins; b += blockDim.x * blockDim.y)
    if (table[b] > 0)
      atomicAdd(&all[blockIdx.y * bins + b], table[b]);
}
// The block's own weight behind the barrier: no table for several blocks.
__global__ void weighted(const int* in, int n, int* all) {
  __shared__ int table[bins];
  table[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * bins + threadIdx.x, weight = blockIdx.x + 1;
  if (i < n)
    atomicAdd(&table[in[i] % bins], 1);
  __syncthreads();
  atomicAdd(&all[threadIdx.x], table[threadIdx.x] * weight);
}
// A number that grows from step to step and is asked for at the end, and one that starts anew.
__global__ void handedOn(const int* in, int n, int* all) {
  __shared__ int table[bins];
  int seen = 0;
  table[threadIdx.x] = 0;
  __syncthreads();
  int first = blockIdx.x * bins * 3 + threadIdx.x;
  for (int k = 0; k < 3; ++k, first += bins)
    if (first < n && in[first] % 5 != 0) {
      ++seen;
      atomicAdd(&table[(in[first] + k) % bins], 2);
    }
  __syncthreads();
  if (seen > 1)
    atomicAdd(&all[threadIdx.x], table[threadIdx.x]);
}
// A limit that signed sums of several blocks would pass otherwise than those of each.
__global__ void positive(const int* in, int n, int* all) {
  __shared__ int table[bins];
  table[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * bins + threadIdx.x;
  if (i < n)
    atomicAdd(&table[in[i] % bins], in[i] % 3 - 1);
  __syncthreads();
  if (table[threadIdx.x] > 0)
    atomicAdd(&all[threadIdx.x], table[threadIdx.x]);
}

int main() {
  const int width = 205, height = 61, n = width * height;
  int *in, *all;
  unsigned* rows;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&all, bins * sizeof(int));
  cudaMallocManaged(&rows, 4 * bins * sizeof(unsigned));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 37 + i / 11) % 251;
  const auto run = [&](const char* name, void (*kernel)(const int*, int, int*), int blocks,
                       int threads) {
    for (int b = 0; b < bins; ++b)
      all[b] = b;
    kernel<<<blocks, threads>>>(in, n, all);
    cudaDeviceSynchronize();
    long long sum = 0, places = 0;
    for (int b = 0; b < bins; ++b) {
      sum += all[b];
      places += all[b] * (b * 7 % 31);
    }
    printf("%s %lld %lld\n", name, sum, places);
  };
  run("counted", counted, (n + 255) / 256, 256);
  run("counted few", counted, 3, 128);
  run("weighted", weighted, (n + bins - 1) / bins, bins);
  run("handed on", handedOn, (n + 3 * bins - 1) / (3 * bins), bins);
  run("positive", positive, (n + bins - 1) / bins, bins);
  for (int b = 0; b < 4 * bins; ++b)
    rows[b] = 0;
  tiles<<<dim3((width + 31) / 32, (height + 15) / 16), dim3(32, 4)>>>(in, width, height, rows);
  cudaDeviceSynchronize();
  for (int y = 0; y < 4; ++y) {
    unsigned long long sum = 0;
    for (int b = 0; b < bins; ++b)
      sum += rows[y * bins + b] * (1ull + b % 9);
    printf("row %d %llu\n", y, sum);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp walks along a row of its own, which may be empty or end anywhere: indices of several
// types, steps of one warp and more, rows that start with what is read from memory, ends of loops
// that write, and results that all lanes or the first one keep.
#include <cstdio>
#include <cuda_runtime.h>

template <class Index>
__global__ void sumRows(const Index* begin, const int* values, long long* out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  long long sum = 0;
  for (Index k = begin[row] + lane; k < begin[row + 1]; k += 32)
    sum += values[k] * (long long)(k % 5 + 1);
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    out[row] = sum;
}

// A loop that writes reads its end again in each step.
__global__ void written(const int* end, const int* values, int* running, int* out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  int sum = 0;
  for (int k = lane; k < end[row]; k += 32) {
    sum += values[k];
    running[row * 800 + k] = sum;
  }
  sum += __shfl_xor_sync(0xffffffffu, sum, 16);
  out[row * 32 + lane] = sum;
}

// Two warps for a row, with the largest value and where it is.
__global__ void largest(const unsigned* begin, const int* values, int* out, int rows) {
  __shared__ int best[32], place[32];
  const unsigned row = blockIdx.x;
  int most = -1, at = -1;
  for (unsigned k = threadIdx.x + begin[row]; k < begin[row + 1]; k += 64)
    if (values[k] > most) {
      most = values[k];
      at = k;
    }
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(0xffffffffu, most, offset);
    const int where = __shfl_down_sync(0xffffffffu, at, offset);
    if (other > most || (other == most && where < at)) {
      most = other;
      at = where;
    }
  }
  if (threadIdx.x % 32 == 0) {
    best[threadIdx.x / 32] = most;
    place[threadIdx.x / 32] = at;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const bool second = best[1] > best[0] || (best[1] == best[0] && place[1] < place[0]);
    out[2 * row] = best[second];
    out[2 * row + 1] = place[second];
  }
  (void)rows;
}

int main() {
  const int rows = 75, n = 6000;
  int *values, *out, *begin;
  unsigned* begin32;
  long long *begin64, *sums;
  unsigned long* beginLong;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&out, rows * 32 * sizeof(int));
  cudaMallocManaged(&begin, (rows + 1) * sizeof(int));
  cudaMallocManaged(&begin32, (rows + 1) * sizeof(unsigned));
  cudaMallocManaged(&begin64, (rows + 1) * sizeof(long long));
  cudaMallocManaged(&beginLong, (rows + 1) * sizeof(unsigned long));
  cudaMallocManaged(&sums, rows * sizeof(long long));
  for (int i = 0; i < n; ++i)
    values[i] = i * 37 % 101;
  for (int r = 0, at = 0; r <= rows; ++r) {
    begin[r] = begin32[r] = begin64[r] = beginLong[r] = at;
    at += r * 13 % 140;
  }
  const auto print = [&](const char* what) {
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
      printf("failed\n");
    long long sum = 0;
    for (int r = 0; r < rows; ++r)
      sum += sums[r] * (r % 11 + 1);
    printf("%s: %lld\n", what, sum);
  };
  sumRows<<<(rows + 3) / 4, 128>>>(begin, values, sums, rows);
  print("int");
  sumRows<<<(rows + 1) / 2, 64>>>(begin32, values, sums, rows);
  print("unsigned");
  sumRows<<<rows, 32>>>(begin64, values, sums, rows);
  print("long long");
  sumRows<<<(rows + 7) / 8, 256>>>(beginLong, values, sums, rows);
  print("unsigned long");
  for (int r = 0; r < rows; ++r)
    begin[r] = r * 10;
  int* running;
  cudaMallocManaged(&running, rows * 800 * sizeof(int));
  for (int i = 0; i < rows * 800; ++i)
    running[i] = i % 3;
  written<<<(rows + 1) / 2, 64>>>(begin, values, running, out, rows);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < rows * 32; ++i)
    sum += out[i] * (i % 9 + 1);
  for (int i = 0; i < rows * 800; ++i)
    sum += running[i] * (i % 7 + 1);
  printf("written: %lld\n", sum);
  largest<<<rows, 64>>>(begin32, values, out, rows);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < rows * 2; ++i)
    sum += out[i] * (i % 9 + 1);
  printf("largest: %lld\n", sum);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is filled along its diagonals and stored row by row, from the second row up to and with
// the last (`y <= TILE`), from the last down, and only a few of them.
#include <cstdio>

#define TILE 32
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

template <class Number> __global__ void tiles(const Number* in, Number* out, int n, int from) {
  __shared__ Number t[TILE + 1][TILE + 1];
  const int tid = threadIdx.x;
  Number* const to = out + blockIdx.x * 3 * n * TILE;
  t[0][tid + 1] = in[blockIdx.x * TILE + tid];
  t[tid + 1][0] = in[blockIdx.x * TILE + TILE - 1 - tid];
  if (tid == 0)
    t[0][0] = Number(from);
  __syncthreads();
  for (int m = 0; m < TILE; ++m) {
    if (tid <= m) {
      const int x = tid + 1; const int y = m - tid + 1;
      t[y][x] = max(t[y - 1][x - 1] + Number(x * y % 5), max(t[y][x - 1], t[y - 1][x]) - Number(3));
    }
    __syncthreads();
  }
  for (int m = TILE - 2; m >= 0; --m) {
    if (tid <= m) {
      const int x = tid + TILE - m; const int y = TILE - tid;
      t[y][x] = max(t[y - 1][x - 1] + Number(x * y % 5), max(t[y][x - 1], t[y - 1][x]) - Number(3));
    }
    __syncthreads();
  }
  for (int y = 1; y <= TILE; y++)
    to[(y - 1) * n + tid] = t[y][tid + 1];
  for (int y = TILE; y >= 1; --y)
    to[(y - 1 + n) * n + tid] = t[y][tid];
  for (int y = from; y <= 5; ++y)
    to[(y + 2 * n) * n + tid] = t[y][tid + 1];
}

template <class Number> int run(const char* name) {
  const int blocks = 7, n = TILE, size = blocks * 3 * n * TILE;
  Number *in, *out;
  CHECK(cudaMallocManaged(&in, blocks * TILE * sizeof(Number)));
  CHECK(cudaMallocManaged(&out, size * sizeof(Number)));
  for (int i = 0; i < blocks * TILE; ++i)
    in[i] = Number((i * 37 + i / 5) % 23);
  CHECK(cudaMemset(out, 0, size * sizeof(Number)));
  for (int from = 0; from < 3; ++from) {
    tiles<<<blocks, TILE>>>(in, out, n, from);
    CHECK(cudaDeviceSynchronize());
    double sum = 0;
    for (int i = 0; i < size; ++i)
      sum += double(out[i]) * (1 + i % 13);
    printf("%s %d %.0f\n", name, from, sum);
  }
  return 0;
}

int main() { return run<int>("int") || run<float>("float") || run<double>("double") || run<short>("short"); }

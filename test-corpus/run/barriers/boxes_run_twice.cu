// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on a tile whose threads are fewer from step to step, in a box that no whole vectors fill.
// What only reads other arrays than it stores to may run twice in a thread; beside it stands what
// may not: numbers that are changed in place, sums, two values handed on, the same memory under two
// names.
#include <cstdio>

#define W 32
#define H 16
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void steps(const int* in, int* out, int count, int x0, int y0) {
  __shared__ int t[H][W], w[H][W];
  __shared__ int pool[H * W];
  const int tx = threadIdx.x; const int ty = threadIdx.y; const int at = blockIdx.x * H * W + ty * W + tx;
  int* const one = pool;
  int* const same = pool + (in[0] & 0);
  int sum = 0, last = 0, now = 0, next = 0;
  t[ty][tx] = in[at];
  w[ty][tx] = in[at] % 7;
  pool[ty * W + tx] = in[at] % 11;
  __syncthreads();
  for (int i = 0; i < count; ++i) {
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1)
      next = t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] * 3 + t[ty + 1][tx] - w[ty][tx];
    __syncthreads();
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1)
      t[ty][tx] = next % 1009;
    __syncthreads();
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1)
      w[ty][tx] = w[ty][tx] * 2 + 1;
    __syncthreads();
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1)
      sum += t[ty][tx];
    __syncthreads();
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1) {
      last = now;
      now = t[ty][tx - 1];
    }
    __syncthreads();
    if (tx >= x0 + i && tx < W - 1 - i && ty > y0 && ty < H - 1)
      one[ty * W + tx] = same[ty * W + tx] + t[ty][tx];
    __syncthreads();
  }
  out[at] = t[ty][tx] + 3 * (w[ty][tx] % 997) + 5 * sum + 7 * last + 11 * now + 13 * (pool[ty * W + tx] % 991);
}

__global__ void inMemory(const int* from, int* to, int x0, int x1, int y0) {
  __shared__ int t[H][W];
  const int tx = threadIdx.x; const int ty = threadIdx.y; const int at = blockIdx.x * H * W + ty * W + tx;
  t[ty][tx] = from[at] % 100;
  __syncthreads();
  if (tx >= x0 && tx < x1 && ty > y0 && ty < H - 1)
    to[at] = from[at] + t[ty][tx - 1]; // the same memory
}

int main() {
  const int blocks = 5, n = blocks * H * W;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 37 + i / 11) % 64;
  for (int count = 1; count <= 14; ++count)
    for (int x0 = 1; x0 <= 6; x0 += 5) {
      steps<<<blocks, dim3(W, H)>>>(in, out, count, x0, count % 3);
      inMemory<<<blocks, dim3(W, H)>>>(out, out, x0, W - 1 - count, count % 3);
      CHECK(cudaDeviceSynchronize());
      long long sum = 0;
      for (int i = 0; i < n; ++i)
        sum += (long long)out[i] * (1 + i % 13);
      printf("%d %d %lld\n", count, x0, sum);
    }
  return 0;
}

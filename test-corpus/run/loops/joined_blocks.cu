// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that share nothing may run side by side: ends of rows of the grid, grids in three
// dimensions, threads that return, values that are one for a block but not for the next one, loops
// whose length a block decides, and functions that ask for the block.
#include <cstdio>
#include <cuda_runtime.h>

#define DEPTH 12

// Walks along z with values of its own.
__global__ void walk(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  int below = in[y * width + x], here = in[(height + y) * width + x];
  for (int z = 1; z < DEPTH - 1; ++z) {
    const int above = in[((z + 1) * height + y) * width + x];
    out[(z * height + y) * width + x] =
        below - 3 * here + above + in[(z * height + y) * width + x - 1];
    below = here;
    here = above + blockIdx.x;
  }
}

// Where a block starts is not where the next one does.
__global__ void ownPlace(const int* in, int* out, int n) {
  const int first = blockIdx.x * n;
  const int* from = in + first + blockIdx.z * 3;
  int* to = out + (blockIdx.y + gridDim.y * blockIdx.z) * n * gridDim.x + first;
  int sum = blockIdx.y;
  for (int i = 0; i < n; ++i) {
    sum += from[i];
    to[i] = sum * (i == (int)threadIdx.x) + to[i];
  }
}

// A loop as long as the block says.
__global__ void ownLength(int* out, int n) {
  for (unsigned i = 0; i < 9 + blockIdx.x; ++i)
    out[i * n + blockIdx.x * blockDim.x + threadIdx.x] += i + blockIdx.x;
}

__device__ int place(int i) { return i + blockIdx.x * 1000; }
__device__ int twice(int i) { return 2 * i; }

__global__ void functions(int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] = place(twice(i));
}

__global__ void pureFunction(int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] = twice(i) + t;
}

// A block of the grid waits for the one in front of it.
__global__ void inTurn(volatile int* turn, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  while (*turn < (int)blockIdx.x)
    ;
  for (int i = 0; i < 10; ++i)
    out[i * n + t] = i + t;
  if (threadIdx.x == blockDim.x - 1)
    *turn = blockIdx.x + 1;
}

static void print(const char* what, const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long long>(values[i]) * (i % 17 + 1);
  printf("%s: %lld, %d %d\n", what, sum, values[n / 2], values[n - 1]);
}

int main() {
  const int n = 60 * 50 * DEPTH;
  int *in, *out, *turn;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&turn, sizeof(int));
  const auto start = [&] {
    for (int i = 0; i < n; ++i) {
      in[i] = i * 7 % 31;
      out[i] = i % 4;
    }
    *turn = 0;
  };
  const auto finish = [&](const char* what, int count) {
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
      printf("failed\n");
    print(what, out, count);
    start();
  };
  start();
  walk<<<dim3(8, 13), dim3(8, 4)>>>(in, out, 60, 50);
  finish("walk, 8 x 4", n);
  walk<<<dim3(2, 50), dim3(32)>>>(in, out, 60, 50);
  finish("walk, 32 x 1", n);
  walk<<<dim3(4, 4), dim3(16, 16)>>>(in, out, 60, 50);
  finish("walk, 16 x 16", n);
  walk<<<dim3(1, 50), dim3(1024)>>>(in, out, 60, 50);
  finish("walk, 1024", n);
  walk<<<dim3(60, 50), 1>>>(in, out, 60, 50);
  finish("walk, single threads", n);
  ownPlace<<<dim3(5, 3, 2), 1>>>(in, out, 20);
  finish("own place", 5 * 3 * 2 * 20);
  ownLength<<<6, 8>>>(out, 48);
  finish("own length", 15 * 48);
  functions<<<5, 32>>>(out, 160);
  finish("functions", 1600);
  pureFunction<<<7, 32>>>(out, 200);
  finish("pure function", 2000);
  inTurn<<<6, 1>>>(turn, out, 6);
  finish("in turn", 60);
  return 0;
}

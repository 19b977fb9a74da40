// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step by the block's or the grid's size run step by step for the whole block: rows of
// threads that end inside a step, blocks of several rows, threads that have returned, starts that
// memory gives, and loops whose start is one more from thread to thread in a warp only.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      printf("failed: %s\n", #call);                                                               \
  } while (0)

__global__ void plain(int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = 3 * i + 1;
}

__global__ void rowsOfThreads(int* out, int n) {
  const unsigned first = threadIdx.y * blockDim.x + threadIdx.x;
  for (unsigned i = first; i <= n - 1u; i += blockDim.x * blockDim.y)
    out[i] += i + threadIdx.y;
}

__global__ void afterReturn(const int* in, int* out, int n) {
  __shared__ int sums[96];
  const int t = threadIdx.x;
  if (t % 5 == 3)
    return;
  int sum = 0;
  for (int i = t; i < n; i += blockDim.x)
    sum += in[i];
  sums[t] = sum;
  for (int i = t; i < n; i += blockDim.x)
    out[i] = sums[t] + in[i];
}

__global__ void startsFromMemory(const int* begin, const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  for (int i = begin[blockIdx.x] + threadIdx.x; i < begin[blockIdx.x + 1]; i += blockDim.x)
    atomicAdd(&total, in[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = total;
}

// Warps walk along rows of their own: a step is one more from lane to lane, not from thread to
// thread.
__global__ void rowOfAWarp(const int* in, int* out, int rows, int columns) {
  const int lane = threadIdx.x & 31;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows)
    return;
  for (int c = lane; c < columns; c += 32)
    out[row * columns + c] = in[row * columns + c] + row;
}

__global__ void insideUniformLoop(int* out, int rounds, int n) {
  __shared__ int shared[200];
  for (int r = 0; r < rounds; ++r) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      shared[i] = r * i;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      out[i] += shared[n - 1 - i];
    __syncthreads();
  }
}

// A loop with one head for the block, which keeps values of each thread from step to step.
__global__ void planes(const int* in, int* out, int width, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width - 1)
    return;
  int below = in[y * width + x], here = in[(width + y) * width + x];
  for (int z = 1; z < depth - 1; ++z) {
    const int above = in[((z + 1) * width + y) * width + x];
    out[(z * width + y) * width + x] = below + 10 * here + 100 * above;
    below = here;
    here = above;
  }
}

static void print(const char* what, const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long long>(values[i]) * (i % 13 + 1);
  printf("%s: %lld, first %d, last %d\n", what, sum, values[0], values[n - 1]);
}

int main() {
  const int n = 4000;
  int *in, *out, *begin;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  CHECK(cudaMallocManaged(&begin, 5 * sizeof(int)));
  const auto start = [&] {
    for (int i = 0; i < n; ++i) {
      in[i] = i * 7 % 31;
      out[i] = -1;
    }
  };
  const auto finish = [&](const char* what, int count) {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    print(what, out, count);
    start();
  };
  start();
  plain<<<3, 96>>>(out, 1001);
  finish("grid stride", 1002);
  plain<<<2, dim3(50)>>>(out, 7);
  finish("fewer than a row", 8);
  plain<<<2, 64>>>(out, 0);
  finish("none", 2);
  rowsOfThreads<<<1, dim3(20, 3)>>>(out, 133);
  finish("rows of threads", 134);
  afterReturn<<<1, 96>>>(in, out, 500);
  finish("after a return", 500);
  const int starts[5] = {0, 5, 5, 300, 777};
  for (int i = 0; i < 5; ++i)
    begin[i] = starts[i];
  startsFromMemory<<<4, 64>>>(begin, in, out);
  finish("starts from memory", 4);
  rowOfAWarp<<<3, 96>>>(in, out, 8, 75);
  finish("a row for each warp", 8 * 75);
  insideUniformLoop<<<1, 48>>>(out, 4, 200);
  finish("inside a uniform loop", 200);
  planes<<<dim3(2, 3), dim3(8, 4)>>>(in, out, 12, 20);
  finish("planes", 12 * 12 * 20);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(begin));
  return 0;
}

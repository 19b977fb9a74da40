// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows with their neighbours in shared memory, summed up by loops with `#pragma unroll`, alone and
// inside of branches.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int radius = 3, width = 64;

__constant__ int weights[2 * radius + 1];

__global__ void rows(int* out, const int* in, int columns, int count) {
  __shared__ int line[2][width + 2 * radius];
  const int y = blockIdx.y * 2 + threadIdx.y, first = blockIdx.x * width;
  for (int i = threadIdx.x; i < width + 2 * radius; i += width) {
    const int x = first - radius + i;
    line[threadIdx.y][i] = (y < count && x >= 0 && x < columns) ? in[y * columns + x] : 0;
  }
  __syncthreads();
  const int x = first + threadIdx.x;
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 2 * radius + 1; ++k)
    sum += weights[k] * line[threadIdx.y][threadIdx.x + k];
  if (x < columns && y < count) {
    int most = 0;
#pragma unroll 4
    for (int k = 0; k < 2 * radius + 1; ++k) { // the largest
      most = max(most, line[threadIdx.y][threadIdx.x + k]);
    }
    out[y * columns + x] = sum * 1000 + most;
  }
}

__global__ void columns(int* __restrict__ out, const int* __restrict__ in, int columns, int count) {
  __shared__ int strip[16 + 2 * radius][33];
  const int x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 16;
#pragma unroll
  for (int r = threadIdx.y; r < 16 + 2 * radius; r += 16) {
    const int y = first + r - radius;
    strip[r][threadIdx.x] = (x < columns && y >= 0 && y < count) ? in[y * columns + x] : 0;
  }
  __syncthreads();
  const int y = first + threadIdx.y;
  if (x >= columns || y >= count)
    return;
  int sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * radius; ++k)
    sum += weights[k] * strip[threadIdx.y + k][threadIdx.x];
  out[y * columns + x] = sum;
}

static void print(const char* name, const int* out, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ unsigned(out[i])) * 16777619u;
  printf("%s: %u %d %d\n", name, hash, out[0], out[count - 1]);
}

int main() {
  const int w = 203, h = 57, all = w * h, host[] = {1, -2, 3, 7, 3, -2, 1};
  int *in, *out;
  cudaMallocManaged(&in, all * sizeof(int));
  cudaMallocManaged(&out, all * sizeof(int));
  cudaMemcpyToSymbol(weights, host, sizeof host);
  for (int i = 0; i < all; ++i)
    in[i] = (i * 5003 + 17) % 991;
  rows<<<dim3((w + width - 1) / width, (h + 1) / 2), dim3(width, 2)>>>(out, in, w, h);
  cudaDeviceSynchronize();
  print("rows", out, all);
  columns<<<dim3((w + 31) / 32, (h + 15) / 16), dim3(32, 16)>>>(out, in, w, h);
  cudaDeviceSynchronize();
  print("columns", out, all);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a branch and its else set for a whole block: the diagonal order of a transpose's
// tiles, quotients that only one side may compute, conversions, and what is changed again behind.
#include <cstdio>

constexpr int tile = 16, rows = 4;

__global__ void diagonal(float* out, const float* in, int width, int height) {
  __shared__ float s[tile][tile + 1];
  int column, row;
  // do diagonal reordering
  if (width == height) {
    row = blockIdx.x;
    column = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    int id = blockIdx.x + gridDim.x * blockIdx.y; // in the order of the grid
    row = id % gridDim.y;
    column = ((id / gridDim.y) + row) % gridDim.x;
  }
  int x = column * tile + threadIdx.x, y = row * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < width && y + j < height)
      s[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = row * tile + threadIdx.x;
  y = column * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = s[threadIdx.x][threadIdx.y + j];
}
// The quotient is asked for only where `parts` is not 0.
__global__ void quotients(int* out, int n, int parts, float scale) {
  __shared__ int s[64];
  int size;
  unsigned char low;
  float factor;
  if (parts > 0) {
    size = n / parts;
    low = size + 250;
    factor = scale * size;
  } else {
    size = n;
    low = n * 3;
    factor = -scale;
  }
  s[threadIdx.x] = threadIdx.x * size + low;
  __syncthreads();
  const int other = s[63 - threadIdx.x];
  __syncthreads();
  if (blockIdx.x == 1)
    size += 1000; // changed again, by all threads of a block
  s[threadIdx.x] = other + size;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1] + int(factor * 4);
}
// Without braces, and of what differs between threads, which stays a number of each.
__global__ void sides(int* out, int n) {
  __shared__ int s[64];
  int from, step;
  if (n < 0) from = -n; else from = blockIdx.x;
  if (int(threadIdx.x) < n) step = 1; else step = 2;
  s[threadIdx.x] = from * 100 + step;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 1) % 64] * step + from;
}

int main() {
  const int most = 70 * 90;
  float *in, *out;
  int* numbers;
  cudaMallocManaged(&in, most * sizeof(float));
  cudaMallocManaged(&out, most * sizeof(float));
  cudaMallocManaged(&numbers, 3 * 64 * sizeof(int));
  for (int i = 0; i < most; ++i)
    in[i] = float(i * 7 % 1009);
  const int sizes[][2] = {{70, 90}, {64, 64}, {90, 33}};
  for (const auto& size : sizes) {
    for (int i = 0; i < most; ++i)
      out[i] = -1;
    const dim3 grid((size[0] + tile - 1) / tile, (size[1] + tile - 1) / tile);
    diagonal<<<grid, dim3(tile, rows)>>>(out, in, size[0], size[1]);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < most; ++i)
      sum += out[i] * (1 + i % 89);
    printf("%.0f\n", sum);
  }
  for (int parts : {0, 3, -2}) {
    quotients<<<3, 64>>>(numbers, 700, parts, 1.25f);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", numbers[0], numbers[63], numbers[64 + 5], numbers[128 + 62]);
  }
  for (int n : {-5, 20, 100}) {
    sides<<<3, 64>>>(numbers, n);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", numbers[0], numbers[19], numbers[64 + 20], numbers[128 + 63]);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches between barriers that threads of a box in the block take run for those threads and no others.
#include <cstdio>

// Blocks cover the tile that they read, their inner threads write.
__global__ void inner(const int* in, int* out, int n) {
  const int i = blockIdx.z * 6 + threadIdx.z - 1;
  const int j = blockIdx.y * 6 + threadIdx.y - 1;
  const int k = blockIdx.x * 6 + threadIdx.x - 1;
  __shared__ int s[8][8][8];
  if (i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n) {
    s[threadIdx.z][threadIdx.y][threadIdx.x] = in[(i * n + j) * n + k];
  }
  __syncthreads();
  if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1 && k >= 1 && k < n - 1) {
    if (threadIdx.z >= 1 && threadIdx.z < 7 && threadIdx.y >= 1 && threadIdx.y < 7 && threadIdx.x >= 1 && threadIdx.x < 7)
      out[(i * n + j) * n + k] =
          s[threadIdx.z][threadIdx.y][threadIdx.x] * 3 + s[threadIdx.z][threadIdx.y][threadIdx.x - 1] * 5 +
          s[threadIdx.z][threadIdx.y][threadIdx.x + 1] * 7 + s[threadIdx.z][threadIdx.y - 1][threadIdx.x] * 11 +
          s[threadIdx.z][threadIdx.y + 1][threadIdx.x] * 13 + s[threadIdx.z - 1][threadIdx.y][threadIdx.x] * 17 +
          s[threadIdx.z + 1][threadIdx.y][threadIdx.x] * 19;
  }
}

// Rows that are no whole vectors; unsigned places that wrap around at the edge.
__global__ void unsignedPlaces(const int* in, int* out, unsigned width, unsigned height) {
  __shared__ int s[10][10];
  const unsigned x = blockIdx.x * 8 + threadIdx.x - 1, y = blockIdx.y * 8 + threadIdx.y - 1;
  s[threadIdx.y][threadIdx.x] = -7;
  __syncthreads();
  if (x < width && y < height)
    s[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  if (threadIdx.x - 1 < 8 && threadIdx.y - 1 < 8 && x < width && y < height)
    out[y * width + x] = s[threadIdx.y - 1][threadIdx.x + 1] + 2 * s[threadIdx.y + 1][threadIdx.x - 1];
}

// Limits on either side, below zero, compared as unsigned, two places for each thread, and limits that a loop moves.
__global__ void limits(int* out, int n, long long far) {
  __shared__ int s[16][32];
  const int x = threadIdx.x, y = threadIdx.y, low = n - 20;
  const long long there = far + threadIdx.y;
  s[y][x] = y * 100 + x;
  __syncthreads();
  if (low < y && 3 <= x && n >= y)
    s[y][x] += 10000;
  __syncthreads();
  if (y < low && x < 5)
    s[y][x] += 20000;
  __syncthreads();
  if (threadIdx.y < low && x > 28)
    s[y][x] += 40000;
  __syncthreads();
  if (2 * y + 1 < n && 3 * x > n)
    s[y][x] += 80000;
  __syncthreads();
  if (there > far + 12 && there - 1 <= far + 13 && x != 4)
    s[y][x] += 160000;
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (y > k && x >= k && x < 2 * k + 3)
      s[y][x] += s[k][x] * (k + 1);
    __syncthreads();
  }
  out[y * 32 + x] = s[y][x];
}

// Conditions that do more than to compare are asked by those threads that would be.
__global__ void asked(const int* in, int* out, int* asking, int n) {
  __shared__ int s[8][16];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 16 + x];
  __syncthreads();
  if (y >= 2 && y <= n && s[y][x] % 3 != 0 && atomicAdd(asking, 1) >= 0 && x < 11)
    out[y * 16 + x] = s[y][x];
  __syncthreads();
  const int shifted = x + 1;
  if (y < n && shifted < 16) {
    int sum = 0;
    for (int k = shifted; k < 16; ++k)
      sum += s[y][k];
    out[128 + y * 16 + x] = sum;
  }
}

void print(const char* name, const int* values, int count) {
  unsigned sum = 1;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + values[i];
  printf("%s %u\n", name, sum);
}

int main() {
  const int most = 20 * 20 * 20;
  int *in, *out;
  cudaMallocManaged(&in, most * sizeof(int));
  cudaMallocManaged(&out, most * sizeof(int));
  const auto start = [&] {
    for (int i = 0; i < most; ++i) {
      in[i] = i * 7 % 1013;
      out[i] = -i;
    }
  };
  for (int n : {1, 2, 6, 7, 8, 13, 20}) {
    start();
    const int blocks = (n + 5) / 6;
    inner<<<dim3(blocks, blocks, blocks), dim3(8, 8, 8)>>>(in, out, n);
    cudaDeviceSynchronize();
    print("inner", out, most);
    start();
    unsignedPlaces<<<dim3((2 * n + 7) / 8, (n + 7) / 8), dim3(10, 10)>>>(in, out, 2 * n, n);
    cudaDeviceSynchronize();
    print("unsigned places", out, most);
    start();
    limits<<<1, dim3(32, 16)>>>(out, n, 1ll << 40);
    cudaDeviceSynchronize();
    print("limits", out, most);
    start();
    limits<<<1, dim3(32, 16)>>>(out, n + 14, 0x7fffffffffffffffll - 15);
    cudaDeviceSynchronize();
    print("limits at the end", out, most);
    start();
    out[0] = 0;
    asked<<<1, dim3(16, 8)>>>(in, out + 1, out, n < 8 ? n : 7);
    cudaDeviceSynchronize();
    print("asked", out, most);
  }
  cudaFree(in);
  cudaFree(out);
}

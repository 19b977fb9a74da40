// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is launched with blocks whose rows are whole warps, and with others: where a value
// depends on threadIdx.y, the lanes of a warp agree only in the first.
#include <cstdio>

#include <cuda_runtime.h>

template <int BX, int BY, int R> __global__ void sums(const int* in, int* out, int w, int h) {
  __shared__ int tile[BY + 2 * R][BX + 2 * R];
  const int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
  for (int j = threadIdx.y; j < BY + 2 * R; j += BY)
    for (int i = threadIdx.x; i < BX + 2 * R; i += BX)
      tile[j][i] = in[min(max(y0 + j, 0), h - 1) * w + min(max(x0 + i, 0), w - 1)];
  __syncthreads();
  int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  if (x < w && y < h) {
    int sum = 0;
    for (int d = -R; d <= R; ++d)
      sum += tile[threadIdx.y + R + d][threadIdx.x + R] +
             3 * tile[threadIdx.y + R][threadIdx.x + R + d];
    out[y * w + x] = sum;
  }
}

__global__ void rows(int* out, int w, int h) {
  __shared__ int last[32];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int n = 0;
  for (int k = 0; k < y % 5 + 1; ++k)
    n += k * x;
  if (threadIdx.x == 0)
    last[threadIdx.y] = n + y;
  __syncthreads();
  if (x < w && y < h)
    out[y * w + x] = n + last[threadIdx.y];
}

static void print(const char* name, const int* out, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ unsigned(out[i])) * 16777619u;
  printf("%s: %u %d %d\n", name, hash, out[0], out[count - 1]);
}

int main() {
  const int w = 100, h = 50, all = w * h;
  int *in, *out;
  cudaMallocManaged(&in, all * sizeof(int));
  cudaMallocManaged(&out, all * sizeof(int));
  for (int i = 0; i < all; ++i)
    in[i] = i * 7 % 101;
  sums<32, 8, 2><<<dim3(4, 7), dim3(32, 8)>>>(in, out, w, h);
  cudaDeviceSynchronize();
  print("32 x 8", out, all);
  sums<16, 16, 1><<<dim3(7, 4), dim3(16, 16)>>>(in, out, w, h);
  cudaDeviceSynchronize();
  print("16 x 16", out, all);
  rows<<<dim3(2, 13), dim3(64, 4)>>>(out, w, h);
  cudaDeviceSynchronize();
  print("rows of 64", out, all);
  rows<<<dim3(13, 7), dim3(8, 8)>>>(out, w, h);
  cudaDeviceSynchronize();
  print("rows of 8", out, all);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A filter from constant memory over a shared tile with a halo, several results to a thread, all of
// whose loops the user wants unrolled.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int tx = 32, ty = 8, per = 4, r = 3, k = 2 * r + 1;
__constant__ float weights[k][k];

__global__ void filter(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  constexpr int columns = tx + 2 * r, rows = ty * per + 2 * r;
  __shared__ float t[rows][columns];
  const int x0 = blockIdx.x * tx, y0 = blockIdx.y * ty * per;
  for (int y = threadIdx.y; y < rows; y += ty)
    for (int x = threadIdx.x; x < columns; x += tx) {
      const int gx = min(max(x0 + x - r, 0), w - 1), gy = min(max(y0 + y - r, 0), h - 1);
      t[y][x] = in[gy * w + gx];
    }
  __syncthreads();
  const int x = x0 + threadIdx.x;
#pragma unroll
  for (int p = 0; p < per; ++p) {
    const int ly = threadIdx.y + p * ty, y = y0 + ly;
    float s = 0;
#pragma unroll
    for (int i = 0; i < k; ++i)
#pragma unroll
      for (int j = 0; j < k; ++j)
        s += weights[i][j] * t[ly + i][threadIdx.x + j];
    if (x < w && y < h)
      out[y * w + x] = s;
  }
}

int main() {
  constexpr int w = 150, h = 130;
  float host[k][k], *in, *out;
  for (int i = 0; i < k * k; ++i)
    host[i / k][i % k] = float(i % 5 - 1) * 0.25f;
  cudaMemcpyToSymbol(weights, host, sizeof host);
  cudaMallocManaged(&in, w * h * sizeof(float));
  cudaMallocManaged(&out, w * h * sizeof(float));
  for (int i = 0; i < w * h; ++i)
    in[i] = float(i * 7 % 32) * 0.5f;
  filter<<<dim3((w + tx - 1) / tx, (h + ty * per - 1) / (ty * per)), dim3(tx, ty)>>>(in, out, w, h);
  cudaDeviceSynchronize();
  for (int y = 0; y < h; y += 26) {
    double sum = 0;
    for (int x = 0; x < w; ++x)
      sum += out[y * w + x] * (x + 1);
    printf("row %d: %.3f\n", y, sum);
  }
}

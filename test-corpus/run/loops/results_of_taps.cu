// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind the last barrier each thread has several results, each the sum of a row of taps: few
// copies of the sum, and more than are written out. Threads leave the loop over their results
// together with their row, or one by one.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

constexpr int R = 8, TAPS = 2 * R + 1;
__constant__ float taps[TAPS];

template <int STEPS> __global__ void columns(float* dst, const float* src, int w, int h) {
  __shared__ float s[8 * STEPS + 2 * R][32];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y0 = blockIdx.y * 8 * STEPS;
  for (int i = threadIdx.y; i < 8 * STEPS + 2 * R; i += 8) {
    const int y = y0 + i - R;
    s[i][threadIdx.x] = (x < w && y >= 0 && y < h) ? src[y * w + x] : 0.0f;
  }
  __syncthreads();
  if (x >= w)
    return;
#pragma unroll
  for (int r = 0; r < STEPS; r++) {
    const int ly = threadIdx.y + r * 8;
    const int y = y0 + ly;
    if (y >= h)
      break;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
      sum += taps[k] * s[ly + k][threadIdx.x];
    dst[y * w + x] = sum;
  }
}

// Results along the row: threads of one row leave one by one.
template <int STEPS> __global__ void rows(float* dst, const float* src, int w) {
  __shared__ float s[64 * STEPS + 2 * R];
  const int x0 = blockIdx.x * 64 * STEPS, y = blockIdx.y;
  for (int i = threadIdx.x; i < 64 * STEPS + 2 * R; i += 64) {
    const int x = x0 + i - R;
    s[i] = x >= 0 && x < w ? src[y * w + x] : 0.0f;
  }
  __syncthreads();
  for (int r = 0; r < STEPS; ++r) {
    const int i = threadIdx.x + r * 64;
    if (x0 + i >= w)
      break;
    float sum = 0;
    for (int k = 0; k < TAPS; ++k)
      sum += taps[k] * s[i + k];
    dst[y * w + x0 + i] = sum;
  }
}

static unsigned checksum(const float* values, int count) {
  unsigned sum = 2166136261u;
  for (int i = 0; i < count; ++i)
    sum = (sum ^ static_cast<unsigned>(static_cast<int>(values[i]))) * 16777619u;
  return sum;
}

int main() {
  float weights[TAPS];
  for (int k = 0; k < TAPS; ++k)
    weights[k] = static_cast<float>((k + 1) % 5 + k / 3);
  cudaMemcpyToSymbol(taps, weights, sizeof weights);
  const int sizes[][2] = {{1, 1}, {31, 7}, {32, 8}, {33, 129}, {97, 260}, {515, 33}};
  for (const auto& size : sizes) {
    const int w = size[0], h = size[1], n = w * h;
    float *src, *dst;
    cudaMallocManaged(&src, n * sizeof(float));
    cudaMallocManaged(&dst, n * sizeof(float));
    for (int i = 0; i < n; ++i)
      src[i] = static_cast<float>((i * 37 + i / 11) % 64);
    printf("%d x %d:", w, h);
    const auto show = [&] {
      cudaDeviceSynchronize();
      printf(" %08x", checksum(dst, n));
      for (int i = 0; i < n; ++i)
        dst[i] = -1;
    };
    const dim3 block(32, 8);
    columns<4><<<dim3((w + 31) / 32, (h + 31) / 32), block>>>(dst, src, w, h);
    show();
    columns<12><<<dim3((w + 31) / 32, (h + 95) / 96), block>>>(dst, src, w, h);
    show();
    columns<16><<<dim3((w + 31) / 32, (h + 127) / 128), block>>>(dst, src, w, h);
    show();
    rows<4><<<dim3((w + 255) / 256, h), 64>>>(dst, src, w);
    show();
    rows<16><<<dim3((w + 1023) / 1024, h), 64>>>(dst, src, w);
    show();
    printf("\n");
    cudaFree(src);
    cudaFree(dst);
  }
  return 0;
}

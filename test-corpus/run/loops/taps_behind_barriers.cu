// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions, of which the threads inside of an image add up a few taps behind the last barrier;
// tiles are filled with places that are kept within bounds in different ways.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define TAPS 15
__constant__ float taps[64];

__device__ int clampTo(int v, int n) { return v < 0 ? 0 : (v >= n ? n - 1 : v); }
__device__ int wrapTo(int v, int n) { return v < 0 ? v + n : (v >= n ? v - n : v); }
__device__ int at(int x, int y, int width) { return y * width + x; }

// A dynamic tile, an early return, one loop of taps.
__global__ void rows(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  extern __shared__ float tile[];
  constexpr int R = TAPS / 2, PITCH = 64 + 2 * R;
  const int x0 = blockIdx.x * 64, y = blockIdx.y * 2 + threadIdx.y;
  const int gy = clampTo(y, h);
  float* line = tile + threadIdx.y * PITCH;
  for (int i = threadIdx.x; i < PITCH; i += 64)
    line[i] = in[(size_t)gy * w + clampTo(x0 + i - R, w)];
  __syncthreads();
  const int x = x0 + threadIdx.x;
  if (x >= w || y >= h)
    return;
  float s = 0.0f;
  for (int t = 0; t < TAPS; ++t)
    s += taps[t] * line[threadIdx.x + t];
  out[(size_t)y * w + x] = s;
}

// Several results of a thread, which all of a row leave together.
__global__ void columns(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  extern __shared__ float tile[];
  constexpr int R = TAPS / 2, ROWS = 32 + 2 * R;
  const int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
  const int gx = clampTo(x, w);
  for (int r = threadIdx.y; r < ROWS; r += 8)
    tile[r * 32 + threadIdx.x] = in[(size_t)clampTo(y0 + r - R, h) * w + gx];
  __syncthreads();
  if (x >= w)
    return;
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int ly = threadIdx.y + q * 8;
    if (y0 + ly >= h)
      break;
    float s = 0.0f;
#pragma unroll
    for (int t = 0; t < TAPS; ++t)
      s += taps[t] * tile[(ly + t) * 32 + threadIdx.x];
    out[(size_t)(y0 + ly) * w + x] = s;
  }
}

// The radius is a template's, places go around, the guard is a branch, rows below a first one
// count.
template <int R> __global__ void around(const float* in, float* out, int w, int h, int first) {
  __shared__ float tile[32 + 2 * R][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y0 = int(blockIdx.y) * 32 - 8;
  for (int r = threadIdx.y; r < 32 + 2 * R; r += 8) {
    const int gy = min(max(y0 + r - R, 0), h - 1);
    tile[r][threadIdx.x] = in[at(wrapTo(x, w + 32) < w ? x : x - w, gy, w)];
  }
  __syncthreads();
  for (int q = 0; q < 4; ++q) {
    const int y = y0 + int(threadIdx.y) + q * 8;
    if (x < w && y >= first && y < h) {
      float s = 0.0f;
      for (int t = -R; t <= R; ++t)
        s += taps[t + R] * tile[threadIdx.y + q * 8 + t + R][threadIdx.x];
      out[y * w + x] = s;
    }
  }
}

// Steps that a thread skips, counters without a sign, and a number of its own that ends its loop.
__global__ void skipped(const int* in, int* out, unsigned n, unsigned rows) {
  __shared__ int tile[8][64];
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[x < n ? x : n - 1];
  tile[threadIdx.y][threadIdx.x + 32] = in[x + 32 < n ? x + 32 : x + 32 - n];
  __syncthreads();
  if (x >= n)
    return;
  int sum = 0;
  for (unsigned q = 0; q < 12; ++q) {
    const unsigned y = threadIdx.y + q * 8;
    if (y == 17 || y >= rows)
      continue;
    if (tile[threadIdx.y][threadIdx.x + q] == 7)
      break;
    sum += tile[threadIdx.y][threadIdx.x + q] * int(y + 1);
  }
  out[threadIdx.y * n + x] = sum;
}

// Taps between barriers, and more than are written out.
__global__ void between(const double* in, double* out, int n) {
  __shared__ double s[128 + 40];
  const int i = blockIdx.x * 128 + threadIdx.x;
  for (int k = threadIdx.x; k < 168; k += 128)
    s[k] = in[min(max((int)blockIdx.x * 128 + k - 20, 0), n - 1)];
  __syncthreads();
  double sum = 0;
  for (int t = 0; t < 11; ++t)
    sum += s[threadIdx.x + t];
  __syncthreads();
  s[threadIdx.x] = sum;
  __syncthreads();
  if (i >= n)
    return;
  double more = 0;
  for (int t = 0; t < 40; ++t)
    more += s[threadIdx.x + (t < 1 ? t : 0)] * t;
  out[i] = more + sum;
}

template <class T> static double sumOf(const T* device, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(host[i]) * (1 + i % 13);
  return sum;
}

static void convolve(int w, int h) {
  const int n = w * h;
  std::vector<float> image(n), weights(64);
  std::vector<int> numbers(n);
  std::vector<double> doubles(n);
  // Small integers: no sum depends on how it is rounded.
  for (int i = 0; i < n; ++i) {
    image[i] = float(i * 37 % 101);
    numbers[i] = i * 11 % 23;
    doubles[i] = i * 13 % 97;
  }
  for (int t = 0; t < 64; ++t)
    weights[t] = float(t % 5 - 1);
  cudaMemcpyToSymbol(taps, weights.data(), 64 * sizeof(float));
  float *in, *out;
  int *inNumbers, *outNumbers;
  double *inDoubles, *outDoubles;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&inNumbers, n * sizeof(int));
  cudaMalloc(&outNumbers, 8 * n * sizeof(int));
  cudaMalloc(&inDoubles, n * sizeof(double));
  cudaMalloc(&outDoubles, n * sizeof(double));
  cudaMemcpy(in, image.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(inNumbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(inDoubles, doubles.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  std::printf("%d x %d:", w, h);
  const dim3 grid((w + 31) / 32, (h + 31) / 32), taller(grid.x, grid.y + 1), block(32, 8);
  rows<<<dim3((w + 63) / 64, (h + 1) / 2), dim3(64, 2), 2 * (64 + TAPS - 1) * sizeof(float)>>>(
      in, out, w, h);
  std::printf(" %.0f", sumOf(out, n));
  cudaMemset(out, 0, n * sizeof(float));
  columns<<<grid, block, 32 * (32 + TAPS - 1) * sizeof(float)>>>(in, out, w, h);
  std::printf(" %.0f", sumOf(out, n));
  cudaMemset(out, 0, n * sizeof(float));
  if (w >= 32) {
    around<4><<<taller, block>>>(in, out, w, h, 0);
    std::printf(" %.0f", sumOf(out, n));
    around<9><<<taller, block>>>(in, out, w, h, 5);
    std::printf(" %.0f", sumOf(out, n));
  }
  if (n >= 64) {
    skipped<<<(n + 31) / 32, block>>>(inNumbers, outNumbers, n, 90);
    std::printf(" %.0f", sumOf(outNumbers, 8 * n));
    skipped<<<(n + 31) / 32, block>>>(inNumbers, outNumbers, n, 30);
    std::printf(" %.0f", sumOf(outNumbers, 8 * n));
  }
  between<<<(n + 127) / 128, 128>>>(inDoubles, outDoubles, n);
  std::printf(" %.0f\n", sumOf(outDoubles, n));
  for (void* memory : {(void*)in, (void*)out, (void*)inNumbers, (void*)outNumbers, (void*)inDoubles,
                       (void*)outDoubles})
    cudaFree(memory);
}

int main() {
  convolve(131, 77);
  convolve(128, 64);
  convolve(64, 32);
  convolve(33, 41);
  convolve(7, 100);
  convolve(200, 1);
  convolve(1, 1);
}

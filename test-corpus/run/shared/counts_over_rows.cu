// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps that pass over rows and columns of a picture by steps of the grid and count in shared memory:
// rows that end inside of a warp, two updates for each element, updates under a condition, values that
// the update reads, and what is updated and read in one step.
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 64

__device__ inline unsigned bright(uchar4 p) { return (77u * p.x + 150u * p.y + 29u * p.z) >> 10; }

__global__ void countPixels(const uchar4* image, int width, int height, unsigned* bins) {
  __shared__ unsigned local[BINS];
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  for (int i = t; i < BINS; i += blockDim.x * blockDim.y)
    local[i] = 0;
  __syncthreads();
  const int nx = blockDim.x * gridDim.x, ny = blockDim.y * gridDim.y;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += ny)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += nx)
      atomicAdd(&local[bright(image[y * width + x])], 1u);
  __syncthreads();
  for (int i = t; i < BINS; i += blockDim.x * blockDim.y)
    atomicAdd(&bins[i], local[i]);
}

// Columns outside, and two updates, one of them for some only.
__global__ void twoCounts(const int* values, int width, int height, int* sums, int limit) {
  __shared__ int low[BINS], high[BINS];
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  if (t < BINS)
    low[t] = high[t] = 0;
  __syncthreads();
  const int x0 = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * blockDim.y + threadIdx.y;
  for (int x = x0; x < width; x += blockDim.x * gridDim.x)
    for (int y = y0; y < height; y += blockDim.y * gridDim.y) {
      const int v = values[y * width + x];
      atomicAdd(&low[(v * 5 + 3 * x + y) % BINS], v - 7);
      if (v > limit)
        atomicMax(&high[(v * 3 + 11 * y + x) % BINS], v * 2 + y);
    }
  __syncthreads();
  if (t < BINS) {
    atomicAdd(&sums[t], low[t]);
    atomicMax(&sums[BINS + t], high[t]);
  }
}

// What an update changes decides on the next one.
__global__ void chained(const int* values, int width, int height, int* out) {
  __shared__ int seen[BINS];
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  if (t < BINS)
    seen[t] = 0;
  __syncthreads();
  for (int y = threadIdx.y; y < height; y += blockDim.y)
    for (int x = threadIdx.x; x < width; x += 32 * gridDim.x) {
      const int place = (values[y * width + x] * 7 + x * 5 + y * 3) % BINS;
      atomicAdd(&seen[place], seen[place] < 0 ? 2 : 1);
    }
  __syncthreads();
  if (t < BINS)
    out[t] = seen[t];
}

static unsigned next = 4711;
static unsigned nextValue() {
  next = next * 1664525u + 1013904223u;
  return next >> 8;
}

template <class Type> static void print(const char* what, const Type* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(values[i]);
  printf("%s: %llu, %d %d, %s\n", what, sum, static_cast<int>(values[n / 2]),
         static_cast<int>(values[n - 1]), cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int most = 700 * 60;
  uchar4* image;
  int *values, *sums;
  unsigned* bins;
  cudaMallocManaged(&image, most * sizeof(uchar4));
  cudaMallocManaged(&values, most * sizeof(int));
  cudaMallocManaged(&sums, 2 * BINS * sizeof(int));
  cudaMallocManaged(&bins, BINS * sizeof(unsigned));
  for (int i = 0; i < most; ++i) {
    const unsigned v = nextValue();
    image[i] = make_uchar4(v & 255, v >> 8 & 127, v >> 16 & 255, 255);
    values[i] = nextValue() % 1000;
  }
  for (int width : {1, 31, 32, 33, 129, 700})
    for (int height : {1, 5, 60}) {
      for (int i = 0; i < BINS; ++i)
        bins[i] = 0;
      countPixels<<<dim3(3, 2), dim3(32, 4)>>>(image, width, height, bins);
      cudaDeviceSynchronize();
      print("pixels", bins, BINS);
      for (int i = 0; i < BINS; ++i)
        bins[i] = 0;
      countPixels<<<dim3(2, 2), dim3(48, 3)>>>(image, width, height, bins);
      cudaDeviceSynchronize();
      print("other blocks", bins, BINS);
      for (int i = 0; i < 2 * BINS; ++i)
        sums[i] = 0;
      twoCounts<<<dim3(2, 3), dim3(32, 4)>>>(values, width, height, sums, 500);
      cudaDeviceSynchronize();
      print("two", sums, 2 * BINS);
      chained<<<1, dim3(32, 4)>>>(values, width, height, sums);
      cudaDeviceSynchronize();
      print("chained", sums, BINS);
    }
}

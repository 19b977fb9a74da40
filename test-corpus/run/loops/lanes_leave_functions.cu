// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads leave loops of device functions, and loops that break, one by one; functions change a
// thread's own variables through pointers.
#include <cstdio>

__device__ __forceinline__ unsigned draw(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// Returns from inside its loop, from behind it, and before it.
__device__ int steps(float x, float y, int limit) {
  float a = x, b = y;
  if (x > 2.5f)
    return -1;
  int i = 0;
  for (i = 0; i < limit; i++) {
    float t = a * a - b * b - 0.75f;
    b = 2 * a * b + 0.125f;
    a = t;
    if (a * a + b * b > 16)
      return i;
  }
  return limit + i;
}

// Several ways out, one that goes on early, a counter that the threads share no longer.
__device__ unsigned collatz(unsigned n) {
  unsigned even = 0, odd = 0;
  while (true) {
    if (n == 1)
      break;
    if (even + odd > 90u) {
      return 1000u + odd;
    }
    if ((n & 1) == 0) {
      n >>= 1;
      ++even;
      continue;
    }
    n = 3 * n + 1;
    ++odd;
  }
  return even * 100 + odd;
}

// Never called for lanes at once: one value for all of them.
__device__ int halvings(int n) {
  int count = 0;
  for (;; ++count) {
    n = (n + n / 3) >> 1;
    if (n * 3 < 9)
      return count;
  }
}

__global__ void picture(int* out, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  out[y * width + x] = steps(x * 0.1f - 2, y * 0.1f - 1, limit);
}

__global__ void inConditions(unsigned* out, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int more = halvings(size);
  if (i < n && collatz(i + 1) > 400u)
    out[i] = collatz(i + 7) + (i % 3 == 0 ? collatz(i) : 5u) + more;
  else if (i < n)
    out[i] = i;
}

__global__ void breaks(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = i;
  float sum = 0;
  int k;
  for (k = 0; k < 50; k++) {
    float one = (draw(&state) & 255) * 0.0625f;
    sum += one;
    if (one < 1) {
      continue;
    }
    float two = sum * 0.5f;
    if (two > 40 + (i & 7)) // a comment that stays
      break;
    if (two + one > 45)
      break;
  }
  out[i] = k * 1000 + int(sum * 16);
}

// Values in shared memory between barriers, with draws in between.
__global__ void hits(unsigned* out) {
  __shared__ unsigned inside[96];
  unsigned state = blockIdx.x * 96 + threadIdx.x;
  unsigned mine = 0;
  for (int k = 0; k < 40; ++k) {
    float x = draw(&state) / 16777216.0f;
    float y = draw(&state) / 16777216.0f;
    if (x * x + y * y <= 1.0f)
      mine++;
  }
  inside[threadIdx.x] = mine + steps(mine * 0.03125f, 0.25f, 60);
  __syncthreads();
  if (threadIdx.x < 48)
    inside[threadIdx.x] += inside[threadIdx.x + 48];
  __syncthreads();
  if (threadIdx.x < 16)
    out[blockIdx.x * 16 + threadIdx.x] =
        inside[threadIdx.x] + inside[threadIdx.x + 16] + inside[threadIdx.x + 32];
}

template <typename T> __device__ void add(T value, T* mean, T* spread, T* count) {
  *count += 1;
  T before = value - *mean;
  *mean += before / *count;
  *spread += before * (value - *mean);
}

__global__ void spreads(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    float mean = 0, spread = 0, count = 0;
    for (int c = lane; c < columns; c += 32)
      add(in[row * columns + c], &mean, &spread, &count);
    spread += __shfl_xor_sync(~0u, spread, 16) + __shfl_down_sync(~0u, mean, 3) + count;
    out[row * 32 + lane] = spread;
  }
}

int main() {
  const int width = 45, height = 21, n = 300, rows = 5, columns = 70;
  int *numbers, *counts;
  unsigned* values;
  float *in, *out;
  cudaMallocManaged(&numbers, width * height * sizeof(int));
  cudaMallocManaged(&counts, n * sizeof(int));
  cudaMallocManaged(&values, (n + 64) * sizeof(unsigned));
  cudaMallocManaged(&in, rows * columns * sizeof(float));
  cudaMallocManaged(&out, rows * 32 * sizeof(float));
  for (int i = 0; i < rows * columns; ++i)
    in[i] = (i * 37 % 101) * 0.5f;
  long sum = 0;
  for (dim3 block : {dim3(16, 16), dim3(8, 4), dim3(32, 2), dim3(7, 5)}) {
    picture<<<dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y), block>>>(
        numbers, width, height, 50);
    cudaDeviceSynchronize();
    sum = 0;
    for (int i = 0; i < width * height; ++i)
      sum += numbers[i] * (i % 11 + 1l);
    printf("picture %ld %d %d\n", sum, numbers[100], numbers[500]);
  }
  inConditions<<<3, 100>>>(values, n, 5000);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * (i % 13 + 1l);
  printf("conditions %ld %u\n", sum, values[27]);
  breaks<<<5, 64>>>(counts, n);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < n; ++i)
    sum += counts[i] * (i % 5 + 1l);
  printf("breaks %ld %d\n", sum, counts[33]);
  hits<<<4, 96>>>(values);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += values[i] * (i % 9 + 1l);
  printf("hits %ld %u\n", sum, values[5]);
  spreads<<<2, 64>>>(in, out, rows, columns);
  cudaDeviceSynchronize();
  float all = 0;
  for (int i = 0; i < rows * 32; ++i)
    all += out[i];
  printf("spreads %.0f\n", all / 100);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short loops between barriers in which each step is for a range of the block's threads, with an array that each thread
// keeps from one barrier to the next.
#include <cstdio>

constexpr int threads = 64;

// A tree whose levels shrink: each thread has `columns` elements, `threads` apart.
template <int columns> __global__ void shrink(const int* in, int* out) {
  __shared__ int level[2][columns * threads + 1];
  int own[columns];
  const int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < columns; ++k) {
    const int j = t + k * threads;
    own[k] = in[blockIdx.x * columns * threads + j];
    level[0][j] = own[k] & 255;
  }
  if (t == 0)
    level[0][columns * threads] = level[1][columns * threads] = 1;
  int current = 0;
  __syncthreads();
  for (int i = columns * threads - 1; i >= 0; i -= 3) {
    const int* from = level[current];
    int* to = level[current ^ 1];
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      const int j = t + k * threads;
      if (j <= i) {
        own[k] = own[k] * 5 + j;
        to[j] = max(from[j + 1] * 3 + from[j], own[k] & 4095) & 65535;
      }
    }
    __syncthreads();
    current ^= 1;
  }
#pragma unroll
  for (int k = 0; k < columns; ++k)
    out[blockIdx.x * columns * threads + t + k * threads] = own[k] ^ level[current][t + k * threads];
}

// Bounds on both sides, one of the grid, and no declaration in the step.
__global__ void widen(const float* in, float* out, int n) {
  __shared__ float a[4 * threads], b[4 * threads];
  const int t = threadIdx.x, first = blockIdx.x * 4 * threads;
  for (int k = 0; k < 4; ++k)
    a[t + k * threads] = first + t + k * threads < n ? in[first + t + k * threads] : 1.0f;
  __syncthreads();
  for (int low = 2 * threads, high = 2 * threads; low >= 1; low -= 7, high += 7) {
    for (int k = 0; k < 4; ++k)
      if (t + k * threads >= low && t + k * threads < high)
        b[t + k * threads] = 0.5f * a[t + k * threads - 1] + 0.25f * a[t + k * threads];
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
      const int j = t + k * threads;
      if (j >= low && j < high && first + j < n)
        a[j] = b[j];
    }
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k)
    if (first + t + k * threads < n)
      out[first + t + k * threads] = a[t + k * threads];
}

// Threads also count their steps, so that a thread's steps stay together; and rows of a block with two dimensions.
__global__ void count(int* out) {
  __shared__ int s[3][4 * 16];
  int steps = 0;
  for (int k = 0; k < 4; ++k)
    s[threadIdx.y][threadIdx.x + k * 16] = threadIdx.x * 7 + k;
  __syncthreads();
  for (int i = 60; i > 0; i -= 9) {
    for (int k = 0; k < 4; ++k) {
      const int j = threadIdx.x + k * 16;
      if (j < i) {
        s[threadIdx.y][j] += i + threadIdx.y;
        steps += k + 1;
      }
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
      const int j = threadIdx.x + k * 16;
      if (j > i)
        s[threadIdx.y][j] ^= i;
    }
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k)
    out[threadIdx.y * 64 + threadIdx.x + k * 16] = s[threadIdx.y][threadIdx.x + k * 16] + 1000 * steps;
}

static unsigned hash(const void* data, size_t bytes) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i)
    h = (h ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return h;
}

int main() {
  const int n = 8 * threads * 3;
  int *in, *out;
  float *x, *y;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 1009;
    x[i] = float((i * 31) % 64);
    out[i] = 0;
    y[i] = 0;
  }
  shrink<2><<<4, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("shrink 2: %08x\n", hash(out, 4 * 2 * threads * sizeof(int)));
  shrink<5><<<3, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("shrink 5: %08x\n", hash(out, 3 * 5 * threads * sizeof(int)));
  for (int length : {4 * threads, n - 100}) {
    widen<<<(length + 4 * threads - 1) / (4 * threads), threads>>>(x, y, length);
    cudaDeviceSynchronize();
    printf("widen %d: %08x\n", length, hash(y, n * sizeof(float)));
  }
  count<<<1, dim3(16, 3)>>>(out);
  cudaDeviceSynchronize();
  printf("count: %08x\n", hash(out, 3 * 64 * sizeof(int)));
  return 0;
}

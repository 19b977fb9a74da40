// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that a block takes from shared memory as a structure are one for the block; what a thread
// adds to its own stays the thread's, and so does what few threads assign.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int threads = 96;

struct Sums {
  float a, b;
  int n;
};

__device__ Sums blockSums(float a, float b) {
  __shared__ Sums part[threads / 32];
  __shared__ Sums total;
  for (int o = 16; o > 0; o >>= 1) {
    a += __shfl_down_sync(~0u, a, o);
    b += __shfl_down_sync(~0u, b, o);
  }
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = Sums{a, b, 32};
  __syncthreads();
  if (threadIdx.x == 0) {
    Sums all = part[0];
    for (int w = 1; w < threads / 32; ++w)
      all = Sums{all.a + part[w].a, all.b + part[w].b, all.n + part[w].n};
    total = all;
  }
  __syncthreads();
  return total;
}

__global__ void normalised(const float* in, float* out, int rows) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const float v = in[r * threads + threadIdx.x];
    const Sums all = blockSums(v, v * v);
    const float mean = all.a / all.n, variance = all.b / all.n - mean * mean;
    out[r * threads + threadIdx.x] = (v - mean) * rsqrtf(variance + 1.0f);
    __syncthreads();
  }
}

__global__ void ownSums(const float* in, float* out) {
  __shared__ Sums first;
  const int t = threadIdx.x;
  Sums kept = {0, 0, 0};
  if (t == 0)
    first = Sums{in[0], in[1], 7};
  __syncthreads();
  kept = first;
  if (t >= 40)
    kept = Sums{in[t], kept.b, t};
  __syncthreads();
  if (t == 0)
    first = Sums{kept.a + 1, kept.b + 1, kept.n + 1};
  __syncthreads();
  const Sums later = first;
  kept = Sums{kept.a + later.a, kept.b * later.b, kept.n + later.n};
  out[t] = kept.a + kept.b + kept.n;
}

int main() {
  constexpr int rows = 5;
  float *in, *out;
  cudaMallocManaged(&in, rows * threads * sizeof(float));
  cudaMallocManaged(&out, rows * threads * sizeof(float));
  for (int i = 0; i < rows * threads; ++i)
    in[i] = float(i * 29 % 32) / 4;
  normalised<<<2, threads>>>(in, out, rows);
  cudaDeviceSynchronize();
  for (int i = 0; i < rows * threads; i += 31)
    printf("%.4f\n", out[i]);
  ownSums<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; i += 5)
    printf("%g\n", out[i]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops by the whole grid that add up two and more elements in a step, each behind a guard of its
// own.
#include <cstdio>
#include <cuda_runtime.h>

__device__ void join(float sum, float* s, float* out) {
  s[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}
__global__ void pairs(const float* in, float* out, unsigned int n) {
  extern __shared__ float s[];
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  const unsigned int gridSize = blockDim.x * 2 * gridDim.x;
  float sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + blockDim.x < n)
      sum += in[i + blockDim.x];
    i += gridSize;
  }
  join(sum, s, out);
}
__global__ void several(const float* in, float* out, int n, int from, int to) {
  __shared__ float s[128];
  float sum = 0;
  for (int i = blockIdx.x * 128 * 3 + threadIdx.x; i < n; i += gridDim.x * 128 * 3) {
    sum += in[i];
    if (i + 128 < n)
      sum += 2 * in[i + 128];
    if (i + 256 < n)
      sum += 3 * in[i + 256];
    if (i >= from && i < to)
      sum -= in[i] * 0.5f;
    if (i > 0)
      sum += in[i - 1];
  }
  join(sum, s, out);
}
__global__ void edges(const float* in, float* out, unsigned int n, unsigned int more) {
  __shared__ float s[64];
  float sum = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (i + more < 40) // wraps around
      sum += in[i + more];
    else
      sum += in[i] * 0.25f;
  }
  join(sum, s, out);
}

int main() {
  constexpr int most = 40000, blocks = 7;
  float *in, *out;
  cudaMallocManaged(&in, most * sizeof(float));
  cudaMallocManaged(&out, blocks * sizeof(float));
  for (int i = 0; i < most; ++i)
    in[i] = float(i % 13 - 5);
  const auto print = [&](const char* name, int n) {
    cudaDeviceSynchronize();
    printf("%s %d:", name, n);
    for (int b = 0; b < blocks; ++b)
      printf(" %.1f", out[b]);
    printf("\n");
  };
  for (int n : {1, 100, 129, 1000, 5377, 14336, 40000}) {
    pairs<<<blocks, 256, 256 * sizeof(float)>>>(in, out, n);
    print("pairs", n);
    several<<<blocks, 128>>>(in, out, n, n / 3, n / 3 + 1500);
    print("several", n);
    edges<<<blocks, 64>>>(in, out, n, 0u - 20u);
    print("edges", n);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ variables at namespace scope, static and dynamic, used by a kernel and the functions it calls.
#include <cstdio>

__shared__ int values[32];
extern __shared__ float dynamicValues[];
namespace inner {
__shared__ struct { int lo, hi; } range;
}

__device__ void fill(int k) {
  values[threadIdx.x] = (threadIdx.x * k) % 32;
  dynamicValues[threadIdx.x] = values[threadIdx.x] * 0.5f;
}

__global__ void k(float* out) {
  fill(blockIdx.x * 2 + 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    inner::range.lo = values[1];
    inner::range.hi = values[31];
  }
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] =
      dynamicValues[31 - threadIdx.x] + 100 * inner::range.lo + 10000 * inner::range.hi;
}

int main() {
  float* out;
  cudaMallocManaged(&out, 8 * 32 * sizeof(float));
  k<<<8, 32, 32 * sizeof(float)>>>(out);
  cudaDeviceSynchronize();
  for (int b = 0; b < 8; ++b)
    printf("%.1f %.1f\n", out[b * 32], out[b * 32 + 31]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums by the whole grid in which a block takes two rows side by side in each step, and leaves the next two to the block
// behind it: what that one will load may be fetched meanwhile, also where its steps end earlier.
#include <cfloat>
#include <cstdio>

#include <cuda_runtime.h>

constexpr int threads = 128, most = 16;

template <class Type> __global__ void pairs(const Type* x, int n, double* sum, float* largest) {
  __shared__ double sums[threads];
  __shared__ float maxima[threads];
  const int t = threadIdx.x;
  double s = 0;
  float m = -FLT_MAX;
  for (int i = blockIdx.x * (blockDim.x * 2) + t; i < n; i += blockDim.x * 2 * gridDim.x) {
    s += x[i];
    m = fmaxf(m, x[i]);
    if (i + (int)blockDim.x < n) {
      s += x[i + blockDim.x] * 0.5;
      m = fmaxf(m, x[i + blockDim.x]);
    }
  }
  sums[t] = s;
  maxima[t] = m;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) {
      sums[t] += sums[t + d];
      maxima[t] = fmaxf(maxima[t], maxima[t + d]);
    }
    __syncthreads();
  }
  if (t == 0) {
    sum[blockIdx.x] = sums[0];
    largest[blockIdx.x] = maxima[0];
  }
}

template <class Type> void run(const char* name, int n, int blocks) {
  Type* x;
  double* sum;
  float* largest;
  cudaMallocManaged(&x, n * sizeof(Type));
  cudaMallocManaged(&sum, most * sizeof(double));
  cudaMallocManaged(&largest, most * sizeof(float));
  for (int i = 0; i < n; ++i)
    x[i] = Type((i * 37 + i / 11) % 101 - 20);
  pairs<<<blocks, threads>>>(x, n, sum, largest);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b)
    printf("%s %d/%d: %.1f %g\n", name, n, b, sum[b], largest[b]);
  cudaFree(x);
  cudaFree(sum);
  cudaFree(largest);
}

int main() {
  run<float>("float", 2 * threads * 5 * 13 + 77, 5);
  run<float>("float", 2 * threads * most * 8 + 3 * threads, most);
  run<float>("float", 200, 3);
  run<double>("double", 2 * threads * 7 * 9 - 1, 7);
  run<short>("short", 2 * threads * 4 * 12 + 130, 4);
  return 0;
}

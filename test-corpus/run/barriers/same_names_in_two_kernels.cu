// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with the same local names, different types and lifetimes, one overloaded and one in a namespace and a class.
#include <cstdio>

__global__ void k(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  int v = out[t];
  s[t] = v;
  __syncthreads();
  v += s[31 - t];
  __syncthreads();
  out[t] = v;
}

__global__ void k(float* out) {
  __shared__ float s[32];
  int t = 31 - threadIdx.x;
  float v = out[t];
  s[t] = v;
  __syncthreads();
  v *= s[31 - t];
  __syncthreads();
  out[t] = v;
}

namespace other {
__global__ void k(int* out) {
  __shared__ short s[32];
  unsigned t = threadIdx.x ^ 1;
  long long v = out[t];
  s[t] = v % 1000;
  __syncthreads();
  v -= s[31 - t];
  __syncthreads();
  out[t] = v;
}
} // namespace other

__global__ void scaled(int* out, int v) {
  __shared__ int s[32];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  v += s[31 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = v;
}

int main() {
  int* a;
  float* b;
  cudaMallocManaged(&a, 32 * sizeof(int));
  cudaMallocManaged(&b, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i)
    a[i] = i * i, b[i] = i * 0.5f + 1;
  k<<<1, 32>>>(a);
  k<<<1, 32>>>(b);
  other::k<<<1, 32>>>(a);
  scaled<<<1, 32>>>(a, 7);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < 32; ++i) {
    const int v = i * i + (31 - i) * (31 - i);
    bad += a[i] != 7 + v - v % 1000;
    bad += b[i] != (i * 0.5f + 1) * ((31 - i) * 0.5f + 1);
  }
  printf("wrong: %d; %d %d %.2f %.2f\n", bad, a[0], a[31], b[0], b[31]);
  return bad != 0;
}

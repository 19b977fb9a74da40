// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ variables inside device functions and templates: one copy a block, one for each instantiation.
#include <cstdio>

__device__ int* scratch() {
  __shared__ int buffer[64];
  return buffer;
}

template <int Id> __device__ int& counter() {
  __shared__ int value;
  return value;
}

__device__ int exchange(int v) {
  int* s = scratch();
  s[threadIdx.x] = v;
  __syncthreads();
  int r = s[63 - threadIdx.x];
  __syncthreads();
  return r;
}

__global__ void k(int* out) {
  if (threadIdx.x == 0) {
    counter<1>() = 10 * blockIdx.x;
    counter<2>() = 1000;
  }
  __syncthreads();
  atomicAdd(&counter<1>(), 1);
  atomicAdd(&counter<2>(), int(threadIdx.x));
  int v = exchange(threadIdx.x + blockIdx.x);
  v += exchange(v);
  out[blockIdx.x * 66 + threadIdx.x] = v;
  if (threadIdx.x == 63) {
    out[blockIdx.x * 66 + 64] = counter<1>();
    out[blockIdx.x * 66 + 65] = counter<2>();
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 20 * 66 * sizeof(int));
  k<<<20, 64>>>(out);
  cudaDeviceSynchronize();
  for (int b : {0, 7, 19})
    printf("%d %d %d %d\n", out[b * 66], out[b * 66 + 63], out[b * 66 + 64], out[b * 66 + 65]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module: kernels by plain and by mangled names, variables, shared memory.
__constant__ int factors[4];
__device__ int total = 5;

extern "C" __global__ void scale(int* data, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factors[which];
}

template <typename T> __global__ void fill(T* data, T value) { data[threadIdx.x] = value; }
template __global__ void fill<float>(float*, float);

__global__ void reverse(int* data) {
  __shared__ int copy[64];
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[63 - threadIdx.x];
  if (threadIdx.x == 0)
    total += 1;
}

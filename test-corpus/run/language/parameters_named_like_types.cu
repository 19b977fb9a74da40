// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parameter with the name of a built-in type; a kernel template that waits through its function parameter.
#include <cstdio>

__global__ void fill(int* out, int dim1, int dim2, int dim3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < dim1 * dim2)
    out[i] = i % dim2 * dim3 + int(gridDim.x);
}

using Step = void (*)(int*);
template <Step step> __global__ void apply(int* out) { step(out); }
__device__ void turn(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  fill<<<2, 32>>>(out, 8, 8, 5);
  apply<turn><<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One macro writes several kernels, which are launched with blocks of different sizes, wait or do not, and name different built-in variables.
#include <cstdio>

#define FOR_EACH_OF(i, n)                                                                          \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)
#define DEFINE_MAP(name, T, expression)                                                            \
  __global__ void name(T* values, int n) {                                                         \
    FOR_EACH_OF(i, n) {                                                                            \
      T x = values[i];                                                                             \
      values[i] = (expression);                                                                    \
    }                                                                                              \
  }
DEFINE_MAP(square, int, x* x)
DEFINE_MAP(negate, float, -x + .5f)
DEFINE_MAP(shift, int, x + 3)

#define DEFINE_KERNEL(name, expression)                                                            \
  __global__ void name(int* values) {                                                              \
    int i = threadIdx.x;                                                                           \
    values[i] = (expression);                                                                      \
  }
__device__ int neighbour(int v) { return __shfl_xor_sync(0xffffffff, v, 1); }
DEFINE_KERNEL(place, blockDim.x * 100 + i)
DEFINE_KERNEL(swap, neighbour(values[i]))
DEFINE_KERNEL(plain, i * 7)

#define DEFINE_INDEX(name, expression)                                                             \
  __device__ int name(int k) {                                                                     \
    return k + (expression);                                                                       \
  }
DEFINE_INDEX(withThread, threadIdx.x)
DEFINE_INDEX(withBlock, blockIdx.x * 1000)
__global__ void indices(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = withThread(1) + withBlock(2);
}
__global__ void blocks(int* values) {
  values[blockIdx.x] = withBlock(2);
}

int main() {
  int *ints, host[64];
  float *floats, results[64];
  cudaMalloc(&ints, sizeof(host));
  cudaMalloc(&floats, sizeof(results));
  for (int i = 0; i < 64; ++i) {
    host[i] = i;
    results[i] = i;
  }
  cudaMemcpy(ints, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(floats, results, sizeof(results), cudaMemcpyHostToDevice);
  square<<<2, 20>>>(ints, 64);
  shift<<<1, 64>>>(ints, 64);
  negate<<<4, 8>>>(floats, 64);
  cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(results, floats, sizeof(results), cudaMemcpyDeviceToHost);
  printf("%d %d %g %g\n", host[1], host[63], results[0], results[63]);
  place<<<1, 64>>>(ints);
  swap<<<1, 64>>>(ints);
  cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[63]);
  plain<<<1, 32>>>(ints);
  cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[31], host[32]);
  blocks<<<20, 1>>>(ints);
  cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[19]);
  indices<<<2, 32>>>(ints);
  cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d %s\n", host[0], host[63], cudaGetErrorName(cudaGetLastError()));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device assert that fails ends the context: the error is cudaErrorAssert, it is sticky, and later calls return it too.
#include <cassert>
#include <cstdio>

__global__ void k(int* x, int limit) {
  assert(int(threadIdx.x) < limit);
  x[threadIdx.x] = 1;
}

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  k<<<1, 32>>>(x, 32);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  k<<<1, 32>>>(x, 31);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  int host;
  printf("%s\n", cudaGetErrorName(cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost)));
  void* p;
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, 100)));
  return 0;
}

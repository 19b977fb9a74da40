// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of launches and of asynchronous work are told apart by cudaPeekAtLastError and the next synchronisation ('Error Checking').
#include <cstdio>

__global__ void MyKernel(int* p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] = n;
}

int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaGetLastError();  // error state starts clean
  MyKernel<<<1, 64>>>(p, 10);
  cudaError_t launch = cudaPeekAtLastError();
  cudaError_t work = cudaDeviceSynchronize();
  printf("%s %s\n", cudaGetErrorName(launch), cudaGetErrorString(work));
  MyKernel<<<1, 4096>>>(p, 10);
  launch = cudaPeekAtLastError();
  work = cudaDeviceSynchronize();
  printf("%s %s\n", cudaGetErrorName(launch), cudaGetErrorName(work));
  printf("%s: %s\n", cudaGetErrorName(cudaGetLastError()), cudaGetErrorString(launch));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

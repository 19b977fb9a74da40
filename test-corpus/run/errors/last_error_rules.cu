// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch errors show in cudaGetLastError, which clears them; cudaPeekAtLastError does not; good calls do not clear.
#include <cstdio>

__global__ void k(int* x) { *x += 1; }
#define SHOW(call) printf("%-45s %s\n", #call, cudaGetErrorName(call))

int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  k<<<1, 2048>>>(x);
  SHOW(cudaPeekAtLastError());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  k<<<0, 1>>>(x);
  SHOW(cudaGetLastError());
  k<<<1, 0>>>(x);
  SHOW(cudaGetLastError());
  k<<<1, dim3(1, 1, 65)>>>(x);
  SHOW(cudaGetLastError());
  k<<<dim3(1, 65536), 1>>>(x);
  SHOW(cudaGetLastError());
  k<<<1, 1, 1 << 20>>>(x);
  SHOW(cudaGetLastError());
  k<<<1, 1>>>(x);
  SHOW(cudaGetLastError());
  int v = -1;
  SHOW(cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost));
  printf("%d\n", v);
  SHOW(cudaSetDevice(4000));
  SHOW(cudaMalloc(nullptr, 10));
  SHOW(cudaPeekAtLastError());
  SHOW(cudaFree(nullptr));
  SHOW(cudaGetLastError());
  SHOW(cudaStreamSynchronize(0));
  for (int e : {0, 1, 2, 3, 9, 35, 98, 100, 101, 400, 600, 700, 719, 801, 999})
    printf("%d %s: %s\n", e, cudaGetErrorName((cudaError_t)e), cudaGetErrorString((cudaError_t)e));
  return 0;
}

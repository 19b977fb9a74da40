// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that writes through a null pointer ends with an error that stays; the program goes on.
#include <cstdio>

__global__ void store(int* data, int value) { data[threadIdx.x] = value; }

#define SHOW(call) printf("%-64s %s\n", #call, cudaGetErrorName(call))

int main() {
  int host[32];
  int* data;
  void* more = nullptr;
  cudaMalloc(&data, sizeof host);
  store<<<1, 32>>>(data, 5);
  SHOW(cudaGetLastError());
  SHOW(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d\n", host[31]);
  store<<<1, 32>>>(nullptr, 6);
  SHOW(cudaGetLastError());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  SHOW(cudaMalloc(&more, 16));
  store<<<1, 32>>>(data, 7);
  SHOW(cudaGetLastError());
  SHOW(cudaFree(data));
  printf("%d\n", host[31]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bad arguments of stream, event and copy functions return CUDA's error codes and leave the program running.
#include <cstdio>

#define SHOW(call) printf("%-62s %s\n", #call, cudaGetErrorName(call))

int main() {
  int* p;
  int host[4] = {1, 2, 3, 4};
  cudaMalloc(&p, 4 * sizeof(int));
  cudaStream_t s;
  cudaEvent_t e, plain;
  SHOW(cudaStreamCreate(&s));
  SHOW(cudaEventCreate(&e));
  SHOW(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  SHOW(cudaEventCreateWithFlags(&plain, 0x4000));
  SHOW(cudaStreamCreateWithFlags(&s, 0x80));
  SHOW(cudaStreamCreate(nullptr));
  SHOW(cudaEventRecord(nullptr, s));
  SHOW(cudaEventSynchronize(nullptr));
  SHOW(cudaEventSynchronize(e));
  SHOW(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
  SHOW(cudaMemset(nullptr, 0, 4));
  SHOW(cudaMallocHost(nullptr, 4));
  SHOW(cudaFreeHost(host));
  SHOW(cudaGetDevice(nullptr));
  SHOW(cudaSetDevice(-1));
  int v;
  SHOW(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)100000, 0));
  SHOW(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
  SHOW(cudaDeviceSetLimit((cudaLimit)77, 1));
  cudaGetLastError();
  SHOW(cudaPeekAtLastError());
  return 0;
}

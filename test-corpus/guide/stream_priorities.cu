// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams with the highest and the lowest priority; the priority reads back and the work is right ('Stream Priorities').
#include <cstdio>

__global__ void add(int* x, int v) { atomicAdd(x, v); }

int main() {
  int priority_high, priority_low;
  cudaDeviceGetStreamPriorityRange(&priority_low, &priority_high);
  printf("high is not above low: %d\n", priority_high <= priority_low);
  cudaStream_t st_high, st_low;
  cudaStreamCreateWithPriority(&st_high, cudaStreamNonBlocking, priority_high);
  cudaStreamCreateWithPriority(&st_low, cudaStreamNonBlocking, priority_low);
  int high = 99, low = 99;
  unsigned flags = 99;
  cudaStreamGetPriority(st_high, &high);
  cudaStreamGetPriority(st_low, &low);
  cudaStreamGetFlags(st_high, &flags);
  printf("reads back: %d %d, flags %u\n", high == priority_high, low == priority_low, flags);
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 0;
  for (int i = 0; i < 10; ++i) {
    add<<<10, 10, 0, st_low>>>(x, 1);
    add<<<10, 10, 0, st_high>>>(x, 1000);
  }
  cudaDeviceSynchronize();
  printf("sum %d\n", *x);
  return 0;
}

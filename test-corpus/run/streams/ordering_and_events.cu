// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain over three non-blocking streams held together by events only: each step needs the step before.
#include <cstdio>

__global__ void step(int* x, int add, int spin) {
  volatile int waste = 0;
  for (int i = 0; i < spin; ++i)
    waste = waste + 1;
  *x = *x * 3 % 100003 + add;
}

int main() {
  cudaStream_t s[3];
  cudaEvent_t e[3];
  for (int i = 0; i < 3; ++i) {
    cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming);
  }
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 1;
  int want = 1;
  for (int i = 0; i < 60; ++i) {
    cudaStreamWaitEvent(s[i % 3], e[(i + 2) % 3], 0);  // an event never recorded counts as done
    step<<<1, 1, 0, s[i % 3]>>>(x, i, i % 7 * 200);
    cudaEventRecord(e[i % 3], s[i % 3]);
    want = want * 3 % 100003 + i;
  }
  cudaEventSynchronize(e[59 % 3]);
  printf("%d %d %s\n", *x, *x == want, cudaGetErrorName(cudaEventQuery(e[2])));
  float ms;
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, e[0], e[1])));
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i)
    printf("%s ", cudaGetErrorName(cudaStreamQuery(s[i])));
  for (int i = 0; i < 3; ++i)
    printf("%s ", cudaGetErrorName(cudaStreamDestroy(s[i])));
  printf("\n");
  return *x != want;
}

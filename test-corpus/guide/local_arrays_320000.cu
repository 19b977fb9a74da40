// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 320,000 bytes of local arrays a thread, no barrier; the limit is asked for first ('Call Stack'). A GPU sets the
// memory of all resident threads aside, so that this needs one with more than 90 GB.
#include <cstdio>

__global__ void big(unsigned* out, unsigned n) {
  double a[40000];
  for (unsigned i = 0; i < 40000; ++i)
    a[i] = (i * n + threadIdx.x) % 1000;
  unsigned sum = 0;
  for (unsigned i = 0; i < 40000; ++i)
    sum = sum * 17 + unsigned(a[(i * 7919u) % 40000]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  size_t before = 0, after = 0;
  cudaDeviceGetLimit(&before, cudaLimitStackSize);
  printf("default is small: %d\n", before < 320000);
  if (cudaDeviceSetLimit(cudaLimitStackSize, 330000) != cudaSuccess)
    return 1;
  cudaDeviceGetLimit(&after, cudaLimitStackSize);
  printf("raised: %d\n", after >= 330000);
  unsigned *out, host[12];
  cudaMalloc(&out, sizeof host);
  big<<<3, 4>>>(out, 123457);
  printf("%s\n", cudaGetErrorName(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)));
  for (unsigned x : host)
    printf("%u\n", x);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy default stream waits for blocking streams and they wait for it; work in between is seen in order.
#include <cstdio>

__global__ void slowSet(int* x, int v) {
  volatile int waste = 0;
  for (int i = 0; i < 20000; ++i)
    waste = waste + 1;
  *x = v + (waste < 0);
}
__global__ void copy(int* to, const int* from) { *to = *from; }

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  int* x;
  cudaMallocManaged(&x, 8 * sizeof(int));
  for (int i = 0; i < 8; ++i)
    x[i] = -1;
  slowSet<<<1, 1, 0, a>>>(x, 10);
  copy<<<1, 1>>>(x + 1, x);            // default: after a
  slowSet<<<1, 1>>>(x, 20);            // default
  copy<<<1, 1, 0, b>>>(x + 2, x);      // b: after the default stream
  slowSet<<<1, 1, 0, b>>>(x + 3, 30);
  cudaMemcpyAsync(x + 4, x + 3, sizeof(int), cudaMemcpyDefault, 0);
  cudaMemcpyAsync(x + 5, x + 4, sizeof(int), cudaMemcpyDefault, a);
  cudaStreamSynchronize(a);
  printf("%d %d %d %d %d %d\n", x[0], x[1], x[2], x[3], x[4], x[5]);
  cudaStreamSynchronize(cudaStreamLegacy);
  cudaDeviceSynchronize();
  return 0;
}

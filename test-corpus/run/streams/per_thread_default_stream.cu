// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --default-stream per-thread: stream 0 is the calling thread's own; two host threads each see their own order.
// FLAGS: --default-stream per-thread
#include <cstdio>
#include <thread>

__global__ void step(int* x, int v) { *x = *x * 2 + v; }

void work(int* x, int first) {
  for (int i = 0; i < 20; ++i)
    step<<<1, 1>>>(x, (first + i) % 3);
  cudaStreamSynchronize(cudaStreamPerThread);
}

int main() {
  int* x;
  cudaMallocManaged(&x, 2 * sizeof(int));
  x[0] = x[1] = 0;
  std::thread a(work, x, 0), b(work, x + 1, 1);
  a.join();
  b.join();
  cudaDeviceSynchronize();
  printf("%d %d\n", x[0], x[1]);
  return 0;
}

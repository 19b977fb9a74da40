// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thirty-two streams, each with a chain of dependent kernels, joined by events into one; every chain keeps its order.
#include <cstdio>
#include <vector>

__global__ void chain(unsigned* x, int n, unsigned k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 1664525u + k;
}
__global__ void fold(unsigned* x, int streams, int n, unsigned* out) {
  unsigned h = 0;
  for (int i = 0; i < streams * n; ++i)
    h = h * 31 + x[i];
  *out = h;
}

int main() {
  const int streams = 32, n = 100;
  unsigned *x, *out;
  cudaMallocManaged(&x, streams * n * sizeof(unsigned));
  cudaMallocManaged(&out, sizeof(unsigned));
  for (int i = 0; i < streams * n; ++i)
    x[i] = i;
  cudaDeviceSynchronize();
  std::vector<cudaStream_t> s(streams);
  cudaStream_t join;
  cudaStreamCreateWithFlags(&join, cudaStreamNonBlocking);
  for (auto& one : s)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (unsigned step = 0; step < 12; ++step)
    for (int i = 0; i < streams; ++i)
      chain<<<4, 32, 0, s[i]>>>(x + i * n, n, step + i);
  for (auto& one : s) {
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync);
    cudaEventRecord(e, one);
    cudaStreamWaitEvent(join, e, 0);
    cudaEventDestroy(e);  // the wait stays
  }
  fold<<<1, 1, 0, join>>>(x, streams, n, out);
  cudaStreamSynchronize(join);
  unsigned want = 0;
  for (int i = 0; i < streams * n; ++i) {
    unsigned v = i;
    for (unsigned step = 0; step < 12; ++step)
      v = v * 1664525u + step + i / n;
    want = want * 31 + v;
  }
  printf("%u %d\n", *out, *out == want);
  return *out != want;
}

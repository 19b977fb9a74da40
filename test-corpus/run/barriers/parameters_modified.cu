// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters that a kernel changes: uniformly, per thread, pointers, structs, before and after barriers and in loops.
#include <cstdio>

struct Range {
  int from, to;
};

__global__ void k(const int* in, int* out, int n, int m, float scale, Range range) {
  __shared__ int s[32];
  in += blockIdx.x * 32;
  out += blockIdx.x * 32 + threadIdx.x;
  n -= 2;
  s[threadIdx.x] = in[threadIdx.x] + n;
  m += threadIdx.x;
  __syncthreads();
  for (; n > 0; n -= 3) {
    m += s[(threadIdx.x + n) % 32];
    __syncthreads();
    s[threadIdx.x] += n;
    scale *= 0.5f;
    __syncthreads();
  }
  if (threadIdx.x & 1)
    scale = 8;
  range.from += m % 10;
  __syncthreads();
  range.to -= range.from;
  if (m > 100)
    m = 100 + n;
  __syncthreads();
  *out = m * 10 + n + int(scale * 1024) + range.to * 100000;
  out = nullptr;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 96 * sizeof(int));
  cudaMallocManaged(&out, 96 * sizeof(int));
  for (int i = 0; i < 96; ++i)
    in[i] = i % 11;
  for (int n : {1, 9, 20}) {
    k<<<3, 32>>>(in, out, n, 5, 1.0f, Range{3, 50});
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 96; ++i)
      sum += (long long)out[i] * (i + 1);
    printf("%d: %d %d %d %lld\n", n, out[0], out[33], out[95], sum);
  }
  return 0;
}

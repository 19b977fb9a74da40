// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp skips the rest of a loop's step, or leaves it, by its own vote where the block meets before.
#include <cstdio>

__global__ void skips(const int* in, int* out, int n) {
  __shared__ int s[128];
  int sum = 0, found = 0;
  for (int i = threadIdx.x; i < n; i += 128) {
    const int value = in[i];
    if (n > 3) {
      s[threadIdx.x] = value;
      __syncthreads();
      found += s[127 - threadIdx.x] > 5;
      __syncthreads();
    }
    if (!__any_sync(0xffffffff, value > 90)) {
      continue;
    }
    sum += value;
  }
  out[threadIdx.x] = sum + 1000 * found;
}

__global__ void skipsAtOnce(const int* in, int* out, int n) {
  __shared__ int s[128];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    const int other = s[127 - threadIdx.x];
    __syncthreads();
    if (__all_sync(0xffffffff, other < 90))
      continue;
    sum += other;
  }
  out[threadIdx.x] = sum;
}

int main() {
  constexpr int n = 1024;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 128 * sizeof *out);
  for (int i = 0; i < n; ++i)
    in[i] = i * 37 % 93;
  for (int which = 0; which < 2; ++which) {
    (which ? skipsAtOnce : skips)<<<1, 128>>>(in, out, n);
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < 128; ++i)
      hash = hash * 31 + out[i];
    printf("%u: %d %d %d, %s\n", hash, out[0], out[40], out[127], cudaGetErrorString(cudaGetLastError()));
  }
  return 0;
}

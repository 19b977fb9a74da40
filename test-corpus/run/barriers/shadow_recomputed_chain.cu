// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index derived from others is used where inner variables have the names of those it was derived from.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  int base = blockIdx.x * blockDim.x;
  int j = base + (63 - i);
  s[i] = i;
  __syncthreads();
  for (int i = 1; i < n; ++i) {
    int base = i * 100;
    out[j] += base + s[(threadIdx.x + i) % 64];
    __syncthreads();
    s[threadIdx.x] += i + base;
    out[j] += i;
    __syncthreads();
  }
  {
    float i = 0.5f;
    s[threadIdx.x] += int(i * 4);
    __syncthreads();
    out[j] += s[63 - threadIdx.x] + int(i * 10);
  }
  out[j] += i;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i)
    out[i] = 0;
  k<<<2, 64>>>(out, 4);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 64; ++t) {
      int want = 0, added = 0;
      for (int i = 1; i < 4; ++i) {
        want += i * 100 + (t + i) % 64 + added + i;
        added += i * 101;
      }
      want += (63 - t) + added + 2 + 5 + t;
      bad += out[b * 64 + 63 - t] != want;
    }
  printf("wrong: %d; %d %d\n", bad, out[0], out[127]);
  return bad != 0;
}

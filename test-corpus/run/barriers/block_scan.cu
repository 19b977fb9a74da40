// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-efficient exclusive scan (up-sweep and down-sweep) with bank padding macros and several blocks.
#include <cstdio>

#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

__global__ void scan(int* out, const int* in, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x;
  int base = blockIdx.x * n;
  int ai = t, bi = t + n / 2;
  temp[PAD(ai)] = in[base + ai];
  temp[PAD(bi)] = in[base + bi];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = PAD(offset * (2 * t + 1) - 1);
      int b = PAD(offset * (2 * t + 2) - 1);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (t == 0)
    temp[PAD(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = PAD(offset * (2 * t + 1) - 1);
      int b = PAD(offset * (2 * t + 2) - 1);
      int x = temp[a];
      temp[a] = temp[b];
      temp[b] += x;
    }
  }
  __syncthreads();
  out[base + ai] = temp[PAD(ai)];
  out[base + bi] = temp[PAD(bi)];
}

int main() {
  const int n = 512, blocks = 9;
  int *in, *out;
  cudaMallocManaged(&in, n * blocks * sizeof(int));
  cudaMallocManaged(&out, n * blocks * sizeof(int));
  for (int i = 0; i < n * blocks; ++i)
    in[i] = (i * 31) % 17;
  scan<<<blocks, n / 2, (n + n / 32) * sizeof(int)>>>(out, in, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    for (int i = 0, want = 0; i < n; want += in[b * n + i++])
      wrong += out[b * n + i] != want;
  printf("%d %d wrong %d\n", out[n - 1], out[n * blocks - 1], wrong);
  return wrong != 0;
}

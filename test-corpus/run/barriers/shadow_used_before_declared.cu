// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name is used in a region before an inner variable of the same name is declared there; both live across barriers.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int v = n * 2;      // the same for all
  int w = t * 3;      // one for each thread
  int sum = 0;
  s[t] = w;
  __syncthreads();
  for (int r = 0; r < n; ++r) {
    sum += v + s[(t + r) % 64];  // the outer v
    int v = s[(t + 1) % 64] + r; // per thread
    int u = w;                   // the outer w
    int w = r * 10;              // the same for all
    __syncthreads();
    s[t] = v + w + u;
    __syncthreads();
    sum += v - w;
  }
  out[t] = sum + v * 1000 + w;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out, 3);
  cudaDeviceSynchronize();
  int s[64], sum[64] = {}, bad = 0;
  for (int t = 0; t < 64; ++t)
    s[t] = t * 3;
  for (int r = 0; r < 3; ++r) {
    int v[64], next[64];
    for (int t = 0; t < 64; ++t) {
      sum[t] += 6 + s[(t + r) % 64];
      v[t] = s[(t + 1) % 64] + r;
      next[t] = v[t] + r * 10 + t * 3;
      sum[t] += v[t] - r * 10;
    }
    for (int t = 0; t < 64; ++t)
      s[t] = next[t];
  }
  for (int t = 0; t < 64; ++t)
    bad += out[t] != sum[t] + 6000 + t * 3;
  printf("wrong: %d; %d %d\n", bad, out[0], out[63]);
  return bad != 0;
}

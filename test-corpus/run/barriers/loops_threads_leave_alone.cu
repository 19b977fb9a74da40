// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Near misses: divergent loops next to barriers, a loop left by threads one by one that meet at a barrier behind it, and
// a return inside such a loop.
#include <cstdio>

__global__ void k(int* out, const int* in, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  int steps = 0;
  for (int x = in[t]; x != 1; x = x & 1 ? 3 * x + 1 : x / 2) {
    if (++steps > n)
      break;
    if (x % 3 == 0)
      continue;
    atomicAdd(&s[x % 64], 1);
  }
  __syncthreads();
  int here = s[t];
  for (int i = 0; i < 64; ++i) {
    if (s[i] > 40 && i > t && n < 5)
      return;
    here += s[i] * i;
  }
  int j = 0;
  while (j < t % 5)
    ++j;
  __syncthreads();
  s[t] = steps * 10 + j;
  __syncthreads();
  for (int r = 0; r < 3; ++r) {
    for (int i = t; i < 64; i += 7) {
      here += s[i];
      if (here & 1)
        break;
    }
    __syncthreads();
    s[t] += r;
    __syncthreads();
  }
  out[t] = here + s[63 - t];
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&in, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i + 1;
  for (int n : {4, 100}) {
    for (int i = 0; i < 64; ++i)
      out[i] = -1;
    k<<<1, 64>>>(out, in, n);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += (long long)out[i] * (i + 1);
    printf("%d: %d %d %d %lld\n", n, out[0], out[26], out[63], sum);
  }
  return 0;
}

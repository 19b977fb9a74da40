// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform at first sight only: changed under a thread's own condition, by a thread's own loop, behind its break, or via &&.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int a = n, b = n, c = n, d = n, e = 0, f = n;
  if (t % 3 == 0)
    a = 7;
  for (int i = 0; i < t; ++i)
    b += 2;
  int j;
  for (j = 0; j < n; ++j) {
    if (j == t)
      break;
    c += 3;
  }
  for (int i = 0; i < n; ++i) {
    if (i < t)
      continue;
    d += i;
  }
  (void)(t > 40 && (e = 5));
  t & 1 ? f = 1 : f = 2;
  s[t] = a + b;
  __syncthreads();
  int sum = a * 2 + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + j * 17;
  __syncthreads();
  s[t] += sum;
  if (t > 60)
    a = t;
  do {
    --b;
  } while (b > t + n);
  while (c > 20 + t % 5)
    c -= 2;
  switch (t % 4) {
  case 1:
    d = 1;
    break;
  case 2:
    d += 2;
  default:
    d += 3;
  }
  __syncthreads();
  out[t] = s[63 - t] + a + b * 100 + c * 1000 + d * 10000;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int n : {3, 10}) {
    k<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < 64; ++t)
      sum += (long long)out[t] * (t + 1);
    printf("%d: %d %d %d %d %lld\n", n, out[0], out[1], out[41], out[63], sum);
  }
  return 0;
}

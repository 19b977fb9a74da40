// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers of loops with barriers: commas, several variables, none, a variable from outside, changes in the body, zero trips.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const unsigned t = threadIdx.x;
  int sum = 0;
  int i;
  int last = 0;
  s[t] = t;
  __syncthreads();
  for (int a = 0, b = n; a < b; ++a, b -= 2) {
    sum += s[(t + a) % 64] * b;
    __syncthreads();
    s[t] += a + b;
    __syncthreads();
  }
  for (i = 0; i < n; i += 3) {
    int index = (t + i) % 64;
    int taken = s[index];
    __syncthreads();
    s[index] = taken + i;
    i += 2;
    __syncthreads();
    sum += s[index];
    i -= 1;
    sum += i;
  }
  last = i;
  for (int z = n; z < n; ++z) {
    sum += 1000000;
    __syncthreads();
  }
  for (;;) {
    sum += last;
    __syncthreads();
    if (--last < n / 2)
      break;
    s[t] = sum;
    __syncthreads();
  }
  unsigned width = 64;
  while (width >>= 1)
    sum += width;
  while (width < 3) {
    ++width;
    __syncthreads();
    s[t] += width;
    __syncthreads();
  }
  for (int c = 1, d = 1; c < 50;) {
    int next = c + d;
    s[t] += d;
    __syncthreads();
    c = d;
    d = next;
    sum += s[63 - t] % (c + 1);
    __syncthreads();
  }
  out[t] = sum + i * 100000 + s[(t + 5) % 64];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int n : {0, 1, 7, 12}) {
    k<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < 64; ++t)
      sum += (long long)out[t] * (t + 1);
    printf("%d: %d %d %lld\n", n, out[0], out[63], sum);
  }
  return 0;
}

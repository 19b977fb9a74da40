// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work guarded by the thread index before, between and after barriers that all threads reach.
#include <cstdio>

__global__ void k(int* out) {
  __shared__ int a[96], total;
  int t = threadIdx.x;
  if (t < 32)
    a[t] = t + 1;
  else if (t < 64)
    a[t] = -t;
  else
    a[t] = 7 * t;
  __syncthreads();
  int v = 0;
  if (t == 95) {
    total = 0;
    for (int i = 0; i < 96; ++i)
      total += a[i];
    v = 1000;
  }
  __syncthreads();
  if (t & 1)
    v += total;
  else
    v -= a[95 - t];
  __syncthreads();
  a[t] = v;
  __syncthreads();
  out[t] = a[(t * 5) % 96];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 96 * sizeof(int));
  k<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 96; ++i)
    printf("%d%c", out[i], i % 12 == 11 ? '\n' : ' ');
  return 0;
}

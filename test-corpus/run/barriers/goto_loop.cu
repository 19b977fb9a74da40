// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop made of goto around barriers, and a barrier behind a label reached from two places.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, i = 0, v = t;
  s[t] = t;
again:
  __syncthreads();
  v += s[(t + i) % 32];
  __syncthreads();
  s[t] = v % 101;
  if (++i < n)
    goto again;
  if (n % 2)
    goto finish;
  v = -v;
finish:
  __syncthreads();
  out[t] = v + s[31 - t];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int n : {1, 4, 7}) {
    k<<<1, 32>>>(out, n);
    cudaDeviceSynchronize();
    printf("%d: %d %d %d\n", n, out[0], out[13], out[31]);
  }
  return 0;
}

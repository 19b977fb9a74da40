// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform variables that change inside a nested uniform if or loop, and others computed from them, alive across barriers.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int x = 1;
  if (n > 3) {
    x = 5;
    if (n > 6)
      x += n;
  }
  int y = x + 1;
  int z = y * 2, last = z - x;
  for (int i = 0; i < n; ++i)
    last += i;
  s[t] = x + y + z;
  __syncthreads();
  int a = s[63 - t] + x * 10 + y * 100 + z * 1000;
  if (n & 1)
    y = -y;
  __syncthreads();
  s[t] = y;
  __syncthreads();
  out[t] = a + s[(t + 1) % 64] + x + z + last;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  int bad = 0;
  for (int n : {2, 5, 8, 9}) {
    k<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    int x = n > 3 ? 5 + (n > 6 ? n : 0) : 1, y = x + 1, z = y * 2, last = z - x + n * (n - 1) / 2;
    for (int t = 0; t < 64; ++t)
      bad += out[t] != x + y + z + x * 10 + y * 100 + z * 1000 + (n & 1 ? -y : y) + x + z + last;
    printf("%d: %d\n", n, out[17]);
  }
  printf("wrong: %d\n", bad);
  return bad != 0;
}

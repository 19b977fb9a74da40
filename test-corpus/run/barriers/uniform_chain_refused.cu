// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values computed from a uniform variable that changes in a nested statement; the names' order must not matter.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int x = 1;
  if (n > 3) {
    x = 5;
    s[t] = 1;
  }
  int y = x + 1;
  const int z = y * 2;
  int w;
  w = z + n;
  s[t] = t;
  __syncthreads();
  if (w > 20)
    return;
  int v = w + y;
  out[t] = s[63 - t] + x;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const int twice = i * 2;
    s[t] = twice + v;
    __syncthreads();
    if (twice == 6)
      v += 100;
    out[t] += s[(t + i) % 64] + x * y + z + w + v;
    __syncthreads();
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  int bad = 0;
  for (int n : {2, 5, 9}) {
    for (int i = 0; i < 64; ++i)
      out[i] = -7;
    k<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    const int x = n > 3 ? 5 : 1, y = x + 1, z = y * 2, w = z + n;
    for (int t = 0; t < 64; ++t) {
      int want = -7, v = w + y;
      if (w <= 20) {
        want = 63 - t + x;
        for (int i = 0; i < n; ++i) {
          const int shared = i * 2 + v;
          if (i == 3)
            v += 100;
          want += shared + x * y + z + w + v;
        }
      }
      bad += out[t] != want;
    }
    printf("%d: %d\n", n, out[3]);
  }
  printf("wrong: %d\n", bad);
  return bad != 0;
}

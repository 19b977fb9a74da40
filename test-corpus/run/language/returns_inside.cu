// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Early returns in kernels beside returns of lambdas, local structs and macros inside the same kernel.
#include <cstdio>

#define SKIP_UNLESS(c)                                                                             \
  if (!(c))                                                                                        \
  return

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  SKIP_UNLESS(i < n);
  auto half = [&](int v) {
    if (v % 2)
      return v * 3 + 1;
    return v / 2 + int(threadIdx.x);
  };
  struct Local {
    int base;
    __device__ int get(int v) const {
      if (v < 3)
        return base;
      return base + v;
    }
  };
  if (i == 5) {
    out[i] = -5;
    return;
  }
  for (int r = 0; r < 4; ++r) {
    out[i] += half(i + r) + Local{r}.get(i);
    if (out[i] > 60)
      return;
    switch (i & 3) {
    case 3:
      if (r == 2)
        return;
    }
  }
  out[i] += 1000;
  return;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    out[i] = 0;
  k<<<4, 8>>>(out, 29);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dim3 and uint3 as values: conversions, members set later, defaults of 1, uint3 from dim3, blocks from arithmetic.
#include <cstdio>

__global__ void k(unsigned* out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0)
    *out = gridDim.x + 10 * gridDim.y + 100 * gridDim.z + 1000 * blockDim.x + 10000 * blockDim.y + 100000 * blockDim.z;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, sizeof *out);
  auto show = [&](dim3 g, dim3 b) {
    *out = 0;
    k<<<g, b>>>(out);
    cudaDeviceSynchronize();
    printf("%06u\n", *out);
  };
  dim3 one, g(2), b;
  b.y = 4;
  show(one, one);
  show(g, b);
  uint3 u = {3, 2, 1};
  show(u, dim3(u.z, u.y));
  uint3 back = dim3(5, 6);
  printf("%u %u %u\n", back.x, back.y, back.z);
  int n = 100;
  float share = 0.05f;
  show((n + 31) / 32, int(n * share));
  show(dim3{1, 1, 2}, {2, 2});
  const size_t wide = 3;
  show(wide, dim3(wide, 1, 1));
  return 0;
}

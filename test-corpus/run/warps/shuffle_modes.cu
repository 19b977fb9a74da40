// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The four shuffles with every width: index, up, down, xor; lanes out of their segment keep their own value.
#include <cstdio>

__global__ void k(int* out) {
  int lane = threadIdx.x & 31, row = 0;
  for (int width = 32; width >= 2; width /= 2) {
    out[32 * row++ + lane] = __shfl_sync(0xffffffffu, lane * 10, 5, width);
    out[32 * row++ + lane] = __shfl_sync(0xffffffffu, lane * 10, lane + 3, width);
    out[32 * row++ + lane] = __shfl_up_sync(0xffffffffu, lane * 10, 3, width);
    out[32 * row++ + lane] = __shfl_down_sync(0xffffffffu, lane * 10, 3, width);
    out[32 * row++ + lane] = __shfl_xor_sync(0xffffffffu, lane * 10, 5, width);
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 25 * 32 * sizeof(int));
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int r = 0; r < 25; ++r)
    for (int i = 0; i < 32; ++i)
      printf("%d%c", out[r * 32 + i], i == 31 ? '\n' : ' ');
  return 0;
}

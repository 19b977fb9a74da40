// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two halves of a warp take different branches and shuffle, vote and synchronise under their own masks.
#include <cstdio>

__global__ void k(int* out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  int v;
  if (lane < 16) {
    v = __shfl_xor_sync(0x0000ffffu, lane, 15) * 100 + __popc(__ballot_sync(0x0000ffffu, lane % 3 == 0));
    s[lane] = v;
    __syncwarp(0x0000ffffu);
    v += s[15 - lane];
  } else {
    v = __shfl_down_sync(0xffff0000u, lane, 4);
    v = v * 10 + __any_sync(0xffff0000u, lane == 3);
    s[lane] = v;
    __syncwarp(0xffff0000u);
    v -= s[47 - lane];
    for (int i = 0; i < lane; ++i)
      v += i & 1;
  }
  __syncwarp();
  out[lane] = v + __shfl_sync(0xffffffffu, v, (lane + 16) % 32);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}

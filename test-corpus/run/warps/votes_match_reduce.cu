// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __all_sync, __any_sync, __ballot_sync, __match_any_sync, __match_all_sync, __reduce_*_sync and __activemask.
#include <cstdio>

__global__ void k(unsigned* out) {
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned* row = out + warp * 16;
  const unsigned full = 0xffffffffu;
  unsigned r[16] = {};
  r[0] = __all_sync(full, lane < 32) != 0;
  r[1] = __all_sync(full, lane < 31) != 0;
  r[2] = __any_sync(full, lane == 30) != 0;
  r[3] = __any_sync(full, lane > 40) != 0;
  r[4] = __ballot_sync(full, lane % (3 + warp) == 1);
  r[5] = __match_any_sync(full, lane / 5);
  int pred = -1;
  r[6] = __match_all_sync(full, warp, &pred);
  r[7] = pred != 0;
  r[8] = __match_all_sync(full, lane / 31, &pred);
  r[9] = pred != 0;
  r[10] = __reduce_add_sync(full, lane + warp);
  r[11] = unsigned(__reduce_min_sync(full, int(lane) - 20));
  r[12] = __reduce_max_sync(full, (lane * 7) % 32);
  r[13] = __reduce_and_sync(full, lane | 0x40) | __reduce_xor_sync(full, lane * 3) << 8;
  r[14] = __reduce_or_sync(full, 1u << (lane / 2));
  r[15] = __activemask();
  if (lane == 5 + warp * 9)
    for (int i = 0; i < 16; ++i)
      row[i] = r[i];
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 32 * sizeof(unsigned));
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}

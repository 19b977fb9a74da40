// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups: thread_block rank and sync, tiled_partition of 32, 8 and run-time size, shuffles and votes in a tile.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

template <class Group> __device__ int sumOf(Group g, int v) {
  for (int d = g.size() / 2; d > 0; d /= 2)
    v += g.shfl_down(v, d);
  return g.shfl(v, 0);
}

__device__ int sumShared(cg::thread_group g, int* scratch, int v) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    scratch[lane] = v;
    g.sync();
    if (lane < i)
      v += scratch[lane + i];
    g.sync();
  }
  return v;
}

__global__ void k(int* out) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int r = block.thread_rank();
  int a = sumOf(warp, r);
  int b = sumOf(tile, r);
  unsigned votes = tile.ballot(r % 3 == 0);
  int any = tile.any(r == 20), all = tile.all(r >= 8);
  int whole = sumShared(block, scratch, r);
  block.sync();
  cg::thread_group four = cg::tiled_partition(block, 4);
  int quarter = sumShared(four, scratch + r / 4 * 4, r * r);
  if (four.thread_rank() == 0)
    out[r / 4 * 8 + 7] = quarter;
  block.sync();
  if (r % 4 == 0) {
    int* row = out + r / 4 * 8;
    row[0] = a;
    row[1] = b;
    row[2] = int(votes);
    row[3] = any * 10 + all;
    row[4] = r == 0 ? whole : 0;
    row[5] = int(tile.meta_group_rank() * 100 + tile.meta_group_size());
    row[6] = int(warp.thread_rank() * 100 + tile.thread_rank());
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 16 * 8 * sizeof(int));
  k<<<1, dim3(16, 4)>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}

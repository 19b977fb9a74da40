// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a size known at run time: of blocks that they do not divide, of coalesced groups; a size
// of 64 ends the kernel.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void tiles(int* out, int size) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition(block, size);
  out[block.thread_rank()] = int(tile.thread_rank()) + 100 * int(tile.size());
  tile.sync();
  if (block.thread_rank() % 3 == 0) {
    cg::coalesced_group some = cg::coalesced_threads();
    cg::coalesced_group part = cg::tiled_partition(some, size);
    out[block.thread_rank()] += 10000 * int(part.size()) + 1000000 * int(part.thread_rank());
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int size = 1; size <= 64; size *= 2) {
    tiles<<<1, 52>>>(out, size);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d: %s\n", size, error == cudaSuccess ? "right" : "ended");
    if (error != cudaSuccess)
      break;
    for (int i = 0; i < 52; ++i)
      printf("%d%c", out[i], i % 13 == 12 ? '\n' : ' ');
  }
}

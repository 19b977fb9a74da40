// Tiles of a coalesced group are coalesced groups: ranks, shuffles, votes and their place among the
// parent's tiles; also of a part of a tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int t = threadIdx.x;
  int* mine = out + 4 * t;
  if (t % 3 != 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    const cg::coalesced_group quarter = cg::tiled_partition(active, 4);
    mine[0] = quarter.thread_rank() * 1000 + quarter.size() * 100 + quarter.meta_group_rank();
    mine[1] = quarter.shfl(t, 0) * 100 + quarter.meta_group_size();
    mine[2] = cg::reduce(quarter, t, cg::plus<int>()) * 10 + quarter.any(t == 10);
  }
  warp.sync();
  const auto half = cg::binary_partition(warp, t % 2 == 1);
  const auto pair = cg::tiled_partition(half, 2);
  mine[3] = pair.shfl_down(t, 1) * 10 + pair.thread_rank();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * 96 * sizeof(int));
  for (int i = 0; i < 4 * 96; ++i)
    out[i] = 0;
  tiles<<<1, 96>>>(out);
  printf("%d\n", cudaDeviceSynchronize());
  for (int t = 0; t < 96; ++t)
    printf("%d: %d %d %d %d\n", t, out[4 * t], out[4 * t + 1], out[4 * t + 2], out[4 * t + 3]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 1 to 512 threads of a block: ranks, shuffles, votes, sync, reduce and scans; tiles of tiles; blocks of several
// dimensions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

template <int Size> __global__ void wide(int* out) {
  __shared__ cg::block_tile_memory<512> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  const int t = block.thread_rank();
  int v = cg::reduce(tile, t, cg::plus<int>());
  v += tile.thread_rank() * 100000;
  const int last = tile.shfl(t, Size - 1);
  const int scan = cg::inclusive_scan(tile, 1 + t % 3);
  const int before = cg::exclusive_scan(tile, t % 5, cg::plus<int>());
  const bool any = tile.any(t == 300), all = tile.all(t < 256);
  tile.sync();
  const int greatest = cg::reduce(tile, (t * 37) % 501, cg::greater<int>());
  out[t] = v * 3 + last * 5 + scan * 7 + before * 11 + any * 13 + all * 17 + greatest * 19 +
           tile.meta_group_rank() * 23 + tile.meta_group_size() * 29 + tile.num_threads() * 31;
}

template <int Size> __global__ void narrow(int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  int v = cg::reduce(tile, t * t, cg::plus<int>());
  v = v * 3 + tile.shfl_xor(t, Size / 2) + tile.shfl_up(t, 1) * 5 + tile.shfl_down(t, 1) * 7;
  v += tile.match_any(t % 4) + tile.ballot(t % 3 == 0) * 11;
  int same = 0;
  v += tile.match_all(t / Size, same) * 13 + same;
  out[t] = v + tile.meta_group_rank() * 17 + tile.meta_group_size() * 19;
}

__global__ void nested(int* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  auto two = cg::tiled_partition<2>(eight);
  const int t = block.thread_rank();
  out[t] = cg::reduce(two, t, cg::plus<int>()) + cg::reduce(eight, t, cg::less<int>()) * 100 +
           two.meta_group_rank() * 10000 + two.meta_group_size() * 100000 + eight.meta_group_rank() * 1000000;
}

static void show(const char* name, const int* out, int n) {
  printf("%s %s:", name, cudaGetErrorName(cudaDeviceSynchronize()));
  unsigned long long hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 1000003 + unsigned(out[i]);
  printf(" %d %d %d %llx\n", out[0], out[n / 2 + 1], out[n - 1], hash);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 512 * sizeof *out);
  wide<64><<<1, 512>>>(out);
  show("64", out, 512);
  wide<128><<<1, 512>>>(out);
  show("128", out, 512);
  wide<256><<<1, 512>>>(out);
  show("256", out, 512);
  wide<512><<<1, 512>>>(out);
  show("512", out, 512);
  narrow<32><<<1, dim3(16, 6)>>>(out);
  show("32", out, 96);
  narrow<16><<<1, dim3(16, 6)>>>(out);
  show("16", out, 96);
  narrow<4><<<1, dim3(12, 8)>>>(out);
  show("4", out, 96);
  narrow<2><<<1, 96>>>(out);
  show("2", out, 96);
  narrow<1><<<1, 96>>>(out);
  show("1", out, 96);
  nested<<<1, 64>>>(out);
  show("nested", out, 64);
  return 0;
}

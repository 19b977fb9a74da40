// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups on fibers: ranks, tiles, coalesced groups, partitions, reductions and scans.
#include <gtest/gtest.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "block_on_fibers.h"

namespace cg = cooperative_groups;
using cu2cpp::tests::runOnFibers;

TEST(CooperativeGroups, BlockKnowsItsShape) {
  int arrived = 0;
  runOnFibers(dim3(4, 3, 5), [&](const uint3 threadIdx) {
    cg::thread_block block = cg::this_thread_block();
    EXPECT_EQ(60u, block.size());
    EXPECT_EQ(60u, cg::thread_block::num_threads());
    EXPECT_EQ(threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z), block.thread_rank());
    EXPECT_EQ(7u, block.group_index().x);
    EXPECT_EQ(threadIdx.z, block.thread_index().z);
    EXPECT_EQ(3u, block.group_dim().y);
    ++arrived;
    block.sync();
    EXPECT_EQ(60, arrived);
    cg::thread_group any = block;
    EXPECT_EQ(60u, any.size());
    EXPECT_EQ(block.thread_rank(), any.thread_rank());
    any.sync();
    cg::sync(block);
  });
}

TEST(CooperativeGroups, TilesOfEachSize) {
  runOnFibers(dim3(80), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x);
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    EXPECT_EQ(3u, warp.meta_group_size());
    EXPECT_EQ(unsigned(t / 32), warp.meta_group_rank());
    EXPECT_EQ(t / 32 * 32 + 9, warp.shfl(t, 9));
    const cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
    EXPECT_EQ(8u, eight.size());
    EXPECT_EQ(unsigned(t % 8), eight.thread_rank());
    EXPECT_EQ(unsigned(t / 8 % 4), eight.meta_group_rank());
    EXPECT_EQ(4u, eight.meta_group_size());
    EXPECT_EQ(0x81u, eight.ballot(t % 8 == 0 || t % 8 == 7));
    EXPECT_EQ(t ^ 5, eight.shfl_xor(t, 5));
    EXPECT_EQ(t % 8 < 6 ? t + 2 : t, eight.shfl_down(t, 2));
    EXPECT_EQ(t % 8 > 0 ? t - 1 : t, eight.shfl_up(t, 1));
    EXPECT_TRUE(eight.any(t % 8 == 3));
    EXPECT_FALSE(eight.all(t % 8 == 3));
    EXPECT_EQ(0x55u << t % 2, eight.match_any(t % 2));
    const auto one = cg::tiled_partition<1>(eight);
    EXPECT_EQ(t, one.shfl(t, 0));
    EXPECT_EQ(0u, one.thread_rank());
    const cg::thread_group dynamic = cg::tiled_partition(cg::this_thread_block(), 16);
    EXPECT_EQ(16u, dynamic.size());
    EXPECT_EQ(unsigned(t % 16), dynamic.thread_rank());
    dynamic.sync();
    const cg::thread_group quarter = cg::tiled_partition(dynamic, 4);
    EXPECT_EQ(4u, quarter.size());
    EXPECT_EQ(unsigned(t % 4), quarter.thread_rank());
    quarter.sync();
  });
}

TEST(CooperativeGroups, TilesOfOneWarpGoTheirOwnWays) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x);
    const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int sum = t;
    for (int round = 0; round <= t / 4; ++round) {
      sum = t;
      for (unsigned d = 1; d < 4; d *= 2)
        sum += tile.shfl_xor(sum, d);
    }
    EXPECT_EQ(t / 4 * 16 + 6, sum);
  });
}

TEST(CooperativeGroups, ShuffleOfAStruct) {
  struct Pair {
    double value;
    char index;
  };
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const Pair p = tile.shfl(Pair{threadIdx.x * 0.5, char(threadIdx.x)}, 3);
    EXPECT_EQ(char(threadIdx.x / 16 * 16 + 3), p.index);
    EXPECT_EQ(p.index * 0.5, p.value);
  });
}

TEST(CooperativeGroups, CoalescedThreadsOfABranch) {
  int counter = 0;
  runOnFibers(dim3(32), [&](const uint3 threadIdx) {
    const unsigned t = threadIdx.x;
    if (t % 3 == 1) { // lanes 1, 4, ..., 31: eleven
      const cg::coalesced_group group = cg::coalesced_threads();
      EXPECT_EQ(11u, group.size());
      EXPECT_EQ(t / 3, group.thread_rank());
      int first = 0;
      if (group.thread_rank() == 0)
        first = atomicAdd(&counter, int(group.size()));
      EXPECT_EQ(0, group.shfl(first, 0));
      EXPECT_EQ(7u, group.shfl(t, 2));
      EXPECT_EQ(t > 1 ? t - 3 : t, group.shfl_up(t, 1));
      EXPECT_EQ(t < 31 ? t + 3 : t, group.shfl_down(t, 1));
      EXPECT_EQ(0x400u, group.ballot(t == 31));
      EXPECT_EQ(1 + 4 + 7 + 10 + 13 + 16 + 19 + 22 + 25 + 28 + 31,
                cg::reduce(group, int(t), cg::plus<int>()));
    }
  });
  EXPECT_EQ(11, counter);
}

TEST(CooperativeGroups, PartitionsByPredicateAndLabel) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const unsigned t = threadIdx.x;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto half = cg::binary_partition(warp, t >= 20);
    EXPECT_EQ(t >= 20 ? 12u : 20u, half.size());
    EXPECT_EQ(t >= 20 ? 1u : 0u, half.meta_group_rank());
    const auto label = cg::labeled_partition(warp, int(t % 5));
    EXPECT_EQ(t % 5 < 2 ? 7u : 6u, label.size());
    EXPECT_EQ(t % 5, label.meta_group_rank());
    EXPECT_EQ(5u, label.meta_group_size());
    EXPECT_EQ(t / 5, label.thread_rank());
    label.sync();
  });
}

TEST(CooperativeGroups, ReduceAndScan) {
  runOnFibers(dim3(64), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x);
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int first = t / 16 * 16;
    EXPECT_EQ(16 * first + 120, cg::reduce(tile, t, cg::plus<int>()));
    EXPECT_EQ(first, cg::reduce(tile, t, cg::less<int>()));
    EXPECT_EQ(first + 15, cg::reduce(tile, t, cg::greater<int>()));
    EXPECT_EQ(first | 15, cg::reduce(tile, t, cg::bit_or<int>()));
    const int modulus = 97;
    EXPECT_EQ((16 * first + 120) % 97,
              cg::reduce(tile, t, [modulus](int a, int b) { return (a + b) % modulus; }));
    const int r = t % 16;
    EXPECT_EQ((r + 1) * first + r * (r + 1) / 2, cg::inclusive_scan(tile, t));
    EXPECT_EQ(r * first + r * (r - 1) / 2, cg::exclusive_scan(tile, t));
    EXPECT_EQ(t, cg::inclusive_scan(tile, t, cg::greater<int>()));
  });
}

TEST(CooperativeGroups, TilesOfSeveralWarps) {
  runOnFibers(dim3(160), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x);
    cg::block_tile_memory<256> scratch;
    const auto block = cg::this_thread_block(scratch);
    const auto tile = cg::tiled_partition<64>(block);
    EXPECT_EQ(unsigned(t % 64), tile.thread_rank());
    EXPECT_EQ(unsigned(t / 64), tile.meta_group_rank());
    EXPECT_EQ(3u, tile.meta_group_size());
    const int first = t / 64 * 64, size = first == 128 ? 32 : 64;
    for (int round = 0; round < 2; ++round)
      EXPECT_EQ(size * first + size * (size - 1) / 2, cg::reduce(tile, t, cg::plus<int>()));
    EXPECT_EQ(first + 7, tile.shfl(t, 7));
    EXPECT_EQ(t - first + 1, cg::inclusive_scan(tile, 1));
    EXPECT_TRUE(tile.all(t >= first));
    EXPECT_EQ(t >= 64, tile.all(t != 40) != 0);
    tile.sync();
    const auto warp = cg::tiled_partition<32>(tile);
    EXPECT_EQ(unsigned(t / 32 % 2), warp.meta_group_rank());
    EXPECT_EQ(t / 32 * 32 + 3, warp.shfl(t, 3));
    if (t % 64 < 10)
      return;
    EXPECT_EQ(size - 10, cg::reduce(tile, 1, cg::plus<int>()));
  });
}

TEST(CooperativeGroups, GridRanks) {
  runOnFibers(dim3(8), [](const uint3 threadIdx) {
    // The fixture's block has index 7 in a grid whose extent it leaves at one.
    EXPECT_EQ(7u * 8 + threadIdx.x, cg::this_grid().thread_rank());
  });
}

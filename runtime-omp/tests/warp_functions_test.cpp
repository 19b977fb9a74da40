// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions on fibers against expectations written by hand.
#include <vector>

#include <gtest/gtest.h>

#include <cu2cpp/ptx.h>

#include "block_on_fibers.h"

using cu2cpp::tests::runOnFibers;

namespace {
constexpr unsigned all = 0xffffffffu;
}

TEST(WarpShuffle, IndexReadsWithinItsSegment) {
  runOnFibers(dim3(64), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x), lane = t % 32, warp = t / 32 * 32;
    EXPECT_EQ(warp + 5, __shfl_sync(all, t, 5));
    EXPECT_EQ(warp + lane / 8 * 8 + 3, __shfl_sync(all, t, 3, 8));
    EXPECT_EQ(warp + 1, __shfl_sync(all, t, 33)); // modulo width
    EXPECT_EQ(warp + lane / 4 * 4 + 2, __shfl_sync(all, t, lane + 2 - lane % 4, 4));
  });
}

TEST(WarpShuffle, UpDownAndXorLeaveEdgesUnchanged) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x);
    EXPECT_EQ(lane >= 3 ? lane - 3 : lane, __shfl_up_sync(all, lane, 3));
    EXPECT_EQ(lane % 16 >= 3 ? lane - 3 : lane, __shfl_up_sync(all, lane, 3, 16));
    EXPECT_EQ(lane + 7 < 32 ? lane + 7 : lane, __shfl_down_sync(all, lane, 7));
    EXPECT_EQ(lane % 8 + 2 < 8 ? lane + 2 : lane, __shfl_down_sync(all, lane, 2, 8));
    EXPECT_EQ(lane ^ 21, __shfl_xor_sync(all, lane, 21));
    // Beyond the width: lower segments may be read, higher ones not.
    EXPECT_EQ((lane ^ 8) < lane ? lane ^ 8 : lane, __shfl_xor_sync(all, lane, 8, 8));
  });
}

TEST(WarpShuffle, AllTypes) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x);
    EXPECT_EQ(0.5f + 9, __shfl_sync(all, lane + 0.5f, 9));
    EXPECT_EQ(1e300 * 9, __shfl_sync(all, lane * 1e300, 9));
    EXPECT_EQ(9ll << 40, __shfl_sync(all, (long long)lane << 40, 9));
    EXPECT_EQ(~9ull, __shfl_sync(all, ~(unsigned long long)lane, 9));
    EXPECT_EQ(9ul << 33, __shfl_sync(all, (unsigned long)lane << 33, 9));
    EXPECT_EQ(0x80000009u, __shfl_sync(all, 0x80000000u + unsigned(lane), 9));
    EXPECT_EQ('a' + 9, __shfl_sync(all, char('a' + lane), 9));
  });
}

TEST(WarpShuffle, HalvesOfAWarpWithTheirOwnMasks) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    int v = int(threadIdx.x);
    const unsigned mask = v < 16 ? 0x0000ffffu : 0xffff0000u;
    const int expected = v < 16 ? 15 * 8 : (16 + 31) * 8;
    if (v < 16) {
      for (int d = 8; d > 0; d /= 2)
        v += __shfl_xor_sync(mask, v, d);
    } else {
      for (int d = 1; d < 16; d *= 2)
        v += __shfl_xor_sync(mask, v, d);
    }
    EXPECT_EQ(expected, v);
  });
}

TEST(WarpShuffle, SameMaskMeetsInDifferentBranches) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x);
    int v;
    if (lane % 2)
      v = __shfl_sync(all, lane, 4);
    else
      v = __shfl_sync(all, lane, 7);
    EXPECT_EQ(lane % 2 ? 4 : 7, v);
  });
}

TEST(WarpShuffle, FullMaskInAPartialWarpAndAfterExits) {
  runOnFibers(dim3(40), [](const uint3 threadIdx) {
    const int t = int(threadIdx.x);
    const int v = __shfl_down_sync(all, t, 1);
    if (t < 31 || (t >= 32 && t < 39)) {
      EXPECT_EQ(t + 1, v);
    }
    if (t % 32 >= 4)
      return;
    EXPECT_EQ(t / 32 * 32 + 2, __shfl_sync(all, t, 2));
    EXPECT_EQ(0xfu, __ballot_sync(all, 1));
  });
}

TEST(WarpShuffle, SourceThatTakesNoPartReadsAsZero) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    if (threadIdx.x >= 8)
      return;
    float sum = 1.0f;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffu, sum, offset);
    if (threadIdx.x == 0) {
      EXPECT_EQ(8.0f, sum);
    }
  });
}

TEST(WarpShuffle, LaneOfATwoDimensionalBlockIsItsLinearRank) {
  runOnFibers(dim3(8, 8), [](const uint3 threadIdx) {
    const int rank = int(threadIdx.x + 8 * threadIdx.y);
    EXPECT_EQ(rank / 32 * 32 + 17, __shfl_sync(all, rank, 17));
  });
}

TEST(WarpShuffle, WithoutMaskTheLanesAtTheCallTakePart) {
  runOnFibers(dim3(64), [](const uint3 threadIdx) {
    int v = int(threadIdx.x) % 32;
    if (v < 8) {
      for (int d = 1; d < 8; d *= 2)
        v += __shfl_xor(v, d);
      EXPECT_EQ(28, v);
      EXPECT_EQ(0xffu, __ballot(1));
      EXPECT_TRUE(__all(1));
      EXPECT_TRUE(__any(threadIdx.x % 32 == 7));
    } else {
      EXPECT_FALSE(__any(0));
      EXPECT_EQ(0xffffff00u, __ballot(1));
    }
  });
}

TEST(WarpVote, BallotAnyAllUni) {
  runOnFibers(dim3(64), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x) % 32;
    EXPECT_EQ(0x11111111u, __ballot_sync(all, lane % 4 == 0));
    EXPECT_FALSE(__all_sync(all, lane != 31));
    EXPECT_TRUE(__all_sync(all, lane + 1));
    EXPECT_TRUE(__any_sync(all, lane == 31));
    EXPECT_FALSE(__any_sync(all, 0));
    EXPECT_TRUE(__uni_sync(all, 0));
    EXPECT_FALSE(__uni_sync(all, lane == 0));
  });
}

TEST(WarpVote, ActiveMaskIsTheLanesOfTheBranch) {
  runOnFibers(dim3(40), [](const uint3 threadIdx) {
    const unsigned t = threadIdx.x;
    if (t % 4 == 1)
      EXPECT_EQ(t < 32 ? 0x22222222u : 0x22u, __activemask());
    else
      EXPECT_EQ(t < 32 ? 0xddddddddu : 0xddu, __activemask());
    EXPECT_EQ(t < 32 ? all : 0xffu, __activemask());
  });
}

TEST(WarpMatch, AnyAndAll) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const unsigned lane = threadIdx.x;
    EXPECT_EQ(0x01010101u << lane % 8, __match_any_sync(all, int(lane % 8)));
    EXPECT_EQ(lane < 3 ? 7u : ~7u, __match_any_sync(all, lane < 3 ? 0.0 : -0.0));
    int same = -1;
    EXPECT_EQ(all, __match_all_sync(all, 5ull << 40, &same));
    EXPECT_EQ(1, same);
    EXPECT_EQ(0u, __match_all_sync(all, lane, &same));
    EXPECT_EQ(0, same);
  });
}

TEST(WarpReduce, EachOperator) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x);
    EXPECT_EQ(-16, __reduce_add_sync(all, lane - 16));
    EXPECT_EQ(496u, __reduce_add_sync(all, unsigned(lane)));
    EXPECT_EQ(-16, __reduce_min_sync(all, lane - 16));
    EXPECT_EQ(0u, __reduce_min_sync(all, unsigned(lane)));
    EXPECT_EQ(15, __reduce_max_sync(all, lane - 16));
    EXPECT_EQ(0xffffffffu, __reduce_max_sync(all, unsigned(-lane)));
    EXPECT_EQ(all, __reduce_or_sync(all, 1u << lane));
    EXPECT_EQ(0x40u, __reduce_and_sync(all, 0x40u | unsigned(lane)));
    EXPECT_EQ(0u, __reduce_xor_sync(all, unsigned(lane)));
    if (lane >= 8 && lane < 12) {
      EXPECT_EQ(8 + 9 + 10 + 11, __reduce_add_sync(0xf00u, lane));
    }
  });
}

TEST(WarpSync, OrdersMemoryWithinTheWarp) {
  std::vector<int> data(32);
  int wrong = 0;
  runOnFibers(dim3(32), [&](const uint3 threadIdx) {
    const unsigned t = threadIdx.x;
    data[t] = int(t);
    for (unsigned d = 16; d > 0; d /= 2) {
      __syncwarp();
      const int other = t < d ? data[t + d] : 0;
      __syncwarp();
      data[t] += other;
    }
    __syncwarp();
    wrong += data[0] != 496;
  });
  EXPECT_EQ(0, wrong);
}

#define __shfl_up(value, delta) __shfl_up_sync(0xffffffffu, value, delta)
TEST(WarpShuffle, ProgramsMayRedefineTheOldNames) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const int lane = int(threadIdx.x);
    EXPECT_EQ(lane ? lane - 1 : 0, __shfl_up(lane, 1));
  });
}

TEST(WarpMatrix, SumsAreCutOffAsTensorCoresDo) {
  // 1 and 2^-25, 2^-26: the second is kept beside the first, the third is cut off.
  const float ones[1][8] = {{1, 1, 1, 1, 1, 1, 1, 1}};
  const float small[8][1] = {{1}, {0x1p-25f}, {0x1p-25f}, {0x1p-26f}, {0x1p-26f}, {0}, {0}, {0}};
  double sum[1][1] = {{0}};
  cu2cpp::detail::tensor::multiply<8>(ones, small, sum);
  EXPECT_EQ(1 + 0x1p-24, sum[0][0]);
  EXPECT_EQ(1.0f, cu2cpp::detail::tensor::cutToFloat(sum[0][0]));
  // Cut off toward zero, also in the middle of two groups.
  double negative[1][1] = {{-3}};
  const float tiny[8][1] = {{-0x1p-23f}, {-0x1p-23f}, {0}, {0}, {-0x1p-23f}, {-0x1p-23f}, {0}, {0}};
  cu2cpp::detail::tensor::multiply<4>(ones, tiny, negative);
  EXPECT_EQ(-3 - 0x1p-21, negative[0][0]);
  const float huge[8][1] = {{0x1p127f}, {0x1p127f}, {0}, {0}, {-0x1p127f}, {-0x1p127f}, {0}, {0}};
  double zero[1][1] = {{0}};
  cu2cpp::detail::tensor::multiply<8>(ones, huge, zero);
  EXPECT_EQ(0, zero[0][0]);
}
TEST(WarpMatrix, StoredLoadedAndTransposed) {
  alignas(16) unsigned short stored[2][8][8], flipped[8][8];
  runOnFibers(dim3(32), [&](const uint3 threadIdx) {
    const unsigned lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    const unsigned first = (10 * row + column) | (10 * row + column + 1) << 16;
    const unsigned values[] = {first, first + 0x00640064};
    cu2cpp::ptx::stmatrix<2, false>(stored[lane / 8 % 2][lane % 8], values);
    cu2cpp::ptx::stmatrix<1, true>(flipped[lane % 8], values);
    const unsigned transposed = (10 * column + row) | (10 * (column + 1) + row) << 16;
    unsigned again = 0;
    cu2cpp::ptx::movmatrix(&again, first);
    EXPECT_EQ(transposed, again);
    unsigned loaded = 0;
    cu2cpp::ptx::ldmatrix<1, false>(&loaded, flipped[lane % 8]);
    EXPECT_EQ(transposed, loaded);
  });
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      EXPECT_EQ(10 * row + column, stored[0][row][column]);
      EXPECT_EQ(100 + 10 * row + column, stored[1][row][column]);
      EXPECT_EQ(10 * column + row, flipped[row][column]);
    }
}

TEST(WarpMatrix, ProductsOfFp8) {
  runOnFibers(dim3(32), [](const uint3 threadIdx) {
    const unsigned lane = threadIdx.x;
    // A's row r holds 2^(r % 4) in e4m3, B's column c holds 1 + c / 2 % 2 in e5m2.
    const auto a = [](unsigned row) { return 0x01010101u * (0x38 + 8 * (row % 4)); };
    const unsigned rows[] = {a(lane / 4), a(lane / 4 + 8), a(lane / 4), a(lane / 4 + 8)};
    const unsigned columns[] = {lane / 8 % 2 ? 0x40404040u : 0x3c3c3c3cu, 0x3c3c3c3cu};
    const float before[] = {0, 0.5f, 0, 0.5f};
    float after[4];
    cu2cpp::ptx::mma<16, 32, cu2cpp::ptx::matrix::e4m3, cu2cpp::ptx::matrix::e5m2>(after, rows,
                                                                                   columns, before);
    const float scale = float(1 << lane / 4 % 4);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(scale * (16 * (1 + lane % 4 % 2) + 16) + (i % 2) * 0.5f, after[i]);
  });
}

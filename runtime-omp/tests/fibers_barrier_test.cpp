// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a block on fibers: phases, exits, predicates, named barriers, threads that poll.
#include <vector>

#include <gtest/gtest.h>

#include "block_on_fibers.h"

using cu2cpp::Thread;
using cu2cpp::tests::onFibers;

TEST(FibersBarrier, EveryThreadRunsOnceWithItsIndex) {
  std::vector<int> seen(4 * 3 * 2);
  ASSERT_EQ(cudaSuccess, onFibers(dim3(4, 3, 2), [&](const uint3 threadIdx) {
              ++seen[threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z)];
            }));
  EXPECT_EQ(seen, std::vector<int>(24, 1));
}

TEST(FibersBarrier, KeepsPhasesApart) {
  for (const unsigned n : {1u, 2u, 31u, 32u, 33u, 256u, 1024u}) {
    std::vector<unsigned> data(n);
    unsigned wrong = 0;
    ASSERT_EQ(cudaSuccess, onFibers(dim3(n), [&](const uint3 threadIdx) {
                const unsigned t = threadIdx.x;
                for (unsigned phase = 0; phase < 5; ++phase) {
                  data[t] = phase * 1000 + t;
                  __syncthreads();
                  const unsigned other = (t + 1) % n;
                  wrong += data[other] != phase * 1000 + other;
                  __syncthreads();
                }
              }));
    EXPECT_EQ(0u, wrong) << n;
  }
}

TEST(FibersBarrier, ThreadThatReturnedCountsAsArrived) {
  std::vector<int> out(100);
  ASSERT_EQ(cudaSuccess, onFibers(dim3(100), [&](const uint3 threadIdx) {
              if (threadIdx.x % 3 == 0)
                return;
              __syncthreads();
              if (threadIdx.x == 50)
                return; // between two barriers
              out[threadIdx.x] = __syncthreads_count(1);
            }));
  int live = 0;
  for (unsigned t = 0; t < 100; ++t)
    live += t % 3 != 0 && t != 50;
  for (unsigned t = 0; t < 100; ++t)
    EXPECT_EQ(t % 3 != 0 && t != 50 ? live : 0, out[t]) << t;
}

TEST(FibersBarrier, LastThreadToReturnReleasesTheOthers) {
  int passed = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(64), [&](const uint3 threadIdx) {
              if (threadIdx.x == 63)
                return;
              __syncthreads();
              ++passed;
            }));
  EXPECT_EQ(63, passed);
}

TEST(FibersBarrier, PredicatesAreReducedOverTheBlock) {
  ASSERT_EQ(cudaSuccess, onFibers(dim3(70), [&](const uint3 threadIdx) {
              const int t = int(threadIdx.x);
              EXPECT_EQ(24, __syncthreads_count(t % 3 == 0));
              EXPECT_EQ(0, __syncthreads_and(t != 69));
              EXPECT_NE(0, __syncthreads_and(t + 1));
              EXPECT_NE(0, __syncthreads_or(t == 69));
              EXPECT_EQ(0, __syncthreads_or(0));
              EXPECT_EQ(70, __syncthreads_count(-5));
            }));
}

TEST(FibersBarrier, TextuallyDifferentBarriersAreOne) {
  int before = 0, wrong = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(64), [&](const uint3 threadIdx) {
              ++before;
              if (threadIdx.x < 32)
                __syncthreads();
              else
                __syncthreads();
              wrong += before != 64;
            }));
  EXPECT_EQ(0, wrong);
}

TEST(FibersBarrier, NamedBarriersOfHalfABlockAreIndependent) {
  int first = 0, second = 0, wrong = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(128), [&](const uint3 threadIdx) {
              const bool low = threadIdx.x < 64;
              for (int round = 1; round <= 3; ++round) {
                ++(low ? first : second);
                __barrier_sync_count(low ? 1 : 2, 64);
                wrong += (low ? first : second) != 64 * round;
                __barrier_sync_count(low ? 1 : 2, 64);
              }
              __barrier_sync(0);
              wrong += first != 192 || second != 192;
            }));
  EXPECT_EQ(0, wrong);
}

TEST(FibersBarrier, ThreadsThatSpinOnAtomicsLetTheirBlockGoOn) {
  int lock = 0, counter = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(96), [&](const uint3) {
              bool done = false;
              while (!done)
                if (atomicCAS(&lock, 0, 1) == 0) {
                  const int seen = counter;
                  __threadfence(); // a turn for the others inside of the lock
                  cu2cpp::pollTurn();
                  counter = seen + 1;
                  atomicExch(&lock, 0);
                  done = true;
                }
            }));
  EXPECT_EQ(96, counter);
}

TEST(FibersBarrier, ThreadThatPollsWaitsForOneThatHasNotStarted) {
  volatile int flag = 0;
  ASSERT_EQ(cudaSuccess, onFibers(dim3(64), [&](const uint3 threadIdx) {
              if (threadIdx.x == 63)
                flag = 1;
              while (!flag)
                __nanosleep(10);
            }));
}

TEST(FibersBarrier, ThreadContextIsRightAfterEachSwitch) {
  ASSERT_EQ(cudaSuccess, onFibers(dim3(8, 9), [&](const Thread& thread) {
              for (int i = 0; i < 3; ++i) {
                EXPECT_EQ(&thread, &cu2cpp::thisThread());
                __syncthreads();
              }
            }));
}

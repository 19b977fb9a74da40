// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of launches, event records and waits over several streams: every order that CUDA
// promises must hold. The promised order is worked out by a model of the rules; each kernel checks
// that all kernels before it are done.
#include <algorithm>
#include <random>
#include <set>

#include <omp.h>
#include <unistd.h>

#include "exec/abort.h"
#include "runtime_test.h"

namespace {

using StreamOrder = RuntimeTest;

struct Step {
  std::vector<int> before; // kernels that must have ended
  int* done;
  int* violations;
};

void step(const Step* steps, int self) {
  const Step& s = steps[self];
  for (int earlier : s.before)
    if (__atomic_load_n(&s.done[earlier], __ATOMIC_ACQUIRE) == 0)
      __atomic_fetch_add(s.violations, 1, __ATOMIC_RELAXED);
  volatile int spin = 0;
  for (int i = 0; i < (self * 37) % 200; ++i)
    spin = spin + 1;
  if (cu2cpp::thisBlock().blockIdx.x + 1 == cu2cpp::thisBlock().gridDim.x)
    __atomic_store_n(&s.done[self], 1, __ATOMIC_RELEASE);
}

class StreamOrderOf : public RuntimeTest, public testing::WithParamInterface<int> {};

TEST_P(StreamOrderOf, RandomPrograms) {
  std::mt19937 random{unsigned(GetParam())};
  const auto pick = [&](int n) { return int(random() % unsigned(n)); };
  constexpr int streamCount = 5, eventCount = 4, stepCount = 300;
  // Stream 0 is the legacy default stream, 3 and 4 are non-blocking.
  Stream s1, s2, s3(cudaStreamNonBlocking), s4(cudaStreamNonBlocking);
  const cudaStream_t streams[streamCount] = {nullptr, s1, s2, s3, s4};
  const auto blocking = [](int s) { return s <= 2; };
  Event e0, e1(cudaEventDisableTiming), e2(cudaEventBlockingSync), e3;
  const cudaEvent_t events[eventCount] = {e0, e1, e2, e3};

  std::vector<int> done(stepCount, 0);
  int violations = 0;
  std::vector<Step> steps(stepCount);
  // The model: what has ended when a stream's next task starts, and when an event is reached.
  std::set<int> afterStream[streamCount], afterEvent[eventCount];
  const auto enter = [&](int s) {
    if (s == 0) {
      for (int other = 1; other <= 2; ++other)
        afterStream[0].insert(afterStream[other].begin(), afterStream[other].end());
    } else if (blocking(s)) {
      afterStream[s].insert(afterStream[0].begin(), afterStream[0].end());
    }
  };
  for (int k = 0; k < stepCount; ++k) {
    const int s = pick(streamCount), e = pick(eventCount);
    switch (pick(6)) {
    case 0:
      enter(s);
      ASSERT_EQ(cudaEventRecord(events[e], streams[s]), cudaSuccess);
      afterEvent[e] = afterStream[s];
      break;
    case 1:
      enter(s);
      ASSERT_EQ(cudaStreamWaitEvent(streams[s], events[e]), cudaSuccess);
      afterStream[s].insert(afterEvent[e].begin(), afterEvent[e].end());
      break;
    case 2:
      if (pick(10) == 0) {
        ASSERT_EQ(cudaEventSynchronize(events[e]), cudaSuccess);
        for (int earlier : afterEvent[e])
          ASSERT_EQ(__atomic_load_n(&done[std::size_t(earlier)], __ATOMIC_ACQUIRE), 1);
      }
      break;
    default:
      break;
    }
    enter(s);
    Step& mine = steps[std::size_t(k)];
    mine.before.assign(afterStream[s].begin(), afterStream[s].end());
    mine.done = done.data();
    mine.violations = &violations;
    // One block, so that "the last block" ends the kernel.
    cu2cpp::launch(step, 1, 1, 0, streams[s])(steps.data(), k);
    afterStream[s].insert(k);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(violations, 0);
  EXPECT_EQ(std::count(done.begin(), done.end(), 1), stepCount);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamOrderOf, testing::Range(0, 20));

// A kernel of many blocks is over for the next one only when all blocks are.
TEST_F(StreamOrder, AllBlocksEndBeforeTheNextKernelStarts) {
  static int ended, violations;
  ended = violations = 0;
  for (int round = 0; round < 200; ++round) {
    cu2cpp::launch([](int*) { __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED); }, 37, 1)(&ended);
    cu2cpp::launch(
        [](int expected) {
          if (__atomic_load_n(&ended, __ATOMIC_RELAXED) != expected)
            ++violations;
        },
        1, 1)(37 * (round + 1));
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(violations, 0);
}

void waitForFlag(int* flags) {
  __atomic_store_n(&flags[0], 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 20000 && !__atomic_load_n(&flags[1], __ATOMIC_ACQUIRE); ++i)
    usleep(500);
  flags[2] = flags[1];
}
void setFlag(int* flags) { __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE); }

// A kernel that is launched while another one runs does not wait for a host thread that waits.
TEST_F(StreamOrder, KernelsOfTwoStreamsRunSideBySideWhileTheHostIsBusy) {
  if (omp_get_max_threads() < 2)
    GTEST_SKIP();
  DeviceArray<int> flags(3);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  usleep(20000); // the team is asleep
  cu2cpp::launch(waitForFlag, 1, 1, 0, first)(flags);
  while (!__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE))
    usleep(100);
  usleep(20000); // the rest of it still is
  cu2cpp::launch(setFlag, 1, 1, 0, second)(flags);
  while (cudaStreamQuery(first) == cudaErrorNotReady)
    usleep(100);
  EXPECT_EQ(flags[2], 1);
}

// Small kernels in a row are done in batches, of which nobody may notice anything.
constexpr int inARow = 10;

void countUp(int* counter) {
  volatile int spin = 0;
  for (int i = 0; i < 300; ++i)
    spin = spin + 1;
  __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
}
void countInARow(int* counter, cudaStream_t stream) {
  for (int i = 0; i < inARow; ++i)
    cu2cpp::launch(countUp, 1, 1, 0, stream)(counter);
}
void awaitHost(const int* flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    sched_yield();
}

TEST_F(StreamOrder, AKernelBehindSmallOnesMayWaitForTheHost) {
  for (int round = 0; round < 60; ++round) {
    int flag = 0, before = 0, after = 0, elsewhere = 0;
    Stream a(cudaStreamNonBlocking), b(cudaStreamNonBlocking);
    Event between;
    if (round % 3 == 0) // has to wait when the batch begins
      cu2cpp::launch(awaitHost, 1, 1, 0, b)(&flag);
    countInARow(&before, a);
    ASSERT_EQ(cudaEventRecord(between, a), cudaSuccess);
    cu2cpp::launch(awaitHost, 1, 1, 0, a)(&flag);
    countInARow(&after, a);
    if (round % 4 < 2)
      usleep(useconds_t(10 * round)); // the team begins, and may be anywhere
    if (round % 3 == 1) {
      ASSERT_EQ(cudaStreamWaitEvent(b, between), cudaSuccess);
      cu2cpp::launch(countUp, 1, 1, 0, b)(&elsewhere);
      ASSERT_EQ(cudaStreamSynchronize(b), cudaSuccess);
      EXPECT_EQ(elsewhere, 1);
    } else {
      ASSERT_EQ(cudaEventSynchronize(between), cudaSuccess);
    }
    EXPECT_EQ(__atomic_load_n(&before, __ATOMIC_ACQUIRE), inARow);
    EXPECT_EQ(__atomic_load_n(&after, __ATOMIC_ACQUIRE), 0);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(after, inARow);
  }
}

void countTwice(int* counter) {
  cu2cpp::launch(countUp, 1, 1)(counter);
  cu2cpp::launch(countUp, 1, 1)(counter);
}
void expectCount(const int* counter, int expected, int* violations) {
  if (__atomic_load_n(counter, __ATOMIC_ACQUIRE) != expected)
    __atomic_fetch_add(violations, 1, __ATOMIC_RELAXED);
}

TEST_F(StreamOrder, WhatSmallKernelsInARowLaunchIsDoneBeforeTheNext) {
  int counter = 0, violations = 0;
  for (int i = 0; i < 200; ++i) {
    countInARow(&counter, nullptr);
    cu2cpp::launch(countTwice, 1, 1)(&counter);
    cu2cpp::launch(expectCount, 1, 1)(&counter, (i + 1) * (inARow + 2), &violations);
    if (i % 20 == 0)
      usleep(200);
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(violations, 0);
}

TEST_F(StreamOrder, NothingRunsAfterAFailureInARowOfSmallKernels) {
  for (const bool busy : {false, true}) {
    int before = 0, after = 0;
    countInARow(&before, nullptr);
    cu2cpp::launch(+[](int*) { cu2cpp::rt::abortKernel(cudaErrorLaunchFailure); }, 1, 1)(&after);
    countInARow(&after, nullptr);
    if (busy)
      usleep(1000); // the team does it
    EXPECT_CUDA_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_EQ(before, inARow);
    EXPECT_EQ(after, 0);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  }
}

} // namespace

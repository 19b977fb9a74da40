// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: asynchrony, the default streams' rules, priorities, destruction with work pending.
#include <atomic>
#include <thread>

#include "runtime_test.h"

namespace {

using Streams = RuntimeTest;

void store(int* p, int value) { __atomic_store_n(p, value, __ATOMIC_RELAXED); }
void append(int* log, int value) { log[1 + log[0]++] = value; }

TEST_F(Streams, LaunchesReturnBeforeTheKernelRuns) {
  static int result;
  result = 0;
  Stream stream;
  Gate gate;
  gate.close(stream);
  cu2cpp::launch(store, 1, 1, 0, stream)(&result, 1);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(result, 0);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(result, 1);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST_F(Streams, WorkStartsThoughNobodyWaits) {
  static int result;
  result = 0;
  cu2cpp::launch(store, 1, 1)(&result, 1);
  while (__atomic_load_n(&result, __ATOMIC_RELAXED) == 0)
    std::this_thread::yield();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Streams, OneStreamKeepsItsOrder) {
  Stream stream;
  DeviceArray<int> log(1001);
  for (int i = 0; i < 1000; ++i)
    cu2cpp::launch(append, 1, 1, 0, stream)(log, i);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  const std::vector<int> result = log.toHost();
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(result[std::size_t(i) + 1], i);
}

TEST_F(Streams, IndependentStreamsPassEachOther) {
  static int result;
  result = 0;
  Stream held, free;
  Gate gate;
  gate.close(held);
  cu2cpp::launch(store, 1, 1, 0, free)(&result, 1);
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(result, 1);
  EXPECT_EQ(cudaStreamQuery(held), cudaErrorNotReady);
  gate.open();
}

TEST_F(Streams, TheLegacyStreamWaitsForBlockingStreams) {
  static int result;
  result = 0;
  Stream blocking;
  Gate gate;
  gate.close(blocking);
  cu2cpp::launch(store, 1, 1)(&result, 1);
  EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  std::this_thread::sleep_for(
      std::chrono::milliseconds(2)); // a chance to go wrong, not a condition
  EXPECT_EQ(__atomic_load_n(&result, __ATOMIC_RELAXED), 0);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(result, 1);
}

TEST_F(Streams, BlockingStreamsWaitForTheLegacyStream) {
  static int result;
  result = 0;
  Stream blocking;
  Gate gate;
  gate.close(nullptr);
  cu2cpp::launch(store, 1, 1, 0, blocking)(&result, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(__atomic_load_n(&result, __ATOMIC_RELAXED), 0);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(blocking), cudaSuccess);
  EXPECT_EQ(result, 1);
}

TEST_F(Streams, NonBlockingStreamsPassTheLegacyStream) {
  static int result;
  result = 0;
  Stream nonBlocking(cudaStreamNonBlocking);
  Gate gate;
  gate.close(nullptr);
  cu2cpp::launch(store, 1, 1, 0, nonBlocking)(&result, 1);
  EXPECT_EQ(cudaStreamSynchronize(nonBlocking), cudaSuccess);
  EXPECT_EQ(result, 1);
  Gate second;
  gate.open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  second.close(nonBlocking);
  cu2cpp::launch(store, 1, 1)(&result, 2);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(result, 2);
  second.open();
}

TEST_F(Streams, DeviceSynchronizeWaitsForAllStreams) {
  std::vector<int> results(8, 0);
  {
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::size_t i = 0; i < results.size(); ++i) {
      streams.push_back(
          std::make_unique<Stream>(i % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
      cu2cpp::launch(store, 1, 1, 0, *streams.back())(&results[i], 1);
    }
  } // destroyed with work pending, which is done all the same
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(results, std::vector<int>(8, 1));
}

TEST_F(Streams, UrgentStreamsGoFirst) {
  int least = 1, greatest = 1;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, 0);
  Stream urgent(cudaStreamNonBlocking, greatest), clamped(cudaStreamNonBlocking, -1000);
  int priority = 0;
  EXPECT_EQ(cudaStreamGetPriority(urgent, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetPriority(clamped, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  unsigned flags = 9;
  EXPECT_EQ(cudaStreamGetFlags(urgent, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaStreamNonBlocking));
}

TEST_F(Streams, HandlesThatAreNoneAreRefused) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA_ERROR(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA_ERROR(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA_ERROR(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaStreamCreateWithFlags(&stream, 0x80), cudaErrorInvalidValue);
}

TEST_F(Streams, EachThreadHasItsOwnDefaultStream) {
  static int result;
  result = 0;
  Gate gate;
  gate.close(cudaStreamPerThread);
  std::thread([] {
    cu2cpp::launch(store, 1, 1, 0, cudaStreamPerThread)(&result, 1);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  }).join();
  EXPECT_EQ(result, 1);
  gate.open();
}

struct Signals {
  int started, go, done, late;
};
void holdUntilGo(Signals* s) {
  __atomic_store_n(&s->started, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&s->go, __ATOMIC_ACQUIRE))
    std::this_thread::yield();
}
void holdUntilDone(Signals* s) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!__atomic_load_n(&s->done, __ATOMIC_ACQUIRE)) {
    if (std::chrono::steady_clock::now() > end) {
      s->late = 1;
      return;
    }
    std::this_thread::yield();
  }
}

// Also run with one OpenMP thread, which the long kernel keeps.
TEST_F(Streams, AThreadThatWaitsIsNotHeldUpByAnotherStream) {
  static Signals signals;
  signals = {};
  Stream mine(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  cu2cpp::launch(holdUntilGo, 1, 1, 0, mine)(&signals);
  cu2cpp::launch(holdUntilDone, 1, 1, 0, other)(&signals);
  cu2cpp::launch(store, 1, 1, 0, mine)(&signals.done, 1);
  while (!__atomic_load_n(&signals.started, __ATOMIC_ACQUIRE))
    std::this_thread::yield();
  std::thread opener([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // let the other thread wait
    __atomic_store_n(&signals.go, 1, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(cudaStreamSynchronize(mine), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(signals.late, 0) << "the wait took as long as the other stream's kernel";
  opener.join();
}

TEST_F(Streams, ManyThreadsMayUseTheRuntimeAtOnce) {
  constexpr int threads = 8, rounds = 200;
  std::vector<int> sums(threads, 0);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&sums, t] {
      Stream stream(cudaStreamNonBlocking);
      DeviceArray<int> value(1);
      for (int i = 0; i < rounds; ++i) {
        cu2cpp::launch([](int* p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }, 3, 1, 0,
                       stream)(static_cast<int*>(value));
        if (i % 7 == 0) {
          EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        }
      }
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      sums[std::size_t(t)] = value.toHost()[0];
    });
  for (std::thread& worker : workers)
    worker.join();
  EXPECT_EQ(sums, std::vector<int>(threads, 3 * rounds));
}

} // namespace

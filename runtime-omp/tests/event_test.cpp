// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: state, times, waiting, errors.
#include <thread>

#include "core/process.h"
#include "core/shared_event.h"
#include "runtime_test.h"

namespace {

using Events = RuntimeTest;

void spin(int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST_F(Events, ElapsedTimeCoversTheWorkBetween) {
  Event start, stop;
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  cu2cpp::launch(spin, 1, 1)(3);
  ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GE(ms, 3.0f);
  float back = 1;
  EXPECT_EQ(cudaEventElapsedTime(&back, stop, start), cudaSuccess);
  EXPECT_EQ(back, -ms);
}

// The host comes late: the time is the work's end, not the wait's.
TEST_F(Events, TheTimeIsTakenWhenTheWorkEnds) {
  Event start, middle, late;
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  cu2cpp::launch(spin, 1, 1)(1);
  ASSERT_EQ(cudaEventRecord(middle), cudaSuccess);
  while (cudaEventQuery(middle) != cudaSuccess)
    std::this_thread::yield();
  cudaGetLastError();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(cudaEventRecord(late), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(late), cudaSuccess);
  float rest = 0;
  ASSERT_EQ(cudaEventElapsedTime(&rest, middle, late), cudaSuccess);
  EXPECT_GE(rest, 20.0f);
}

TEST_F(Events, AreNotReadyWhileWorkIsPending) {
  Stream stream;
  Event start, stop;
  Gate gate;
  float ms = 0;
  EXPECT_EQ(cudaEventQuery(stop), cudaSuccess); // never recorded
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  gate.close(stream);
  ASSERT_EQ(cudaEventRecord(stop, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(stop), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorNotReady);
  gate.open();
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(stop), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GE(ms, 0.0f);
}

TEST_F(Events, WithoutTimingHaveNoTimes) {
  Event start(cudaEventDisableTiming), stop;
  float ms = 0;
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(nullptr, stop, stop), cudaErrorInvalidValue);
}

TEST_F(Events, HandlesAndFlagsAreChecked) {
  cudaEvent_t event = nullptr;
  EXPECT_CUDA_ERROR(cudaEventCreateWithFlags(&event, 0x40), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
            cudaSuccess);
  cudaIpcEventHandle_t handle{};
  cudaEvent_t opened = nullptr;
  ASSERT_EQ(cudaIpcGetEventHandle(&handle, event), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaIpcOpenEventHandle(&opened, handle), cudaErrorDeviceUninitialized);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventCreate(&event, cudaEventBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
}

// The latest record counts, whichever process made it.
TEST_F(Events, AnotherProcessMayRecordAfterThisOne) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
            cudaSuccess);
  const auto shared = cu2cpp::rt::process().events.find(event)->shared;
  Stream stream(cudaStreamNonBlocking);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
  const std::uint64_t theirs = shared->beginRecord(); // as another process does
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  ASSERT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  shared->endRecord(theirs);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess); // this process again
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

// A wait takes the recording that is latest when it is queued.
TEST_F(Events, ALaterRecordDoesNotMoveAWait) {
  static int result;
  result = 0;
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking), held(cudaStreamNonBlocking);
  Event event;
  Gate gate;
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event), cudaSuccess);
  gate.close(held);
  ASSERT_EQ(cudaEventRecord(event, held), cudaSuccess);
  cu2cpp::launch([](int* p) { *p = 1; }, 1, 1, 0, second)(&result);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(result, 1);
  gate.open();
}

} // namespace

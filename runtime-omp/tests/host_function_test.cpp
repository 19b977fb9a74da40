// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions and callbacks in streams.
#include <thread>

#include "runtime_test.h"

namespace {

using HostFunctions = RuntimeTest;

struct Record {
  std::thread::id thread;
  int value = 0;
  int seen = 0;
  cudaError_t inner = cudaSuccess;
};

void store(int* p, int value) { *p = value; }

TEST_F(HostFunctions, RunInOrderOnAnotherThread) {
  Stream stream;
  Record record;
  cu2cpp::launch(store, 1, 1, 0, stream)(&record.value, 7);
  ASSERT_EQ(cudaLaunchHostFunc(
                stream,
                [](void* data) {
                  Record& r = *static_cast<Record*>(data);
                  r.thread = std::this_thread::get_id();
                  r.seen = r.value;
                },
                &record),
            cudaSuccess);
  cu2cpp::launch(store, 1, 1, 0, stream)(&record.value, 8);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(record.seen, 7);
  EXPECT_EQ(record.value, 8);
  EXPECT_NE(record.thread, std::this_thread::get_id());
}

TEST_F(HostFunctions, MustNotCallTheApi) {
  Record record;
  ASSERT_EQ(cudaLaunchHostFunc(
                nullptr,
                [](void* data) { static_cast<Record*>(data)->inner = cudaDeviceSynchronize(); },
                &record),
            cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(record.inner, cudaErrorNotPermitted);
}

TEST_F(HostFunctions, CallbacksGetStreamStatusAndData) {
  struct Seen {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  Stream stream;
  ASSERT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t s, cudaError_t status, void* data) {
                  *static_cast<Seen*>(data) = {s, status};
                },
                &seen, 0),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen.stream, cudaStream_t(stream));
  EXPECT_EQ(seen.status, cudaSuccess);
  EXPECT_CUDA_ERROR(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
}

} // namespace

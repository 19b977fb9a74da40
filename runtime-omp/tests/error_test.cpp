// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handling: the last error of each thread, names and texts, errors that kernels leave.
#include <thread>

#include "exec/abort.h"
#include "runtime_test.h"

namespace {

using Errors = RuntimeTest;

TEST_F(Errors, GetClearsTheLastErrorAndPeekDoesNot) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Errors, SuccessDoesNotClearTheLastError) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(Errors, EachThreadHasItsOwn) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(Errors, NamesAndTextsAreNvidias) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(11)), "unrecognized error code");
}

void trap(int* after) {
  if (cu2cpp::thisBlock().blockIdx.x == 0)
    cu2cpp::rt::abortKernel(cudaErrorLaunchFailure);
  after[0] = 1;
}

void write(int* out) { *out = 1; }

TEST_F(Errors, AnErrorFromAKernelStaysUntilReset) {
  static int result;
  result = 0;
  cu2cpp::launch(trap, 1, 1)(&result);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the device's error is reported by calls";
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 4), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  cu2cpp::launch(write, 1, 1)(&result);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(result, 0) << "a kernel ran after the failure";
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
  cu2cpp::launch(write, 1, 1)(&result);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(result, 1);
}

void trapInTheMiddle(int* ran) {
  const unsigned block = cu2cpp::thisBlock().blockIdx.x;
  __atomic_fetch_add(ran, 1, __ATOMIC_RELAXED);
  if (block == 10)
    cu2cpp::rt::abortKernel(cudaErrorAssert);
}

TEST_F(Errors, BlocksAfterAFailedOneAreSkipped) {
  static int ran;
  ran = 0;
  cu2cpp::launch(trapInTheMiddle, 1000000, 1)(&ran);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_LT(ran, 1000000);
  EXPECT_GE(ran, 11);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
}

} // namespace

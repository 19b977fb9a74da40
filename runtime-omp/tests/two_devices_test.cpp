// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several devices (CU2CPP_NUM_DEVICES=2) and CUDA_LAUNCH_BLOCKING=1: CTest runs these with the
// variables set.
#include <cstdlib>

#include "runtime_test.h"

namespace {

class TwoDevices : public RuntimeTest {
protected:
  void SetUp() override {
    int count = 0;
    ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    if (count < 2)
      GTEST_SKIP() << "needs CU2CPP_NUM_DEVICES=2";
    RuntimeTest::SetUp();
  }
  void TearDown() override {
    if (!IsSkipped())
      RuntimeTest::TearDown();
  }
};

TEST_F(TwoDevices, PeerAccessIsEnabledOnce) {
  int can = 0;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
}

TEST_F(TwoDevices, CopiesGoBetweenThem) {
  DeviceArray<int> first(4);
  const int in[4] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpy(first, in, 16, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  {
    DeviceArray<int> second(4);
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, second), cudaSuccess);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 0, 16), cudaSuccess);
    EXPECT_EQ(second.toHost(), (std::vector<int>{1, 2, 3, 4}));
  }
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(TwoDevices, AStreamTakesKernelsOfItsOwnDeviceOnly) {
  Stream stream;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  cu2cpp::launch([](int) {}, 1, 1, 0, stream)(0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  int device = -1;
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(TwoDevices, ResetOfOneLeavesTheOther) {
  DeviceArray<int> first(4);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  void* lost = nullptr;
  ASSERT_EQ(cudaMalloc(&lost, 16), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFree(lost), cudaErrorInvalidValue);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(first.toHost(), std::vector<int>(4, 0));
}

using LaunchBlocking = RuntimeTest;

TEST_F(LaunchBlocking, LaunchesReturnWhenTheKernelHasEnded) {
  const char* set = std::getenv("CUDA_LAUNCH_BLOCKING");
  if (!set || set[0] != '1')
    GTEST_SKIP() << "needs CUDA_LAUNCH_BLOCKING=1";
  static int result;
  result = 0;
  cu2cpp::launch([](int* p) { *p = 1; }, 1, 1)(&result);
  EXPECT_EQ(result, 1); // no synchronisation in between
}

} // namespace

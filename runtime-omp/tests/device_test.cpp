// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device management: what programs read before they size their launches, limits, flags.
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "runtime_test.h"

namespace {

using Devices = RuntimeTest;

int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
  return value;
}

TEST_F(Devices, PropertiesAndAttributesAgree) {
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_NE(std::string(p.name).find("(cu2cpp)"), std::string::npos);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
  EXPECT_GT(p.multiProcessorCount, 0);
  EXPECT_GT(p.clockRate, 0);
  EXPECT_GT(p.memoryClockRate, 0);
  EXPECT_GT(p.totalGlobalMem, std::size_t(64) << 20);
  EXPECT_EQ(attribute(cudaDevAttrWarpSize), p.warpSize);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), p.major);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), 2147483647);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 232448);
  EXPECT_EQ(attribute(cudaDevAttrConcurrentManagedAccess), 1);
  int value = 0;
  EXPECT_CUDA_ERROR(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0),
                    cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaGetDeviceProperties(&p, 64), cudaErrorInvalidDevice);
}

// The rate lies between what the longest and the shortest time that a reading may have taken give,
// however busy the machine is; one of the readings is not late.
TEST_F(Devices, TheClockRateIsThatOfTheDeviceClock) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  const double rate = p.clockRate * 1000.0;
  bool narrow = false;
  for (int i = 0; i < 2000 && !(narrow && i >= 20); ++i) {
    const auto beforeFirst = Clock::now();
    const long long first = clock64();
    const auto afterFirst = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto beforeLast = Clock::now();
    const double ticks = double(clock64() - first);
    const auto afterLast = Clock::now();
    const double least = ticks / Seconds(afterLast - beforeFirst).count();
    const double most = ticks / Seconds(beforeLast - afterFirst).count();
    EXPECT_GE(rate, least * 0.98);
    EXPECT_LE(rate, most * 1.02);
    narrow = narrow || most < least * 1.02;
  }
  EXPECT_TRUE(narrow);
}

TEST_F(Devices, AreChosenByNumber) {
  int count = 0, device = -1;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_GE(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_CUDA_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_CUDA_ERROR(cudaSetDevice(count), cudaErrorInvalidDevice);
  char bus[32] = "";
  EXPECT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, bus), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST_F(Devices, LimitsKeepTheirValue) {
  std::size_t before = 0, value = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&before, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 65536), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 65536u);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, before), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t(1) << 40),
                    cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMaxL2FetchGranularity), cudaSuccess);
  EXPECT_EQ(value, 32u);
  EXPECT_CUDA_ERROR(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth),
                    cudaErrorUnsupportedLimit);
  EXPECT_CUDA_ERROR(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(55)), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
}

TEST_F(Devices, FlagsAllowOneWayOfWaiting) {
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost), cudaSuccess);
  unsigned flags = 0;
  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  EXPECT_CUDA_ERROR(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield),
                    cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(0), cudaSuccess);
}

TEST_F(Devices, OwnMemoryIsNoPeers) {
  int can = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_CUDA_ERROR(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
}

TEST_F(Devices, VersionsFollowTheHeaders) {
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_GE(version, CUDART_VERSION);
}

} // namespace

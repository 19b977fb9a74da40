// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation: reuse, trimming, attributes, access, graphs.
#include "runtime_test.h"

namespace {

class Pools : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    ASSERT_EQ(cudaMemPoolCreate(&pool, &props), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
    RuntimeTest::TearDown();
  }
  unsigned long long get(cudaMemPoolAttr attribute) const {
    unsigned long long value = ~0ull;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }
  void keepAll() {
    unsigned long long most = ~0ull;
    ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most), cudaSuccess);
  }
  cudaMemPool_t pool = nullptr;
};

void store(int* p, int value) { *p = value; }

TEST_F(Pools, AStreamGetsItsFreedMemoryAgainAtOnce) {
  Stream stream;
  Gate gate;
  gate.close(stream);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&first, 4000, pool, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&second, 3900, pool, stream), cudaSuccess);
  EXPECT_EQ(first, second);
  ASSERT_EQ(cudaFreeAsync(second, stream), cudaSuccess);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST_F(Pools, AnotherStreamWaitsForTheFreeToHappen) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  keepAll();
  Gate gate;
  void *first = nullptr, *second = nullptr, *third = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&first, 4000, pool, stream), cudaSuccess);
  gate.close(stream);
  ASSERT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&second, 4000, pool, other), cudaSuccess);
  EXPECT_NE(first, second);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&third, 4000, pool, other), cudaSuccess);
  EXPECT_EQ(first, third);
  ASSERT_EQ(cudaFreeAsync(second, other), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(third, other), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_GE(get(cudaMemPoolAttrReservedMemCurrent), 8000u);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
  ASSERT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  EXPECT_GE(get(cudaMemPoolAttrReservedMemHigh), 8000u);
}

// A kernel in the default stream may still use what a stream frees that is ordered behind it.
TEST_F(Pools, AFreeWaitsForTheDefaultStreamToo) {
  Stream stream, other(cudaStreamNonBlocking);
  Gate gate;
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&first, 4000, pool, stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  gate.close(nullptr);
  ASSERT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&second, 4000, pool, other), cudaSuccess);
  EXPECT_NE(first, second);
  gate.open();
  ASSERT_EQ(cudaFreeAsync(second, other), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Pools, ADestroyedPoolLivesAsLongAsItsBlocks) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t another = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&another, &props), cudaSuccess);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&first, 4000, another, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&second, 4000, another, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemPoolDestroy(another), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&first, 4000, another, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(first, 0, 4000), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Pools, UnusedMemoryGoesBackAtASynchronisation) {
  Stream stream;
  int* p = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&p), 4, pool, stream), cudaSuccess);
  cu2cpp::launch(store, 1, 1, 0, stream)(p, 7);
  int result = 0;
  ASSERT_EQ(cudaMemcpyAsync(&result, p, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(result, 7);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
}

TEST_F(Pools, FreesAreChecked) {
  void* p = nullptr;
  int local = 0;
  ASSERT_EQ(cudaMallocAsync(&p, 64, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFreeAsync(p, nullptr), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFreeAsync(&local, nullptr), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMallocAsync(&p, 64, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess); // the other kind of free takes it too
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
}

TEST_F(Pools, TheDefaultPoolStays) {
  cudaMemPool_t standard = nullptr, current = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&standard, 0), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  void* p = nullptr;
  ASSERT_EQ(cudaMallocAsync(&p, 64, nullptr), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 64u);
  ASSERT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemHigh), 64u);
  ASSERT_EQ(cudaDeviceSetMemPool(0, standard), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaDeviceSetMemPool(1, pool), cudaErrorInvalidDevice);
}

TEST_F(Pools, AllocationsInACaptureAreNodes) {
  Stream stream;
  int *p = nullptr, result = 0;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&p, 4, stream), cudaSuccess);
  cu2cpp::launch(store, 1, 1, 0, stream)(p, 9);
  ASSERT_EQ(cudaMemcpyAsync(&result, p, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    result = 0;
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(result, 9);
  }
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Pools, LimitsAndAccessAreKept) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = 4096;
  cudaMemPool_t small = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&small, &props), cudaSuccess);
  void* p = nullptr;
  EXPECT_CUDA_ERROR(cudaMallocFromPoolAsync(&p, 8192, small, nullptr), cudaErrorMemoryAllocation);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  ASSERT_EQ(cudaMemPoolGetAccess(&flags, small, &here), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  cudaMemAccessDesc revoke{here, cudaMemAccessFlagsProtNone};
  EXPECT_CUDA_ERROR(cudaMemPoolSetAccess(small, &revoke, 1), cudaErrorInvalidDevice);
  cudaMemAccessDesc toRead{here, cudaMemAccessFlagsProtRead};
  EXPECT_CUDA_ERROR(cudaMemPoolSetAccess(small, &toRead, 1), cudaErrorNotSupported);
  props.handleTypes = cudaMemHandleTypeFabric;
  cudaMemPool_t none = nullptr;
  EXPECT_CUDA_ERROR(cudaMemPoolCreate(&none, &props), cudaErrorNotSupported);
  EXPECT_EQ(cudaMemPoolDestroy(small), cudaSuccess);
}

} // namespace

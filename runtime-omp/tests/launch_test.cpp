// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: each block runs once with its indices, shared memory, validation of the configuration,
// launches by address.
#include <atomic>
#include <climits>
#include <string>

#include "runtime_test.h"

namespace {

using Launch = RuntimeTest;

void countBlock(int* counts) {
  const cu2cpp::Block& block = cu2cpp::thisBlock();
  const uint3 b = block.blockIdx;
  __atomic_fetch_add(&counts[b.x + block.gridDim.x * (b.y + block.gridDim.y * b.z)], 1,
                     __ATOMIC_RELAXED);
}

TEST_F(Launch, EachBlockRunsOnceWithItsIndex) {
  for (dim3 grid : {dim3(1), dim3(2), dim3(1000), dim3(7, 5, 3), dim3(1, 1, 64), dim3(3, 1000)}) {
    const std::size_t blocks = std::size_t(grid.x) * grid.y * grid.z;
    DeviceArray<int> counts(blocks);
    cu2cpp::launch(countBlock, grid, 1)(counts);
    EXPECT_EQ(counts.toHost(), std::vector<int>(blocks, 1))
        << grid.x << "," << grid.y << "," << grid.z;
  }
}

void scale(float* x, float a, int n) {
  const cu2cpp::Block& block = cu2cpp::thisBlock();
  cu2cpp::eachThread(block, [&](const uint3 threadIdx) {
    const int i = int(block.blockIdx.x * block.blockDim.x + threadIdx.x);
    if (i < n)
      x[i] = a * float(i);
  });
}

TEST_F(Launch, ArgumentsConvertToTheParameterTypes) {
  DeviceArray<float> x(100);
  cu2cpp::launch(scale, 4, 32)(x, 2, 100u); // int to float, unsigned to int
  const std::vector<float> result = x.toHost();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(result[std::size_t(i)], 2.0f * float(i));
}

void nothing() {}

cudaError_t launchNothing(dim3 grid, dim3 block, std::size_t sharedBytes = 0,
                          cudaStream_t stream = nullptr) {
  cu2cpp::launch(nothing, grid, block, sharedBytes, stream)();
  return cudaGetLastError();
}

TEST_F(Launch, ConfigurationsThatCudaRefusesAreRefused) {
  EXPECT_EQ(launchNothing(1, 1024), cudaSuccess);
  EXPECT_EQ(launchNothing(1, dim3(16, 1, 64)), cudaSuccess);
  EXPECT_EQ(launchNothing(dim3(1, 65535, 1), 1), cudaSuccess);
  EXPECT_EQ(launchNothing(0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(dim3(1, 0, 1), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, dim3(1, 1, 0)), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, 1025), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, dim3(33, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, dim3(1, 1, 65)), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, dim3(65536, 65536)), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(dim3(1, 65536, 1), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(dim3(1, 1, 65536), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(dim3(2147483648u, 1, 1), 1), cudaErrorInvalidValue);
}

void bounded() {}
const bool boundedHasLimits = cu2cpp::limitKernel(&bounded, 100, 40000);

TEST_F(Launch, AKernelsOwnLimitsCount) {
  ASSERT_TRUE(boundedHasLimits);
  const auto launchBounded = [](dim3 block, std::size_t sharedBytes = 0) {
    cu2cpp::launch(bounded, 1, block, sharedBytes)();
    return cudaGetLastError();
  };
  EXPECT_EQ(launchBounded(100), cudaSuccess);
  EXPECT_EQ(launchBounded(101), cudaErrorInvalidValue);
  EXPECT_EQ(launchBounded(dim3(10, 10, 2)), cudaErrorInvalidValue);
  EXPECT_EQ(launchBounded(1, 49152 - 40000), cudaSuccess);
  EXPECT_EQ(launchBounded(1, 49152 - 39999), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, 101), cudaSuccess) << "another kernel has no such limit";
  // Limits alone do not make a kernel known by its address.
  const void* const address = reinterpret_cast<const void*>(&bounded);
  EXPECT_CUDA_ERROR(::cudaLaunchKernel(address, 1, 1, nullptr, 0, nullptr),
                    cudaErrorInvalidResourceHandle);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 100);
  EXPECT_EQ(attributes.sharedSizeBytes, 40000u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 49152 - 40000);
}

void inPairs(int* blocks) {
  if (cu2cpp::inCluster(2) && cu2cpp::thisBlock().blockIdx.x < 4)
    blocks[cu2cpp::thisBlock().blockIdx.x] = 1;
}
const bool inPairsHasClusters = cu2cpp::limitKernel(&inPairs, 1024, 0, dim3(2));

TEST_F(Launch, AGridOfPartsOfClustersIsRefused) {
  ASSERT_TRUE(inPairsHasClusters);
  int blocks[4] = {};
  cu2cpp::launch(inPairs, 3, 1)(blocks);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
  cu2cpp::launch(inPairs, 4, 1)(blocks);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(blocks[0] + blocks[1] + blocks[2] + blocks[3], 4);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, inPairs), cudaSuccess);
  EXPECT_EQ(attributes.clusterDimMustBeSet, 1);
  EXPECT_EQ(attributes.requiredClusterWidth, 2);
  EXPECT_EQ(attributes.requiredClusterHeight, 1);
}

TEST_F(Launch, AStreamThatIsNoneIsRefused) {
  int notAStream = 0;
  EXPECT_EQ(launchNothing(1, 1, 0, reinterpret_cast<cudaStream_t>(&notAStream)),
            cudaErrorInvalidResourceHandle);
}

void checkShared(int* wrong, int tag) {
  const cu2cpp::Block& block = cu2cpp::thisBlock();
  int* const memory = cu2cpp::dynamicShared<int>();
  const std::size_t count = block.dynamicSharedBytes / sizeof(int);
  if (reinterpret_cast<std::uintptr_t>(memory) % 1024 != 0)
    ++*wrong;
  for (std::size_t i = 0; i < count; ++i)
    memory[i] = tag + int(block.blockIdx.x);
  for (std::size_t i = 0; i < count; ++i)
    if (memory[i] != tag + int(block.blockIdx.x))
      ++*wrong;
}

TEST_F(Launch, DynamicSharedMemoryBelongsToTheBlock) {
  DeviceArray<int> wrong(1);
  for (std::size_t bytes : {std::size_t(4), std::size_t(4096), std::size_t(48 * 1024)})
    cu2cpp::launch(checkShared, 100, 1, bytes)(wrong, int(bytes));
  EXPECT_EQ(wrong.toHost()[0], 0);
}

void usesMuch() { cu2cpp::dynamicShared<char>()[100 * 1024 - 1] = 1; }

TEST_F(Launch, MoreThan48KilobytesOfSharedMemoryOnlyOnRequest) {
  constexpr int bytes = 100 * 1024;
  cu2cpp::launch(usesMuch, 1, 1, bytes)();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(
      cudaFuncSetAttribute(usesMuch, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024),
      cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(usesMuch, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            cudaSuccess);
  cu2cpp::launch(usesMuch, 1, 1, bytes)();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, usesMuch), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, bytes);
  EXPECT_EQ(cudaFuncSetAttribute(usesMuch, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024),
            cudaSuccess);
}

struct Pair {
  int values[256];
};

void staticShared(int* wrong) {
  const int block = int(cu2cpp::thisBlock().blockIdx.x);
  Pair& first = cu2cpp::shared<Pair>([] {});
  double& second = cu2cpp::shared<double>([] {});
  second = block;
  for (int& value : first.values)
    value = block;
  for (int value : first.values)
    if (value != block)
      ++*wrong;
  if (second != block || reinterpret_cast<std::uintptr_t>(&second) % alignof(double) != 0)
    ++*wrong;
}

TEST_F(Launch, StaticSharedVariablesAreApart) {
  DeviceArray<int> wrong(1);
  cu2cpp::launch(staticShared, 100, 1)(wrong);
  EXPECT_EQ(wrong.toHost()[0], 0);
}

void add(int* out, int a, long long b, Pair p) { *out = a + int(b) + p.values[255]; }

TEST_F(Launch, ByAddressWithAnArrayOfArguments) {
  DeviceArray<int> out(1);
  int* where = out;
  int a = 1;
  long long b = 20;
  Pair p{};
  p.values[255] = 300;
  void* arguments[] = {&where, &a, &b, &p};
  const void* untyped = reinterpret_cast<const void*>(cu2cpp::kernelAddress(add));
  EXPECT_EQ(cudaLaunchKernel(untyped, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(out.toHost()[0], 321);
  a = 2; // arguments are read at the launch
  EXPECT_EQ(cudaLaunchKernel(add, dim3(1), dim3(1), arguments), cudaSuccess);
  a = 3;
  EXPECT_EQ(out.toHost()[0], 322);
}

TEST_F(Launch, AnUnknownAddressIsRefused) {
  int notAKernel = 0;
  EXPECT_CUDA_ERROR(cudaLaunchKernel(static_cast<const void*>(&notAKernel), dim3(1), dim3(1),
                                     nullptr, 0, nullptr),
                    cudaErrorInvalidResourceHandle);
  EXPECT_CUDA_ERROR(
      cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0, nullptr),
      cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, WithAConfigurationObject) {
  DeviceArray<int> out(1);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  Pair p{};
  int* where = out;
  EXPECT_EQ(cudaLaunchKernelEx(&config, add, where, 5, 6LL, p), cudaSuccess);
  EXPECT_EQ(out.toHost()[0], 11);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&config, add, where, 5, 7LL, p), cudaSuccess);
  EXPECT_EQ(out.toHost()[0], 12);
  attribute.id = static_cast<cudaLaunchAttributeID>(63); // none that the library knows
  EXPECT_CUDA_ERROR(cudaLaunchKernelEx(&config, add, where, 5, 6LL, p), cudaErrorNotSupported);
}

void writeSeven(int* out) { *out = 7; }
void launchChild(int* out) { cu2cpp::launch(writeSeven, 1, 1)(out); }

TEST_F(Launch, FromAKernelRunsBeforeTheKernelCountsAsComplete) {
  DeviceArray<int> out(1);
  cu2cpp::launch(launchChild, 1, 1)(out);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.toHost()[0], 7);
}

// A kernel that may be instantiated only at the launch comes as a callable.
TEST_F(Launch, OfACallable) {
  DeviceArray<int> out(1);
  int* where = out;
  struct Generic {
    void operator()(int* p, double x) const { *p = int(x); }
  };
  cu2cpp::launch(Generic{}, 1, 1)(where, 7.9);
  EXPECT_EQ(out.toHost()[0], 7);
}

// Blocks start in ascending order, so a block may wait for those before it (look-back scans).
void waitForLowerBlock(int* done) {
  const unsigned block = cu2cpp::thisBlock().blockIdx.x;
  if (block > 0)
    while (__atomic_load_n(&done[block - 1], __ATOMIC_ACQUIRE) == 0)
      sched_yield();
  __atomic_store_n(&done[block], 1, __ATOMIC_RELEASE);
}

TEST_F(Launch, ABlockMayWaitForLowerBlocks) {
  DeviceArray<int> done(5000);
  cu2cpp::launch(waitForLowerBlock, 5000, 1)(done);
  EXPECT_EQ(done.toHost(), std::vector<int>(5000, 1));
}

TEST_F(Launch, OccupancyFillsAProcessor) {
  int blocks = 0, size = 0, grid = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing), cudaSuccess);
  EXPECT_EQ(size, 1024);
  EXPECT_GE(grid, 2);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing, 0, 128), cudaSuccess);
  EXPECT_EQ(size, 128);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &size, nothing,
                                                           [](int b) { return b * 100; }),
            cudaSuccess);
  EXPECT_LE(size * 100, 48 * 1024);
}

// The threads for which a comparison holds, by comparing in each.
template <class Holds> void expectRange(const cu2cpp::Inside& range, Holds holds) {
  ASSERT_TRUE(range.isKnown());
  for (int thread = 0; thread < 1024; ++thread)
    ASSERT_EQ(unsigned(thread) >= range.begin() && unsigned(thread) < range.end(), holds(thread))
        << "thread " << thread;
}

TEST(Inside, RangesAreThoseForWhichTheComparisonsHold) {
  for (const int step : {1, 2, 3, 64})
    for (const int first : {-2100, -7, -1, 0, 1, 6, 1023, 5000})
      for (const int bound :
           {-70000, -2100, -8, -7, -1, 0, 1, 2, 5, 63, 64, 1022, 2046, 2047, 9999}) {
        const auto value = [&](int thread) { return first + step * thread; };
        const unsigned by = unsigned(step);
        expectRange(cu2cpp::Inside().below(first, bound, by),
                    [&](int t) { return value(t) < bound; });
        expectRange(cu2cpp::Inside().atMost(first, bound, by),
                    [&](int t) { return value(t) <= bound; });
        expectRange(cu2cpp::Inside().above(first, bound, by),
                    [&](int t) { return value(t) > bound; });
        expectRange(cu2cpp::Inside().atLeast(first, bound, by),
                    [&](int t) { return value(t) >= bound; });
      }
  // Values that would wrap around within the longest row make no range.
  EXPECT_TRUE(cu2cpp::Inside().below(INT_MAX - 1024, 5).isKnown());
  EXPECT_FALSE(cu2cpp::Inside().below(INT_MAX - 1023, 5).isKnown());
  EXPECT_TRUE(cu2cpp::Inside().below(INT_MAX - 2048, 5, 2).isKnown());
  EXPECT_FALSE(cu2cpp::Inside().below(INT_MAX - 2047, 5, 2).isKnown());
}

TEST(Inside, RangesOfValuesThatFallFromThreadToThread) {
  using cu2cpp::falling;
  for (const int step : {1, 2, 3, 64})
    for (const int first : {-2100, -7, -1, 0, 1, 6, 1023, 5000})
      for (const int bound : {-70000, -2100, -8, -7, -1, 0, 1, 2, 5, 63, 64, 1022, 2047, 9999}) {
        const auto value = [&](int thread) { return first - step * thread; };
        const unsigned by = unsigned(step);
        expectRange(cu2cpp::Inside().below(falling(first), bound, by),
                    [&](int t) { return value(t) < bound; });
        expectRange(cu2cpp::Inside().atMost(falling(first), bound, by),
                    [&](int t) { return value(t) <= bound; });
        expectRange(cu2cpp::Inside().above(falling(first), bound, by),
                    [&](int t) { return value(t) > bound; });
        expectRange(cu2cpp::Inside().atLeast(falling(first), bound, by),
                    [&](int t) { return value(t) >= bound; });
        // Below zero unsigned values are large.
        if (bound < 0)
          continue;
        expectRange(cu2cpp::Inside().below(falling(unsigned(first)), bound, by),
                    [&](int t) { return unsigned(value(t)) < unsigned(bound); });
        expectRange(cu2cpp::Inside().atMost(falling(first), unsigned(bound), by),
                    [&](int t) { return unsigned(value(t)) <= unsigned(bound); });
      }
  EXPECT_FALSE(cu2cpp::Inside().atLeast(falling(5u), 3u).isKnown());
  EXPECT_TRUE(cu2cpp::Inside().atLeast(falling(1024u), 3u).isKnown());
  EXPECT_TRUE(cu2cpp::Inside().below(falling(5u), UINT_MAX - 1024).isKnown());
  EXPECT_FALSE(cu2cpp::Inside().below(falling(5u), UINT_MAX - 1023).isKnown());
  EXPECT_FALSE(cu2cpp::Inside().below(falling(5u), 9ull).isKnown());
  EXPECT_TRUE(cu2cpp::Inside().below(falling(INT_MIN + 1024), 5).isKnown());
  EXPECT_FALSE(cu2cpp::Inside().below(falling(INT_MIN + 1023), 5).isKnown());
}

TEST(Inside, StepsAreProductsThatFit) {
  EXPECT_EQ(cu2cpp::stepOf(2, 5u, 3ll), 30u);
  EXPECT_EQ(cu2cpp::stepOf(1 << 10, 1 << 10), 1u << 20);
  EXPECT_EQ(cu2cpp::stepOf(1 << 10, (1 << 10) + 1), 0u);
  EXPECT_EQ(cu2cpp::stepOf(3, -1), 0u);
  EXPECT_EQ(cu2cpp::stepOf(0, 3), 0u);
  EXPECT_EQ(cu2cpp::stepOf(1ull << 63, 2), 0u);
  EXPECT_FALSE(cu2cpp::Inside().below(0, 5, 0).isKnown());
  EXPECT_TRUE(cu2cpp::Inside().below(0, 5, 1u << 20).isKnown());
}

// Counts the threads of two ranges, and all where nothing is known of the range, of which each
// must ask for itself then.
void apart(int* visits, int bound, int step) {
  const cu2cpp::Block& block = cu2cpp::thisBlock();
  const auto visit = [&](const auto isInside, const cu2cpp::Thread thread) {
    visits[thread.index] += isInside == (step > 0);
  };
  cu2cpp::eachThreadApart(
      block, cu2cpp::Inside().atLeast(0, 3, 1).below(0, bound, cu2cpp::stepOf(step)), visit);
  cu2cpp::eachThreadApart(
      block,
      [&](const uint3& first) {
        return cu2cpp::Inside().below(int(first.y), bound, cu2cpp::stepOf(step));
      },
      visit);
}

TEST_F(Launch, ThreadsApartAreThoseOfTheRange) {
  for (const int step : {1, 7, 0, -1}) {
    DeviceArray<int> visits(60);
    cu2cpp::launch(apart, 1, dim3(20, 3))(visits, 15, step);
    const std::vector<int> host = visits.toHost();
    for (int i = 0; i < 60; ++i) {
      const int x = i % 20, y = i / 20;
      const int expected =
          step <= 0 ? 2 : (x >= 3 && step * x < 15 ? 1 : 0) + (y + step * x < 15 ? 1 : 0);
      EXPECT_EQ(host[i], expected) << "step " << step << " thread " << i;
    }
  }
}

} // namespace

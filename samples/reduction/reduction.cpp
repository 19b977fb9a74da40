// Translated from reduction.cu by cu2cpp.
#include <cu2cpp/launch.h>
// The sum, the smallest and the largest of an array, in one pass: warp shuffles within a warp, shared memory between the
// warps of a block, atomics between blocks.
//
//   reduction [elements]
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

struct Result {
  unsigned long long sum;
  int smallest;
  int largest;
};

// Each step halves the distance between the lanes that add up; after five, lane 0 has the warp's sum.
static inline long long warpSum(long long value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}
// warpSum() for all threads of a group at once.
template <class CuGroup>
CU2CPP_INLINE static inline cu2cpp::PerLane<long long> warpSum(const CuGroup& cuWarp, const cu2cpp::Lanes cuLanes, cu2cpp::PerLane<long long> cuEach_value) {
  cu2cpp::PerLane<long long> cuResult;
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    { const auto cuCall1 = cu2cpp::together::__shfl_down_sync(cuWarp, cuLanes, 0xffffffffu, cuEach_value, distance);
    cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
    auto& value = cuEach_value[cuThisThread];
        value += cuCall1[cuThisThread];
    }); }
  cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
  auto& value = cuEach_value[cuThisThread];
  cuResult[cuThisThread] = value;
  });
  return cuResult;
}

template <int threads> void reduce(const int* in, int n, Result* out) {
  cu2cpp::runBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 gridDim = cuBlock.gridDim;
  cu2cpp::PerThread<long long> cuEach_sum(cuBlock);
  cu2cpp::PerThread<int> cuEach_low(cuBlock);
  cu2cpp::PerThread<int> cuEach_high(cuBlock);
  alignas(64) long long sums[threads / 32];
  int smallest, largest;
  cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
  const int lane = threadIdx.x % 32; const int warp = threadIdx.x / 32;
  });
  cu2cpp::eachThreadAt(cuBlock, 0, [&](const uint3 threadIdx) {
  if (threadIdx.x == 0) {
    smallest = INT_MAX;
    largest = INT_MIN;
  }
  });
  // __syncthreads();

  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  auto& sum = cuEach_sum[cuThisThread];
  auto& low = cuEach_low[cuThisThread];
  auto& high = cuEach_high[cuThisThread];
  sum = 0;
  low = INT_MAX; high = INT_MIN;
  });
  { int cuStep_i = blockIdx.x * threads;
  for (bool cuMore1 = true; cuMore1; cuStep_i += gridDim.x * threads, cu2cpp::prefetchRow(cuBlock, in, cuStep_i, gridDim.x * threads)) {
    cuMore1 = cu2cpp::eachThreadRising(cuBlock, [&](const uint3 threadIdx) { const int i = cuStep_i + int(threadIdx.x); return i < n; }, [&](const cu2cpp::Thread cuThisThread) {
    const uint3 threadIdx = cuThisThread.threadIdx;
    auto& sum = cuEach_sum[cuThisThread];
    auto& low = cuEach_low[cuThisThread];
    auto& high = cuEach_high[cuThisThread];
    const int i = cuStep_i + int(threadIdx.x);
    const int value = in[i];
    sum += value;
    low = min(low, value);
    high = max(high, value);
    });
  } }
  cu2cpp::eachWarp(cuBlock, [&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {
  const auto cuCall2 = warpSum(cuWarp, cuLanes, cuEach_sum.lanes(cuWarp));
  cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  auto& sum = cuEach_sum[cuThisThread];
  sum = cuCall2[cuThisThread];
  if (lane == 0)
    sums[warp] = sum;
  });
  const auto cuCall3 = cu2cpp::together::__reduce_min_sync(cuWarp, cuLanes, 0xffffffffu, cuEach_low.lanes(cuWarp));
  cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
  auto& low = cuEach_low[cuThisThread];
  low = cuCall3[cuThisThread];
  });
  const auto cuCall4 = cu2cpp::together::__reduce_max_sync(cuWarp, cuLanes, 0xffffffffu, cuEach_high.lanes(cuWarp));
  cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  const int lane = threadIdx.x % 32;
  auto& low = cuEach_low[cuThisThread];
  auto& high = cuEach_high[cuThisThread];
  high = cuCall4[cuThisThread];
  if (lane == 0) {
    cu2cpp::inTurn::atomicMin(&smallest, low);
    cu2cpp::inTurn::atomicMax(&largest, high);
  }
  });
  });
  // __syncthreads();

  cu2cpp::eachWarp(cuBlock, [&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {
  const cu2cpp::Lanes cuLanes2 = cu2cpp::lanesWhereAlike(cuWarp, cuLanes, [&](const uint3 threadIdx) { const int warp = threadIdx.x / 32; return warp == 0; });
  if (cuLanes2.any()) {
    const auto cuCall6 = warpSum(cuWarp, cuLanes2, cu2cpp::perLane<long long>(cuWarp, cuLanes2, [&](const uint3 threadIdx) { const int lane = threadIdx.x % 32; return lane < threads / 32 ? sums[lane] : 0; }));
    cu2cpp::eachLane(cuWarp, cuLanes2, [&](const cu2cpp::Lane cuThisThread) {
    const uint3 threadIdx = cuThisThread.threadIdx;
    const int lane = threadIdx.x % 32;
    auto& sum = cuEach_sum[cuThisThread];
    sum = cuCall6[cuThisThread];
    if (lane == 0) {
      atomicAdd(&out->sum, static_cast<unsigned long long>(sum));
      atomicMin(&out->smallest, smallest);
      atomicMax(&out->largest, largest);
    }
    });
  }
  });
});
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 24;
  std::vector<int> host(n);
  unsigned state = 1;
  Result expected = {0, INT_MAX, INT_MIN};
  for (int& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 8) - (1 << 23);
    expected.sum += value;
    expected.smallest = value < expected.smallest ? value : expected.smallest;
    expected.largest = value > expected.largest ? value : expected.largest;
  }

  int* in;
  Result *out, result = {0, INT_MAX, INT_MIN};
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, sizeof(Result)));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(out, &result, sizeof(Result), cudaMemcpyHostToDevice));

  constexpr int threads = 256;
  const auto start = std::chrono::steady_clock::now();
  cu2cpp::launch(reduce<threads>, 128, threads)(in, n, out);
  CHECK(cudaDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(cudaMemcpy(&result, out, sizeof(Result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  const bool right = result.sum == expected.sum && result.smallest == expected.smallest &&
                     result.largest == expected.largest;
  std::printf("%d elements: sum %lld, from %d to %d; %.1f ms, %.1f GB/s\n%s\n", n,
              static_cast<long long>(result.sum), result.smallest, result.largest, seconds * 1e3,
              n * sizeof(int) / seconds / 1e9, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}

// Threads that a block may have, and bytes of shared variables.
[[maybe_unused]] static const bool cu2cppLimits[] = {
    cu2cpp::limitKernel(&::reduce<256>, 1024, 72),
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch, a copy, an event and a reused block of a pool cost the host, in Google Benchmark's table:
//   cu2cc -Xcompiler -fopenmp bench/micro/launch_cost.cu -lbenchmark -lpthread
#include <benchmark/benchmark.h>

__global__ void touch(int* counters) { ++counters[blockIdx.x * 64]; }

namespace {

struct Memory {
  int* at = nullptr;
  explicit Memory(size_t bytes) {
    cudaMalloc(&at, bytes);
    cudaMemset(at, 0, bytes);
  }
  ~Memory() { cudaFree(at); }
};

void LaunchAndWait(benchmark::State& state) {
  const auto blocks = unsigned(state.range(0));
  const Memory counters(64 * sizeof(int) * blocks);
  for (auto _ : state) {
    touch<<<blocks, 1>>>(counters.at);
    cudaDeviceSynchronize();
  }
}
BENCHMARK(LaunchAndWait)->Arg(1)->Arg(4)->Arg(64)->Arg(1024);

// What a team of threads takes for the same work without a runtime: a region with a share of the blocks for each.
void BareRegion(benchmark::State& state) {
  const int blocks = int(state.range(0));
  const Memory counters(64 * sizeof(int) * blocks);
  int* const at = counters.at;
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < blocks; ++i)
      ++at[i * 64];
  }
}
BENCHMARK(BareRegion)->Arg(4);

// A thousand launches and one wait; the time is that of one launch. Those of four blocks should not take more than one
// and a half bare regions.
void ManyLaunches(benchmark::State& state) {
  const auto blocks = unsigned(state.range(0));
  const Memory counters(64 * sizeof(int) * blocks);
  while (state.KeepRunningBatch(1000)) {
    for (int i = 0; i < 1000; ++i)
      touch<<<blocks, 1>>>(counters.at);
    cudaDeviceSynchronize();
  }
}
BENCHMARK(ManyLaunches)->Arg(1)->Arg(4);

void SmallCopyToHost(benchmark::State& state) {
  const Memory from(64);
  int to[16];
  for (auto _ : state)
    cudaMemcpy(to, from.at, sizeof to, cudaMemcpyDeviceToHost);
}
BENCHMARK(SmallCopyToHost);

void RecordAnEvent(benchmark::State& state) {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (auto _ : state)
    cudaEventRecord(event, nullptr);
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
}
BENCHMARK(RecordAnEvent);

void RecordAndWait(benchmark::State& state) {
  cudaEvent_t event;
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (auto _ : state) {
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
  }
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
BENCHMARK(RecordAndWait);

void ReusedBlockOfAPool(benchmark::State& state) {
  cudaMemPool_t pool;
  unsigned long long all = ~0ull;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
  for (auto _ : state) {
    void* p = nullptr;
    cudaMallocAsync(&p, size_t(state.range(0)), nullptr);
    cudaFreeAsync(p, nullptr);
  }
  cudaDeviceSynchronize();
}
BENCHMARK(ReusedBlockOfAPool)->Arg(1 << 10)->Arg(1 << 20);

} // namespace

BENCHMARK_MAIN();

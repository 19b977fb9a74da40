// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a barrier and a warp function cost a thread, in Google Benchmark's table. Build it twice to compare the forms:
//   cu2cc bench/micro/barrier_cost.cu -lbenchmark -lpthread                          split
//   cu2cc bench/micro/barrier_cost.cu -lbenchmark -lpthread --cu2cpp-form=fibers     fibers
#include <benchmark/benchmark.h>

constexpr int threads = 256, rounds = 100;

__global__ void barriers(int* out) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = out[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    __syncthreads();
    const int next = tile[(threadIdx.x + 1) % threads];
    __syncthreads();
    tile[threadIdx.x] = next + 1;
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void shuffles(int* out) {
  int value = out[threadIdx.x];
  for (int i = 0; i < rounds; ++i)
    value += __shfl_xor_sync(0xffffffffu, value, 1);
  out[threadIdx.x] = value;
}

template <class Launch> static void measure(benchmark::State& state, int waits, Launch launch) {
  int* out = nullptr;
  cudaMalloc(&out, threads * sizeof(int));
  cudaMemset(out, 0, threads * sizeof(int));
  for (auto _ : state) {
    launch(out);
    cudaDeviceSynchronize();
  }
  state.counters["per_thread_and_wait"] = benchmark::Counter(
      threads * waits, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  cudaFree(out);
}

static void Barriers(benchmark::State& state) {
  measure(state, 2 * rounds, [](int* out) { barriers<<<1, threads>>>(out); });
}
static void Shuffles(benchmark::State& state) {
  measure(state, rounds, [](int* out) { shuffles<<<1, threads>>>(out); });
}
BENCHMARK(Barriers);
BENCHMARK(Shuffles);
BENCHMARK_MAIN();

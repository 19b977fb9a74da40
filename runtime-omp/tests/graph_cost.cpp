// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what graphs and pools cost beside launches one by one: a chain of small kernels, a record,
// a wait, a reused block of a pool. Best of several rounds; not a test, the numbers depend on the
// machine.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <cu2cpp/launch.h>

namespace {

void touch(int* counter) { ++*counter; }

template <class Body> double bestMicroseconds(int repetitions, Body body) {
  double best = 1e30;
  for (int round = 0; round < 30; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repetitions; ++i)
      body();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / repetitions);
  }
  return best;
}

} // namespace

int main() {
  constexpr int nodes = 100;
  int* counter = nullptr;
  cudaMalloc(&counter, 64);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  const double single = bestMicroseconds(20, [&] {
    for (int i = 0; i < nodes; ++i)
      cu2cpp::launch(touch, 1, 1, 0, stream)(counter);
    cudaStreamSynchronize(stream);
  });
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < nodes; ++i)
    cu2cpp::launch(touch, 1, 1, 0, stream)(counter);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  const double whole = bestMicroseconds(20, [&] {
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
  });
  std::printf("chain of %d kernels: one by one %.3f us each, as a graph %.3f us each (%.2f)\n",
              nodes, single / nodes, whole / nodes, whole / single);
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  std::printf("record and wait for an event: %.3f us\n", bestMicroseconds(1000, [&] {
                cudaEventRecord(event, stream);
                cudaStreamWaitEvent(stream, event, 0);
              }));
  cudaMemPool_t pool = nullptr;
  unsigned long long most = ~0ull;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
  std::printf("reused block of a pool, allocated and freed: %.3f us\n", bestMicroseconds(1000, [&] {
                void* p = nullptr;
                cudaMallocAsync(&p, 1 << 20, stream);
                cudaFreeAsync(p, stream);
              }));
  cudaStreamSynchronize(stream);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a node of a graph costs beside the same kernel launched by itself, in Google Benchmark's table; the time is that of
// one kernel. A node may take a third of a launch at most.
//   cu2cc bench/micro/graph_cost.cu -lbenchmark -lpthread
#include <benchmark/benchmark.h>

__global__ void touch(int* counter) { ++*counter; }

namespace {

constexpr int nodes = 100;

struct Setting {
  cudaStream_t stream = nullptr;
  int* counters = nullptr;
  Setting() {
    cudaStreamCreate(&stream);
    cudaMalloc(&counters, nodes * 64 * sizeof(int));
    cudaMemset(counters, 0, nodes * 64 * sizeof(int));
  }
  ~Setting() {
    cudaStreamDestroy(stream);
    cudaFree(counters);
  }
};

void OneByOne(benchmark::State& state) {
  const Setting at;
  while (state.KeepRunningBatch(nodes)) {
    for (int i = 0; i < nodes; ++i)
      touch<<<1, 1, 0, at.stream>>>(at.counters);
    cudaStreamSynchronize(at.stream);
  }
}
BENCHMARK(OneByOne);

void launchGraph(benchmark::State& state, const Setting& at, cudaGraph_t graph) {
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  while (state.KeepRunningBatch(nodes)) {
    cudaGraphLaunch(exec, at.stream);
    cudaStreamSynchronize(at.stream);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

void ChainInAGraph(benchmark::State& state) {
  const Setting at;
  cudaGraph_t graph;
  cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < nodes; ++i)
    touch<<<1, 1, 0, at.stream>>>(at.counters);
  cudaStreamEndCapture(at.stream, &graph);
  launchGraph(state, at, graph);
}
BENCHMARK(ChainInAGraph);

void IndependentInAGraph(benchmark::State& state) {
  const Setting at;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  for (int i = 0; i < nodes; ++i) {
    int* counter = at.counters + i * 64;
    void* arguments[] = {&counter};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(touch);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  }
  launchGraph(state, at, graph);
}
BENCHMARK(IndependentInAGraph);

void Instantiate(benchmark::State& state) {
  const Setting at;
  cudaGraph_t graph;
  cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < nodes; ++i)
    touch<<<1, 1, 0, at.stream>>>(at.counters);
  cudaStreamEndCapture(at.stream, &graph);
  while (state.KeepRunningBatch(nodes)) {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphExecDestroy(exec);
  }
  cudaGraphDestroy(graph);
}
BENCHMARK(Instantiate);

} // namespace

BENCHMARK_MAIN();

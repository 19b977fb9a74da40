// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A million launches, launches of a graph, events and allocations of both kinds, with graphs and
// streams made between them, leave the process as large as it was after the first tenth of them.
#include <cstdio>
#include <fstream>

#include <cu2cpp/launch.h>

namespace {

void count(int* p) { ++*p; }

long residentPages() {
  std::ifstream in("/proc/self/statm");
  long all = 0, resident = 0;
  in >> all >> resident;
  return resident;
}

cudaGraphExec_t captured(cudaStream_t stream, int* counter) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cu2cpp::launch(count, 1, 1, 0, stream)(counter);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  return exec;
}

void oneRound(cudaStream_t stream, int* counter) {
  const cudaGraphExec_t kept = captured(stream, counter);
  for (int i = 0; i < 100000; ++i) {
    cu2cpp::launch(count, 1, 1, 0, stream)(counter);
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    cudaEventDestroy(event);
    void* block = nullptr;
    cudaMallocAsync(&block, 1000, stream);
    cudaFreeAsync(block, stream);
    cudaMalloc(&block, 100);
    cudaFree(block);
    cudaGraphLaunch(kept, stream);
    if (i % 100 == 0) {
      const cudaGraphExec_t exec = captured(stream, counter);
      cudaGraphLaunch(exec, stream);
      cudaGraphExecDestroy(exec);
      cudaStream_t other = nullptr;
      cudaStreamCreate(&other);
      cudaStreamDestroy(other);
    }
  }
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(kept);
}

} // namespace

int main() {
  int* counter = nullptr;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  oneRound(stream, counter);
  const long before = residentPages();
  for (int round = 1; round < 10; ++round)
    oneRound(stream, counter);
  const long after = residentPages();
  int total = 0;
  cudaMemcpy(&total, counter, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("%ld pages resident, then %ld; %d kernels\n", before, after, total);
  const bool flat = after - before < 512 && total == 2010000 && cudaGetLastError() == cudaSuccess;
  std::printf(flat ? "PASS\n" : "FAIL\n");
  return flat ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that a kernel's bounds and shared variables forbid fail in graphs and captures, too; a
// capture in which one fails is worth nothing. Occupancy counts both.
#include <cstdio>

__global__ void __launch_bounds__(256) bounded(int* out) { out[threadIdx.x] = 1; }
__global__ void large(int* out) {
  __shared__ int memory[10000];
  for (int i = threadIdx.x; i < 10000; i += blockDim.x)
    memory[i] = out[i % 256];
  __syncthreads();
  out[threadIdx.x] = memory[(threadIdx.x * 7 + 1) % 10000];
}

void show(const char* what, cudaError_t error) {
  printf("%-28s %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

template <class Launch> void capture(const char* what, Launch launch) {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  launch(stream);
  show(what, cudaGetLastError());
  cudaStreamCaptureStatus status;
  show("  its state", cudaStreamIsCapturing(stream, &status));
  printf("  %d\n", int(status));
  show("  end", cudaStreamEndCapture(stream, &graph));
  printf("  %s\n", graph ? "graph" : "no graph");
  if (graph)
    cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  int* out;
  cudaMalloc(&out, 4096 * sizeof(int));
  cudaMemset(out, 0, 4096 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&out};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(bounded);
  params.gridDim = 1;
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  params.blockDim = 257;
  show("node of 257", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  params.blockDim = 256;
  show("node of 256", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  params.blockDim = dim3(16, 17);
  show("set to 16 x 17", cudaGraphKernelNodeSetParams(node, &params));
  params.blockDim = dim3(16, 16);
  show("set to 16 x 16", cudaGraphKernelNodeSetParams(node, &params));
  cudaGraphExec_t exec;
  show("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  params.blockDim = 512;
  show("set in the executable", cudaGraphExecKernelNodeSetParams(exec, node, &params));
  show("launch", cudaGraphLaunch(exec, nullptr));
  show("wait", cudaDeviceSynchronize());
  params.func = reinterpret_cast<void*>(large);
  params.blockDim = 32;
  params.sharedMemBytes = 49152 - 40000;
  show("node with 9152 bytes", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  params.sharedMemBytes = 49152 - 39999;
  show("node with 9153 bytes", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));

  capture("captured 256", [=](cudaStream_t s) { bounded<<<1, 256, 0, s>>>(out); });
  capture("captured 257", [=](cudaStream_t s) { bounded<<<1, 257, 0, s>>>(out); });
  capture("captured 1025", [=](cudaStream_t s) { bounded<<<1, 1025, 0, s>>>(out); });
  capture("captured by address", [=](cudaStream_t s) {
    int* copy = out;
    void* list[] = {&copy};
    cudaLaunchKernel(reinterpret_cast<void*>(bounded), 1, 300, list, 0, s);
  });
  capture("captured large", [=](cudaStream_t s) { large<<<1, 32, 10000, s>>>(out); });

  int* copy = out;
  void* list[] = {&copy};
  show("by address", cudaLaunchKernel(reinterpret_cast<void*>(bounded), 1, 257, list, 0, nullptr));
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 257;
  show("by configuration", cudaLaunchKernelEx(&config, bounded, out));
  show("cooperative", cudaLaunchCooperativeKernel(reinterpret_cast<void*>(bounded), 1, 257, list, 0, nullptr));

  int blocks = -1, grid = 0, size = 0;
  for (int threads : {128, 256, 257, 1024}) {
    show("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, threads, 0));
    printf("  %d threads: %d\n", threads, blocks);
  }
  for (int bytes : {0, 9152, 9153, 20000}) {
    show("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large, 128, bytes));
    printf("  40000 + %d bytes: %d\n", bytes, blocks);
  }
  show("raised", cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 20000));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large, 128, 20000);
  printf("  40000 + 20000 bytes: %d\n", blocks);
  show("too far", cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 39999));
  show("all there is", cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 40000));
  for (int count : {1, 2, 4, 5, 6}) {
    size_t bytes = 7;
    show("available", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, large, count, 128));
    printf("  %d blocks: %zu\n", count, bytes);
  }
  show("potential", cudaOccupancyMaxPotentialBlockSize(&grid, &size, bounded, 0, 0));
  printf("  %d\n", size);
  show("potential, limit 100", cudaOccupancyMaxPotentialBlockSize(&grid, &size, bounded, 0, 100));
  printf("  %d\n", size);
  show("end", cudaDeviceSynchronize());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A captured fork and join over events gives a graph with the right nodes and edges, and the right results at each launch.
#include <cstdio>

__global__ void add(int* data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

__global__ void combine(int* out, const int* a, const int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += a[i] * b[i];
}

int main() {
  const int n = 1000;
  int *a, *b, *out;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(a, 0, n * sizeof(int), first);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  cudaMemsetAsync(b, 0, n * sizeof(int), second);
  add<<<4, 256, 0, second>>>(b, n, 5);
  add<<<4, 256, 0, first>>>(a, n, 3);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  combine<<<4, 256, 0, first>>>(out, a, b, n);
  cudaGraph_t graph;
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));

  size_t nodes = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  printf("%d nodes, %d roots\n", int(nodes), int(roots));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int launch = 0; launch < 3; ++launch)
    cudaGraphLaunch(exec, first);
  printf("synchronize: %s\n", cudaGetErrorName(cudaStreamSynchronize(first)));
  static int host[n];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != 45;
  printf("first %d last %d wrong %d\n", host[0], host[n - 1], wrong);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return wrong != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream and events that are made, used and destroyed within a capture: their work is part of the
// graph.
#include <cstdio>

__global__ void addOne(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

__global__ void timesThree(const int* p, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    q[i] = p[i] * 3;
}

void fill(cudaStream_t stream, int* host, int n) {
  int *p, *q;
  cudaStream_t side;
  cudaEvent_t added, tripled;
  printf("%s\n", cudaGetErrorString(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking)));
  cudaEventCreate(&added);
  cudaEventCreate(&tripled);
  cudaMallocAsync(&p, n * sizeof(int), stream);
  cudaMallocAsync(&q, n * sizeof(int), stream);
  cudaMemcpyAsync(p, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  addOne<<<(n + 63) / 64, 64, 0, stream>>>(p, n);
  cudaEventRecord(added, stream);
  cudaStreamWaitEvent(side, added, 0);
  timesThree<<<(n + 63) / 64, 64, 0, side>>>(p, q, n);
  cudaMemcpyAsync(host, q, n * sizeof(int), cudaMemcpyDeviceToHost, side);
  cudaFreeAsync(q, side);
  cudaEventRecord(tripled, side);
  cudaStreamWaitEvent(stream, tripled, 0);
  cudaFreeAsync(p, stream);
  printf("%s\n", cudaGetErrorString(cudaStreamDestroy(side)));
  printf("%s\n", cudaGetErrorString(cudaEventDestroy(added)));
  printf("%s\n", cudaGetErrorString(cudaEventDestroy(tripled)));
}

int main() {
  const int n = 1000;
  int* host;
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill(stream, host, n);
  printf("%s\n", cudaGetErrorString(cudaStreamEndCapture(stream, &graph)));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("%zu nodes\n", nodes);
  printf("%s\n", cudaGetErrorString(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0)));
  for (int round = 0; round < 2; ++round) {
    cudaGraphLaunch(exec, stream);
    printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
    printf("%d %d\n", host[1], host[n - 1]);
  }
  return 0;
}

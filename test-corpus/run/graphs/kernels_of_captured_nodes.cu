// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a captured kernel node says of its kernel is enough to change its arguments and to add it to another graph.
#include <cstdio>

__global__ void scale(float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= a;
}
template <int K> __global__ void add(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += K;
}

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = (call);                                                              \
    if (error != cudaSuccess)                                                                      \
      printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                                  \
  } while (0)

int main() {
  float *x, host[100];
  CHECK(cudaMalloc(&x, sizeof(host)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  scale<<<2, 64, 0, stream>>>(x, 3.f, 100);
  add<5><<<4, 32, 0, stream>>>(x, 100);
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t count = 2;
  cudaGraphNode_t nodes[2];
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));

  const auto show = [&](const char* what, cudaGraphExec_t run) {
    for (float& v : host)
      v = 1;
    CHECK(cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost));
    printf("%s: %g %g\n", what, host[7], host[77]);
  };
  show("captured", exec);
  cudaGraph_t other;
  CHECK(cudaGraphCreate(&other, 0));
  for (cudaGraphNode_t node : nodes) {
    cudaKernelNodeParams parameters;
    CHECK(cudaGraphKernelNodeGetParams(node, &parameters));
    float factor = 10;
    int half = 50;
    void* scaleArguments[] = {&x, &factor, &half};
    void* addArguments[] = {&x, &half};
    parameters.kernelParams =
        parameters.gridDim.x == 2 ? scaleArguments : addArguments;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
    cudaGraphNode_t copy;
    parameters.gridDim.x = 1;
    CHECK(cudaGraphAddKernelNode(&copy, other, nullptr, 0, &parameters));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, parameters.func));
  }
  show("changed", exec);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programming Guide, 'Programmatic Dependent Launch and Synchronization': a second kernel may begin while the first still
// runs, and waits for its results; in a stream, with an event, and captured into a graph.
#include <cstdio>

__global__ void primary(int* data, int value) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = value + int(threadIdx.x);
  cudaTriggerProgrammaticLaunchCompletion();
  // What comes behind the trigger is visible after the dependent's wait too.
  data[blockIdx.x * blockDim.x + threadIdx.x] += 1000;
}

__global__ void secondary(const int* data, int* out) {
  const int mine = int(threadIdx.x) * 2; // needs nothing of the first kernel
  cudaGridDependencySynchronize();
  atomicAdd(out, data[blockIdx.x * blockDim.x + threadIdx.x] + mine);
}

static void launchBoth(int* data, int value, int* out, cudaStream_t stream) {
  primary<<<4, 64, 0, stream>>>(data, value);
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  printf("launch %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, secondary, static_cast<const int*>(data), out)));
}

int main() {
  int *data, *out, host = 0;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 1; i < 4; ++i)
    launchBoth(data, i * 10, out, stream);
  printf("wait %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host);

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMemset(out, 0, sizeof(int));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  launchBoth(data, 5, out, stream);
  printf("end %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  cudaGraphNode_t from[4], to[4];
  cudaGraphEdgeData edges[4] = {};
  size_t count = 4;
  printf("edges %s", cudaGetErrorName(cudaGraphGetEdges(graph, from, to, edges, &count)));
  printf(" %d: type %d, port %d\n", int(count), int(edges[0].type), int(edges[0].from_port));
  printf("instantiate %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
  cudaGraphLaunch(exec, stream);
  printf("wait %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host);

  cudaGraph_t built;
  cudaGraphNode_t first, second;
  cudaGraphCreate(&built, 0);
  int value = 7;
  void *firstArguments[] = {&data, &value}, *secondArguments[] = {&data, &out};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(primary);
  params.gridDim = dim3(4);
  params.blockDim = dim3(64);
  params.kernelParams = firstArguments;
  cudaGraphAddKernelNode(&first, built, nullptr, 0, &params);
  params.func = reinterpret_cast<void*>(secondary);
  params.kernelParams = secondArguments;
  cudaGraphAddKernelNode(&second, built, nullptr, 0, &params);
  cudaGraphEdgeData edge = {};
  edge.from_port = cudaGraphKernelNodePortProgrammatic;
  edge.type = cudaGraphDependencyTypeProgrammatic;
  printf("edge %s\n", cudaGetErrorName(cudaGraphAddDependencies(built, &first, &second, &edge, 1)));
  count = 4;
  printf("plain query %s\n", cudaGetErrorName(cudaGraphGetEdges(built, from, to, nullptr, &count)));
  cudaGetLastError();
  printf("instantiate %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, built, 0)));
  cudaMemset(out, 0, sizeof(int));
  cudaGraphLaunch(exec, stream);
  printf("wait %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  return 0;
}

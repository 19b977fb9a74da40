// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -rdc=true -lcudadevrt
// Graphs that kernels launch: fire and forget, tail, sibling, a graph that launches itself again, and errors.
#include <cstdio>

#define SHOW(call) printf("%-86s %s\n", #call, cudaGetErrorName(call))

__global__ void add(int* p, int value) { atomicAdd(p, value); }
__global__ void scale(int* p) { *p *= 2; }

__global__ void launchForget(cudaGraphExec_t first, cudaGraphExec_t second, int* errors) {
  if (cudaGraphLaunch(first, cudaStreamGraphFireAndForget) != cudaSuccess)
    ++*errors;
  if (cudaGraphLaunch(second, cudaStreamGraphFireAndForget) != cudaSuccess)
    ++*errors;
}
__global__ void launchTail(cudaGraphExec_t first, cudaGraphExec_t second, int* errors) {
  if (cudaGraphLaunch(first, cudaStreamGraphTailLaunch) != cudaSuccess)
    ++*errors;
  if (cudaGraphLaunch(second, cudaStreamGraphTailLaunch) != cudaSuccess)
    ++*errors;
}
__global__ void launchSibling(cudaGraphExec_t graph, int* errors) {
  if (cudaGraphLaunch(graph, cudaStreamGraphFireAndForgetAsSibling) != cudaSuccess)
    ++*errors;
}
__global__ void again(int* p, int last, int* errors) {
  if (++*p < last && cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess)
    ++*errors;
}
__global__ void noGraph(int* isNull) { *isNull = cudaGetCurrentGraphExec() == nullptr; }

static cudaGraphExec_t make(void* function, void** arguments, int threads, bool forDevice, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(static_cast<unsigned>(threads));
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaGraphExec_t exec = nullptr;
  cudaError_t error = cudaGraphInstantiate(&exec, graph, forDevice ? cudaGraphInstantiateFlagDeviceLaunch : 0);
  printf("instantiate %s", cudaGetErrorName(error));
  error = cudaGraphUpload(exec, stream);
  printf(", upload %s\n", cudaGetErrorName(error));
  return exec;
}

static void show(const char* what, int* state) {
  const cudaError_t error = cudaDeviceSynchronize();
  int host[4];
  cudaMemcpy(host, state, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %s, %d %d %d, errors %d\n", what, cudaGetErrorName(error), host[0], host[1], host[2], host[3]);
  cudaMemset(state, 0, sizeof host);
}

int main() {
  int* state;
  cudaMalloc(&state, 4 * sizeof(int));
  cudaMemset(state, 0, 4 * sizeof(int));
  int *errors = state + 3, *second = state + 1, value = 5, one = 1, last = 7;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  void* addArguments[] = {&state, &value};
  cudaGraphExec_t adding = make(reinterpret_cast<void*>(add), addArguments, 4, true, stream);
  void* oneArguments[] = {&state, &one};
  cudaGraphExec_t addOne = make(reinterpret_cast<void*>(add), oneArguments, 1, true, stream);
  void* scaleArguments[] = {&state};
  cudaGraphExec_t scaling = make(reinterpret_cast<void*>(scale), scaleArguments, 1, true, stream);
  void* forgetArguments[] = {&adding, &addOne, &errors};
  cudaGraphExec_t forget = make(reinterpret_cast<void*>(launchForget), forgetArguments, 1, true, stream);
  void* tailArguments[] = {&addOne, &scaling, &errors};
  cudaGraphExec_t tail = make(reinterpret_cast<void*>(launchTail), tailArguments, 1, true, stream);
  void* siblingArguments[] = {&adding, &errors};
  cudaGraphExec_t sibling = make(reinterpret_cast<void*>(launchSibling), siblingArguments, 1, true, stream);
  void* againArguments[] = {&second, &last, &errors};
  cudaGraphExec_t repeating = make(reinterpret_cast<void*>(again), againArguments, 1, true, stream);
  void* noArguments[] = {&second};
  cudaGraphExec_t inside = make(reinterpret_cast<void*>(noGraph), noArguments, 1, true, stream);
  SHOW(cudaStreamSynchronize(stream));

  SHOW(cudaGraphLaunch(adding, stream));
  show("from the host", state);
  SHOW(cudaGraphLaunch(forget, stream));
  show("fire and forget", state);
  SHOW(cudaGraphLaunch(tail, stream));
  show("tail", state);
  SHOW(cudaGraphLaunch(sibling, stream));
  show("sibling", state);
  SHOW(cudaGraphLaunch(repeating, stream));
  show("itself", state);
  SHOW(cudaGraphLaunch(inside, stream));
  show("in a graph", state);
  noGraph<<<1, 1>>>(second);
  show("in no graph", state);
  unsigned long long flags = 0;
  SHOW(cudaGraphExecGetFlags(adding, &flags));
  printf("%llu\n", flags);

  printf("- what may not be launched\n");
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  cudaHostNodeParams host = {[](void*) {}, nullptr};
  cudaGraphCreate(&graph, 0);
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &host);
  SHOW(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  cudaGraphInstantiateParams how = {};
  how.flags = cudaGraphInstantiateFlagDeviceLaunch;
  SHOW(cudaGraphInstantiateWithParams(&exec, graph, &how));
  printf("%d %d\n", int(how.result_out), how.errNode_out == node);
  cudaGraph_t empty;
  cudaGraphCreate(&empty, 0);
  SHOW(cudaGraphInstantiate(&exec, empty, cudaGraphInstantiateFlagDeviceLaunch));
  SHOW(cudaGraphInstantiate(&exec, empty, cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}

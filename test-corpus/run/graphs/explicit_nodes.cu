// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit nodes of each kind, a child graph, a clone, disabled nodes, new parameters and updates.
#include <cstdio>

__global__ void addValue(int* data, int value) { atomicAdd(&data[threadIdx.x], value); }

static int hostCalls;
static void CUDART_CB count(void* p) { hostCalls += *static_cast<int*>(p); }

static void show(const char* what, const int* device) {
  int host[4];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %d %d %d %d, host calls %d\n", what, host[0], host[1], host[2], host[3], hostCalls);
}

static cudaGraphNode_t addKernel(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, int* data, int value) {
  void* arguments[] = {&data, &value};
  cudaKernelNodeParams params = {};
  params.func = (void*)addValue;
  params.gridDim = dim3(2);
  params.blockDim = dim3(4);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaError_t error = cudaGraphAddKernelNode(&node, graph, after, count, &params);
  if (error != cudaSuccess)
    printf("kernel node: %s\n", cudaGetErrorName(error));
  return node;
}

int main() {
  int* data;
  cudaMalloc(&data, 4 * sizeof(int));
  static int source[4] = {1, 2, 3, 4};
  int step = 7;
  cudaGraph_t graph, child;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&child, 0);
  addKernel(child, nullptr, 0, data, 1000);

  cudaGraphNode_t fill, copy, kernel, host, inner, empty;
  cudaMemsetParams set = {};
  set.dst = data;
  set.value = 0x01010101;
  set.elementSize = 4;
  set.width = 4;
  set.height = 1;
  printf("memset %s\n", cudaGetErrorName(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set)));
  printf("copy %s\n", cudaGetErrorName(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, data, source, 2 * sizeof(int),
                                                                cudaMemcpyHostToDevice)));
  kernel = addKernel(graph, &copy, 1, data, 10);
  cudaHostNodeParams call = {count, &step};
  printf("host %s\n", cudaGetErrorName(cudaGraphAddHostNode(&host, graph, &kernel, 1, &call)));
  printf("child %s\n", cudaGetErrorName(cudaGraphAddChildGraphNode(&inner, graph, &host, 1, child)));
  printf("empty %s\n", cudaGetErrorName(cudaGraphAddEmptyNode(&empty, graph, &inner, 1)));
  cudaGraphNodeType type;
  cudaGraphNodeGetType(inner, &type);
  printf("type %d\n", int(type));

  cudaGraphExec_t exec;
  printf("instantiate %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  show("first", data);

  cudaGraphNodeSetEnabled(exec, kernel, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  show("kernel disabled", data);
  unsigned enabled = 1;
  cudaGraphNodeGetEnabled(exec, kernel, &enabled);
  printf("enabled %u\n", enabled);
  cudaGraphNodeSetEnabled(exec, kernel, 1);

  cudaKernelNodeParams params;
  cudaGraphKernelNodeGetParams(kernel, &params);
  int value = 20;
  void* arguments[] = {&data, &value};
  params.kernelParams = arguments;
  printf("set %s\n", cudaGetErrorName(cudaGraphExecKernelNodeSetParams(exec, kernel, &params)));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  show("new parameters", data);

  cudaGraph_t clone;
  cudaGraphNode_t twin;
  printf("clone %s\n", cudaGetErrorName(cudaGraphClone(&clone, graph)));
  printf("find %s\n", cudaGetErrorName(cudaGraphNodeFindInClone(&twin, kernel, clone)));
  value = 30;
  cudaGraphKernelNodeSetParams(twin, &params);
  cudaGraphExecUpdateResultInfo info = {};
  printf("update %s", cudaGetErrorName(cudaGraphExecUpdate(exec, clone, &info)));
  printf(" %d\n", int(info.result));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  show("updated", data);

  cudaGraphDestroyNode(empty);
  addKernel(graph, &inner, 1, data, 1);
  printf("update with another kind of node %s", cudaGetErrorName(cudaGraphExecUpdate(exec, graph, &info)));
  printf(" %d\n", int(info.result));
  cudaGetLastError();
  printf("edge twice %s\n", cudaGetErrorName(cudaGraphAddDependencies(graph, &fill, &copy, nullptr, 1)));
  printf("edge to itself %s\n", cudaGetErrorName(cudaGraphAddDependencies(graph, &fill, &fill, nullptr, 1)));
  cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(child);
  cudaGraphDestroy(clone);
  printf("end %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

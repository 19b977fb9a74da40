// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of executable graphs: which changes are taken, what is refused and with which result, single nodes by
// cudaGraphExecNodeSetParams, attributes of kernel nodes, nodes made from cudaGraphNodeParams.
#include <cstdio>

#define SHOW(call) printf("%-72s %s\n", #call, cudaGetErrorName(call))

__global__ void add(int* p, int value) { atomicAdd(p, value); }
__global__ void subtract(int* p, int value) { atomicSub(p, value); }
static void CUDART_CB first(void* p) { *static_cast<int*>(p) += 1; }
static void CUDART_CB second(void* p) { *static_cast<int*>(p) += 100; }

static int *data, calls;

struct Shape {
  int kernels = 1;
  void* function = reinterpret_cast<void*>(add);
  unsigned blocks = 1;
  int value = 1;
  bool edge = true;
  bool memset = true;
  size_t bytes = 4;
  void (*host)(void*) = first;
};

static cudaGraph_t make(const Shape& shape, cudaGraphNode_t* kernelNode = nullptr, cudaGraphNode_t* setNode = nullptr,
                        cudaGraphNode_t* hostNode = nullptr) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t before = nullptr, node;
  if (shape.memset) {
    cudaMemsetParams set = {};
    set.dst = data + 1;
    set.value = 3;
    set.elementSize = 1;
    set.width = shape.bytes;
    set.height = 1;
    cudaGraphAddMemsetNode(&before, graph, nullptr, 0, &set);
    if (setNode)
      *setNode = before;
  } else {
    cudaGraphAddEmptyNode(&before, graph, nullptr, 0);
  }
  for (int i = 0; i < shape.kernels; ++i) {
    int value = shape.value;
    void* arguments[] = {&data, &value};
    cudaKernelNodeParams params = {};
    params.func = shape.function;
    params.gridDim = dim3(shape.blocks);
    params.blockDim = dim3(2);
    params.kernelParams = arguments;
    cudaGraphAddKernelNode(&node, graph, &before, shape.edge ? 1 : 0, &params);
    if (kernelNode)
      *kernelNode = node;
  }
  cudaHostNodeParams host = {shape.host, &calls};
  cudaGraphAddHostNode(&before, graph, &node, 1, &host);
  if (hostNode)
    *hostNode = before;
  return graph;
}

static void run(cudaGraphExec_t exec) {
  int host[4];
  const cudaError_t error = cudaGraphLaunch(exec, nullptr);
  cudaDeviceSynchronize();
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  printf("  %s: %d %x %x, calls %d\n", cudaGetErrorName(error), host[0], unsigned(host[1]), unsigned(host[2]), calls);
}

static void update(const char* what, cudaGraphExec_t exec, const Shape& shape) {
  cudaGraph_t graph = make(shape);
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  printf("%s: %s, result %d, node %d, from %d\n", what, cudaGetErrorName(error), int(info.result), info.errorNode != nullptr,
         info.errorFromNode != nullptr);
  cudaGetLastError();
  run(exec);
  cudaGraphDestroy(graph);
}

int main() {
  cudaMalloc(&data, 16);
  cudaMemset(data, 0, 16);
  cudaGraphNode_t kernel, set, host;
  const Shape plain;
  cudaGraph_t graph = make(plain, &kernel, &set, &host);
  cudaGraphExec_t exec;
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  run(exec);
  Shape other = plain;
  other.value = 10;
  update("another argument", exec, other);
  other.blocks = 3;
  update("more blocks", exec, other);
  other.function = reinterpret_cast<void*>(subtract);
  update("another kernel", exec, other);
  other = plain;
  other.host = second;
  update("another host function", exec, other);
  other = plain;
  other.bytes = 8;
  update("more bytes", exec, other);
  other = plain;
  other.kernels = 2;
  update("more nodes", exec, other);
  other = plain;
  other.edge = false;
  update("an edge less", exec, other);
  other = plain;
  other.memset = false;
  update("another kind of node", exec, other);
  update("as before", exec, plain);

  printf("- single nodes\n");
  int value = 1000;
  void* arguments[] = {&data, &value};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(add);
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  SHOW(cudaGraphExecNodeSetParams(exec, kernel, &params));
  run(exec);
  SHOW(cudaGraphExecNodeSetParams(exec, host, &params));
  SHOW(cudaGraphNodeSetParams(kernel, &params));
  SHOW(cudaGraphExecUpdate(exec, graph, nullptr));
  params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = data + 1;
  params.memset.value = 5;
  params.memset.elementSize = 4;
  params.memset.width = 1;
  params.memset.height = 1;
  SHOW(cudaGraphExecNodeSetParams(exec, set, &params));
  run(exec);
  cudaMemsetParams plainSet = {};
  plainSet.dst = data + 1;
  plainSet.value = 0xab;
  plainSet.elementSize = 1;
  plainSet.width = 2;
  plainSet.height = 1;
  SHOW(cudaGraphExecMemsetNodeSetParams(exec, set, &plainSet));
  run(exec);
  cudaHostNodeParams function = {second, &calls};
  SHOW(cudaGraphExecHostNodeSetParams(exec, host, &function));
  run(exec);
  function.fn = nullptr;
  SHOW(cudaGraphExecHostNodeSetParams(exec, host, &function));
  cudaLaunchAttributeValue attribute = {};
  attribute.priority = -2;
  SHOW(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &attribute));
  attribute.priority = 0;
  SHOW(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &attribute));
  printf("priority %d\n", attribute.priority);
  SHOW(cudaGraphKernelNodeGetAttribute(set, cudaLaunchAttributePriority, &attribute));
  SHOW(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributeCooperative, &attribute));
  printf("cooperative %d\n", attribute.cooperative);

  printf("- nodes of any kind\n");
  cudaGraph_t built;
  cudaGraphCreate(&built, 0);
  cudaGraphNode_t a, b, c, d;
  params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = data;
  params.memset.elementSize = 4;
  params.memset.width = 4;
  params.memset.height = 1;
  SHOW(cudaGraphAddNode(&a, built, nullptr, nullptr, 0, &params));
  params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(add);
  params.kernel.gridDim = dim3(4);
  params.kernel.blockDim = dim3(4);
  params.kernel.kernelParams = arguments;
  SHOW(cudaGraphAddNode(&b, built, &a, nullptr, 1, &params));
  params = {};
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = first;
  params.host.userData = &calls;
  SHOW(cudaGraphAddNode(&c, built, &b, nullptr, 1, &params));
  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  SHOW(cudaGraphAddNode(&d, built, &c, nullptr, 1, &params));
  params.type = static_cast<cudaGraphNodeType>(77);
  SHOW(cudaGraphAddNode(&d, built, &c, nullptr, 1, &params));
  SHOW(cudaGraphAddNode(&d, built, &c, nullptr, 1, nullptr));
  cudaGraphInstantiateParams how = {};
  SHOW(cudaGraphInstantiateWithParams(&exec, built, &how));
  printf("result %d\n", int(how.result_out));
  run(exec);
  SHOW(cudaGraphAddDependencies(built, &c, &a, nullptr, 1));
  SHOW(cudaGraphInstantiateWithParams(&exec, built, &how));
  printf("result %d\n", int(how.result_out));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}

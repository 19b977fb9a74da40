// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes with an else part and with many parts, nested in a loop, default values, errors.
#include <cstdio>

#define SHOW(call) printf("%-82s %s\n", #call, cudaGetErrorName(call))

__global__ void choose(const int* round, cudaGraphConditionalHandle branch, cudaGraphConditionalHandle which) {
  cudaGraphSetConditional(branch, *round % 2);
  cudaGraphSetConditional(which, *round);
}
__global__ void add(int* p, int value) { *p = *p * 3 + value; }
__global__ void next(int* round, int last, cudaGraphConditionalHandle loop) {
  cudaGraphSetConditional(loop, ++*round < last);
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t* after, void* function, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  const cudaError_t error = cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params);
  if (error != cudaSuccess)
    printf("kernel node: %s\n", cudaGetErrorName(error));
  return node;
}

int main() {
  int* state;
  cudaMalloc(&state, 2 * sizeof(int));
  int *round = state, *result = state + 1, last = 6;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle loop, branch, which, unused;
  SHOW(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
  SHOW(cudaGraphConditionalHandleCreate(&unused, graph, 1, 8));
  SHOW(cudaGraphConditionalHandleCreate(nullptr, graph, 1, 0));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = loop;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t whileNode, ifNode, switchNode;
  SHOW(cudaGraphAddNode(&whileNode, graph, nullptr, nullptr, 0, &params));
  cudaGraph_t body = params.conditional.phGraph_out[0];
  SHOW(cudaGraphConditionalHandleCreate(&branch, body, 0, 0));
  SHOW(cudaGraphConditionalHandleCreate(&which, body, 0, 0));
  void* chooseArguments[] = {&round, &branch, &which};
  cudaGraphNode_t node = kernel(body, nullptr, reinterpret_cast<void*>(choose), chooseArguments);
  params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = branch;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 2;
  SHOW(cudaGraphAddNode(&ifNode, body, &node, nullptr, 1, &params));
  int values[] = {1, 2, 10, 20, 30, 40};
  for (int i = 0; i < 2; ++i) {
    void* arguments[] = {&result, &values[i]};
    kernel(params.conditional.phGraph_out[i], nullptr, reinterpret_cast<void*>(add), arguments);
  }
  params.conditional.handle = which;
  params.conditional.type = cudaGraphCondTypeSwitch;
  params.conditional.size = 4;
  SHOW(cudaGraphAddNode(&switchNode, body, &ifNode, nullptr, 1, &params));
  for (int i = 0; i < 4; ++i) {
    void* arguments[] = {&result, &values[2 + i]};
    kernel(params.conditional.phGraph_out[i], nullptr, reinterpret_cast<void*>(add), arguments);
  }
  void* nextArguments[] = {&round, &last, &loop};
  kernel(body, &switchNode, reinterpret_cast<void*>(next), nextArguments);
  cudaGraphNodeType type;
  SHOW(cudaGraphNodeGetType(switchNode, &type));
  printf("%d\n", int(type));

  cudaGraphExec_t exec;
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  for (last = 1; last < 7; last += 2) {
    cudaMemset(state, 0, 2 * sizeof(int));
    SHOW(cudaGraphLaunch(exec, nullptr));
    SHOW(cudaDeviceSynchronize());
    int host[2];
    cudaMemcpy(host, state, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d rounds: %d\n", host[0], host[1]);
  }
  cudaMemset(state, 0, 2 * sizeof(int));
  const int once = 5;
  cudaMemcpy(round, &once, sizeof once, cudaMemcpyHostToDevice);
  SHOW(cudaGraphLaunch(exec, nullptr));
  SHOW(cudaDeviceSynchronize());
  int host[2];
  cudaMemcpy(host, state, sizeof host, cudaMemcpyDeviceToHost);
  printf("no part for 5: %d %d\n", host[0], host[1]);

  cudaGraph_t other;
  cudaGraphCreate(&other, 0);
  params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = loop;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  SHOW(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
  cudaGraphConditionalHandleCreate(&loop, other, 0, 0);
  params.conditional.handle = loop;
  params.conditional.size = 3;
  SHOW(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  SHOW(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
  params.conditional.size = 0;
  SHOW(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
  params.conditional.size = 1;
  SHOW(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 4, 4, 1);
  copy.dstPtr = make_cudaPitchedPtr(state, 4, 4, 1);
  copy.extent = make_cudaExtent(4, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  SHOW(cudaGraphAddMemcpyNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &copy));
  cudaHostNodeParams call = {[](void*) {}, nullptr};
  SHOW(cudaGraphAddHostNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &call));
  SHOW(cudaGraphInstantiate(&exec, other, 0));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes: a loop that counts down, and a branch taken or not.
#include <cstdio>

__global__ void countDown(int* counter, int* steps, cudaGraphConditionalHandle handle) {
  ++*steps;
  cudaGraphSetConditional(handle, --*counter > 0);
}

__global__ void choose(const int* steps, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *steps % 2);
}

__global__ void mark(int* flag) { ++*flag; }

static cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, void* kernel, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = kernel;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaError_t error = cudaGraphAddKernelNode(&node, graph, after, count, &params);
  if (error != cudaSuccess)
    printf("kernel node: %s\n", cudaGetErrorName(error));
  return node;
}

int main() {
  int* state; // counter, steps, flag
  cudaMalloc(&state, 3 * sizeof(int));
  int *counter = state, *steps = state + 1, *flag = state + 2;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle loop, branch;
  cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandleCreate(&branch, graph, 0, cudaGraphCondAssignDefault);

  cudaGraphNodeParams whileParams = {};
  whileParams.type = cudaGraphNodeTypeConditional;
  whileParams.conditional.handle = loop;
  whileParams.conditional.type = cudaGraphCondTypeWhile;
  whileParams.conditional.size = 1;
  cudaGraphNode_t whileNode, ifNode;
  printf("while %s\n", cudaGetErrorName(cudaGraphAddNode(&whileNode, graph, nullptr, nullptr, 0, &whileParams)));
  void* countArguments[] = {&counter, &steps, &loop};
  add(whileParams.conditional.phGraph_out[0], nullptr, 0, (void*)countDown, countArguments);

  void* chooseArguments[] = {&steps, &branch};
  cudaGraphNode_t chosen = add(graph, &whileNode, 1, (void*)choose, chooseArguments);
  cudaGraphNodeParams ifParams = {};
  ifParams.type = cudaGraphNodeTypeConditional;
  ifParams.conditional.handle = branch;
  ifParams.conditional.type = cudaGraphCondTypeIf;
  ifParams.conditional.size = 1;
  printf("if %s\n", cudaGetErrorName(cudaGraphAddNode(&ifNode, graph, &chosen, nullptr, 1, &ifParams)));
  void* markArguments[] = {&flag};
  add(ifParams.conditional.phGraph_out[0], nullptr, 0, (void*)mark, markArguments);

  cudaGraphExec_t exec;
  printf("instantiate %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
  for (int start = 3; start < 7; ++start) {
    const int initial[3] = {start, 0, 0};
    int result[3];
    cudaMemcpy(state, initial, sizeof initial, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, 0);
    cudaMemcpy(result, state, sizeof result, cudaMemcpyDeviceToHost);
    printf("from %d: counter %d steps %d flag %d\n", start, result[0], result[1], result[2]);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return 0;
}

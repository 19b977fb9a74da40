// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory nodes: addresses that stay, memory that outlives its graph, freed by another one or by the host, what the
// device accounts for, launches that may not be repeated, trimming.
#include <cstdio>

#define SHOW(call) printf("%-72s %s\n", #call, cudaGetErrorName(call))

__global__ void fill(int* p, int value) { p[threadIdx.x] = value + int(threadIdx.x); }
__global__ void sum(const int* p, int* out) {
  atomicAdd(out, p[threadIdx.x]);
}

static void account(const char* when) {
  unsigned long long used = 0, reserved = 0;
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved);
  printf("%s: used %d, reserved %d\n", when, used > 0, reserved > 0);
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t* after, void* function, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddKernelNode(&node, graph, after, 1, &params);
  return node;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  account("before");

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams memory = {};
  memory.bytesize = 64 * sizeof(int);
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.poolProps.location.id = 0;
  cudaGraphNode_t allocate, release, node;
  SHOW(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
  printf("address %d\n", memory.dptr != nullptr);
  int* p = static_cast<int*>(memory.dptr);
  int value = 1;
  void* fillArguments[] = {&p, &value};
  void* sumArguments[] = {&p, &out};
  node = kernel(graph, &allocate, reinterpret_cast<void*>(fill), fillArguments);
  node = kernel(graph, &node, reinterpret_cast<void*>(sum), sumArguments);
  SHOW(cudaGraphAddMemFreeNode(&release, graph, &node, 1, p));
  cudaMemAllocNodeParams got = {};
  SHOW(cudaGraphMemAllocNodeGetParams(allocate, &got));
  printf("same %d, %zu bytes\n", got.dptr == p, got.bytesize);
  void* freed = nullptr;
  SHOW(cudaGraphMemFreeNodeGetParams(release, &freed));
  printf("same %d\n", freed == p);
  SHOW(cudaGraphAddMemFreeNode(&node, graph, &release, 1, p));
  cudaGraph_t clone;
  SHOW(cudaGraphClone(&clone, graph));
  SHOW(cudaGraphDestroyNode(allocate));
  cudaGraphExec_t exec, again;
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphInstantiate(&again, graph, 0));
  for (int i = 0; i < 3; ++i)
    SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  int host = 0;
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("sum %d\n", host);
  account("after launches");
  SHOW(cudaDeviceGraphMemTrim(0));
  account("after trimming");
  SHOW(cudaGraphExecDestroy(exec));
  SHOW(cudaGraphDestroy(graph));

  printf("- memory that outlives its graph\n");
  cudaGraphCreate(&graph, 0);
  SHOW(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
  p = static_cast<int*>(memory.dptr);
  value = 5;
  kernel(graph, &allocate, reinterpret_cast<void*>(fill), fillArguments);
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphLaunch(exec, stream));
  account("allocated");
  cudaMemset(out, 0, sizeof(int));
  sum<<<1, 64, 0, stream>>>(p, out);
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("sum %d\n", host);
  SHOW(cudaFreeAsync(p, stream));
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaFree(p));
  SHOW(cudaFree(p));
  SHOW(cudaGraphLaunch(exec, stream));
  cudaGraph_t freeing;
  cudaGraphCreate(&freeing, 0);
  SHOW(cudaGraphAddMemFreeNode(&release, freeing, nullptr, 0, p));
  SHOW(cudaGraphInstantiate(&again, freeing, 0));
  SHOW(cudaGraphLaunch(again, stream));
  SHOW(cudaStreamSynchronize(stream));
  account("freed");
  SHOW(cudaGraphExecDestroy(exec));
  SHOW(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaGraphLaunch(exec, stream));
  SHOW(cudaStreamSynchronize(stream));
  account("launched twice");
  SHOW(cudaFree(p));
  account("freed");

  printf("- accounts\n");
  unsigned long long number = 7;
  SHOW(cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(99), &number));
  SHOW(cudaDeviceGetGraphMemAttribute(1000, cudaGraphMemAttrUsedMemHigh, &number));
  SHOW(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &number));
  printf("%d\n", number > 0);
  number = 0;
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &number));
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &number));
  number = 9;
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &number));
  cudaMemAllocNodeParams wrong = memory;
  wrong.bytesize = 0;
  SHOW(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wrong));
  wrong = memory;
  wrong.poolProps.location.id = 1000;
  SHOW(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wrong));
  SHOW(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programming Guide, 'Device Memory L2 Access Management': a set-aside part, windows on a stream and on a kernel node of a
// graph, reset; the results do not depend on any of it.
#include <algorithm>
#include <cstdio>

__global__ void sum(const int* data, int n, int* out) {
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
    atomicAdd(out, data[i]);
}

int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("set-aside possible %d, window %d\n", prop.persistingL2CacheMaxSize > 0, prop.accessPolicyMaxWindowSize > 0);
  size_t aside = std::min<size_t>(size_t(prop.l2CacheSize) / 4, size_t(prop.persistingL2CacheMaxSize)), now = 0;
  printf("set %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, aside)));
  printf("get %s", cudaGetErrorName(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize)));
  printf(", some %d\n", now > 0);
  const int n = 1000;
  int *data, *out, host[n], result = 0;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamAttrValue attribute = {};
  attribute.accessPolicyWindow.base_ptr = data;
  attribute.accessPolicyWindow.num_bytes = std::min(sizeof host, size_t(prop.accessPolicyMaxWindowSize));
  attribute.accessPolicyWindow.hitRatio = 0.6f;
  attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  printf("window %s\n",
         cudaGetErrorName(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute)));
  for (int i = 0; i < 3; ++i)
    sum<<<1, 128, 0, stream>>>(data, n, out);
  attribute.accessPolicyWindow.num_bytes = 0;
  printf("window off %s\n",
         cudaGetErrorName(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute)));
  printf("reset %s\n", cudaGetErrorName(cudaCtxResetPersistingL2Cache()));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  int count = n;
  void* arguments[] = {&data, &count, &out};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(sum);
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaKernelNodeAttrValue value = {};
  value.accessPolicyWindow = attribute.accessPolicyWindow;
  value.accessPolicyWindow.num_bytes = 512;
  printf("node %s\n", cudaGetErrorName(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value)));
  value = {};
  printf("node %s", cudaGetErrorName(cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value)));
  printf(" %d bytes, ratio %g\n", int(value.accessPolicyWindow.num_bytes), value.accessPolicyWindow.hitRatio);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  printf("wait %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return 0;
}

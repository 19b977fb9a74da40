// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-ordered allocation: reuse in a stream, attributes, trimming, errors, allocations in a capture.
#include <cstdio>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pool;
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  printf("create %s\n", cudaGetErrorName(cudaMemPoolCreate(&pool, &props)));
  unsigned long long keep = ~0ull, value = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  int *first, *second;
  printf("malloc %s\n", cudaGetErrorName(cudaMallocFromPoolAsync((void**)&first, 4096, pool, stream)));
  fill<<<1, 32, 0, stream>>>(first, 3);
  printf("free %s\n", cudaGetErrorName(cudaFreeAsync(first, stream)));
  cudaMallocFromPoolAsync((void**)&second, 4096, pool, stream);
  printf("same address %d\n", first == second);
  fill<<<1, 32, 0, stream>>>(second, 8);
  int host[32];
  cudaMemcpyAsync(host, second, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("value %d\n", host[31]);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value);
  printf("used %d\n", value >= 4096);
  cudaFreeAsync(second, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value);
  printf("used after free %llu\n", value);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value);
  printf("kept %d\n", value > 0);
  cudaMemPoolTrimTo(pool, 0);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value);
  printf("after trim %llu\n", value);
  printf("destroy %s\n", cudaGetErrorName(cudaMemPoolDestroy(pool)));
  cudaMemPool_t standard;
  cudaDeviceGetDefaultMemPool(&standard, 0);
  printf("destroy the default pool %s\n", cudaGetErrorName(cudaMemPoolDestroy(standard)));
  printf("free null %s\n", cudaGetErrorName(cudaFreeAsync(nullptr, stream)));
  cudaGetLastError();

  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  printf("malloc in a capture %s\n", cudaGetErrorName(cudaMallocAsync((void**)&first, 256, stream)));
  fill<<<1, 32, 0, stream>>>(first, 11);
  cudaMemcpyAsync(host, first, sizeof host, cudaMemcpyDeviceToHost, stream);
  printf("free in a capture %s\n", cudaGetErrorName(cudaFreeAsync(first, stream)));
  printf("end %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("%d nodes\n", int(nodes));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 2; ++i) {
    host[7] = 0;
    printf("launch %s\n", cudaGetErrorName(cudaGraphLaunch(exec, stream)));
    cudaStreamSynchronize(stream);
    printf("value %d\n", host[7]);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return 0;
}

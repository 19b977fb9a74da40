// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with impossible configurations: the code of each, that it isn't sticky, and that good launches still work.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void plain(int* p) {
  if (p && threadIdx.x == 0 && blockIdx.x == 0)
    atomicAdd(p, 1);
}
__global__ void shared(int* p) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    *p += memory[blockDim.x - 1];
}
__global__ void __launch_bounds__(128) bounded(int* p) {
  if (threadIdx.x == 0)
    *p += 1000;
}
__global__ void together(int* p) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0)
    atomicAdd(p, 1);
}

static void show(const char* what) {
  const cudaError_t peeked = cudaPeekAtLastError();
  const cudaError_t got = cudaGetLastError();
  printf("%-44s %s %d, then %s\n", what, cudaGetErrorName(got), peeked == got, cudaGetErrorName(cudaGetLastError()));
}

#define LAUNCH(what, ...)                                                                                              \
  do {                                                                                                                 \
    __VA_ARGS__;                                                                                                       \
    show(what);                                                                                                        \
  } while (0)

int main() {
  int* p;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  LAUNCH("plain<<<1, 1>>>", plain<<<1, 1>>>(p));
  LAUNCH("plain<<<1, 1024>>>", plain<<<1, 1024>>>(p));
  LAUNCH("plain<<<1, 1025>>>", plain<<<1, 1025>>>(p));
  LAUNCH("plain<<<1, 0>>>", plain<<<1, 0>>>(p));
  LAUNCH("plain<<<0, 1>>>", plain<<<0, 1>>>(p));
  LAUNCH("plain<<<dim3(1, 0, 1), 1>>>", plain<<<dim3(1, 0, 1), 1>>>(p));
  LAUNCH("plain<<<dim3(1, 1, 0), 1>>>", plain<<<dim3(1, 1, 0), 1>>>(p));
  LAUNCH("plain<<<dim3(1, 65535, 1), 32>>>", plain<<<dim3(1, 65535, 1), 32>>>(nullptr));
  LAUNCH("plain<<<dim3(1, 65536, 1), 32>>>", plain<<<dim3(1, 65536, 1), 32>>>(nullptr));
  LAUNCH("plain<<<dim3(1, 1, 65536), 32>>>", plain<<<dim3(1, 1, 65536), 32>>>(nullptr));
  LAUNCH("plain<<<dim3(0x80000000u, 1, 1), 32>>>", plain<<<dim3(0x80000000u, 1, 1), 32>>>(nullptr));
  LAUNCH("plain<<<1, dim3(1, 1024, 1)>>>", plain<<<1, dim3(1, 1024, 1)>>>(p));
  LAUNCH("plain<<<1, dim3(1, 1, 64)>>>", plain<<<1, dim3(1, 1, 64)>>>(p));
  LAUNCH("plain<<<1, dim3(1, 1, 65)>>>", plain<<<1, dim3(1, 1, 65)>>>(p));
  LAUNCH("plain<<<1, dim3(32, 32, 2)>>>", plain<<<1, dim3(32, 32, 2)>>>(p));
  LAUNCH("shared<<<1, 32, 48 * 1024>>>", shared<<<1, 32, 48 * 1024>>>(p));
  LAUNCH("shared<<<1, 32, 48 * 1024 + 1>>>", shared<<<1, 32, 48 * 1024 + 1>>>(p));
  LAUNCH("shared<<<1, 32, 1 << 20>>>", shared<<<1, 32, 1 << 20>>>(p));
  cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
  show("set 227 KB");
  LAUNCH("shared<<<1, 32, 227 * 1024>>>", shared<<<1, 32, 227 * 1024>>>(p));
  LAUNCH("shared<<<1, 32, 227 * 1024 + 1>>>", shared<<<1, 32, 227 * 1024 + 1>>>(p));
  cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1);
  show("set more");
  cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1);
  show("set -1");
  cudaFuncSetAttribute(shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101);
  show("carve-out 101");
  cudaFuncSetAttribute(shared, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  show("carve-out 100");
  cudaFuncSetAttribute(shared, static_cast<cudaFuncAttribute>(1000), 1);
  show("no such attribute");
  LAUNCH("bounded<<<1, 128>>>", bounded<<<1, 128>>>(p));
  void* arguments[] = {&p};
  cudaLaunchKernel(reinterpret_cast<const void*>(plain), dim3(1), dim3(1), arguments, 0, nullptr);
  show("cudaLaunchKernel");
  cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), arguments, 0, nullptr);
  show("cudaLaunchKernel of null");
  static int noKernel;
  cudaLaunchKernel(static_cast<const void*>(&noKernel), dim3(1), dim3(1), arguments, 0, nullptr);
  show("cudaLaunchKernel of a variable");
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(together), dim3(2), dim3(32), arguments, 0, nullptr);
  show("two blocks together");
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(together), dim3(1000000), dim3(32), arguments, 0, nullptr);
  show("a million blocks together");

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, plain, p);
  show("clusters of 2");
  config.gridDim = dim3(3);
  cudaLaunchKernelEx(&config, plain, p);
  show("3 blocks in clusters of 2");
  config.gridDim = dim3(32);
  attribute.val.clusterDim.x = 16;
  cudaLaunchKernelEx(&config, plain, p);
  show("clusters of 16");
  cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchKernelEx(&config, plain, p);
  show("clusters of 16, allowed");
  attribute.val.clusterDim.x = 0;
  cudaLaunchKernelEx(&config, plain, p);
  show("clusters of 0");
  config.numAttrs = 0;
  config.blockDim = dim3(2000);
  cudaLaunchKernelEx(&config, plain, p);
  show("2000 threads");

  printf("end %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int value = 0;
  cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  printf("value %d\n", value);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices are counted, described and selected; memory and launches go to the current one ('Device Enumeration', 'Device Selection').
#include <cstdio>

__global__ void MyKernel(float* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  int deviceCount;
  cudaGetDeviceCount(&deviceCount);
  printf("some device: %d\n", deviceCount > 0);
  for (int device = 0; device < deviceCount && device < 1; ++device) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    printf("named %d, capability at least 6: %d, SMs %d, memory %d, unified addressing %d\n", prop.name[0] != 0,
           prop.major >= 6, prop.multiProcessorCount > 0, prop.totalGlobalMem > 0, prop.unifiedAddressing);
    printf("%d %d %d %d, mapped %d, concurrent kernels %d, managed %d\n", prop.warpSize, prop.maxThreadsPerBlock,
           prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.canMapHostMemory, prop.concurrentKernels,
           prop.managedMemory);
    cudaSetDevice(device);
    float* p;
    cudaMalloc(&p, 1024 * sizeof(float));
    MyKernel<<<1, 1024>>>(p);
    float last;
    cudaMemcpy(&last, p + 1023, sizeof last, cudaMemcpyDeviceToHost);
    int current = -1;
    cudaGetDevice(&current);
    printf("%g %d\n", last, current);
  }
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  printf("versions: %d %d\n", runtime >= 11000, driver >= runtime);
  printf("%s\n", cudaGetErrorName(cudaInitDevice(0, 0, 0)));
  printf("%s\n", cudaGetErrorName(cudaDeviceReset()));
  return 0;
}

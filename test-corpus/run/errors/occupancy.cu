// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Occupancy of small kernels by block size and shared memory, clusters, and bad arguments.
#include <cstdio>

#define SHOW(call) printf("%-90s %s\n", #call, cudaGetErrorName(call))

__global__ void small(int* p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(256) bounded(int* p) { p[threadIdx.x] = 2; }

int main() {
  void (*const smallKernel)(int*) = small;
  void (*const boundedKernel)(int*) = bounded;
  int blocks = -1;
  const int sizes[] = {1, 31, 32, 33, 64, 96, 128, 192, 256, 320, 512, 768, 1024};
  for (int size : sizes) {
    printf("%d threads:", size);
    const size_t bytes[] = {0, 1000, 16 * 1024, 48 * 1024};
    for (size_t more : bytes) {
      const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, size, more);
      printf(" %s %d", cudaGetErrorName(error), blocks);
    }
    printf("\n");
  }
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, 0, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, -1, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, 2000, 0));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, 32, 100 * 1024));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, boundedKernel, 512, 0));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, smallKernel, 32, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, smallKernel, 128, 0, cudaOccupancyDisableCachingOverride));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, smallKernel, 128, 0, 0x100));
  cudaFuncSetAttribute(smallKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, 32, 100 * 1024));
  printf("%d\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, smallKernel, 32, 200 * 1024));
  printf("%d\n", blocks);
  size_t bytes = 7;
  const int counts[] = {1, 2, 4, 8, 16, 32};
  for (int count : counts) {
    const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, smallKernel, count, 64);
    printf("%d blocks: %s %zu\n", count, cudaGetErrorName(error), bytes);
  }
  SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, smallKernel, 0, 64));
  SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, smallKernel, 64, 64));
  int minGrid = 0, size = 0;
  SHOW(cudaOccupancyMaxPotentialBlockSize(&minGrid, &size, smallKernel, 0, 0));
  printf("%d\n", size);
  SHOW(cudaOccupancyMaxPotentialBlockSize(&minGrid, &size, smallKernel, 0, 100));
  printf("%d\n", size);
  SHOW(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGrid, &size, smallKernel, [](int threads) { return threads * 128; }));
  printf("%d\n", size);
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.gridDim = dim3(64);
  config.blockDim = dim3(128);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  SHOW(cudaOccupancyMaxPotentialClusterSize(&clusters, smallKernel, &config));
  printf("%d\n", clusters);
  SHOW(cudaOccupancyMaxActiveClusters(&clusters, smallKernel, &config));
  printf("some %d\n", clusters > 0);
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(nullptr, smallKernel));
  SHOW(cudaFuncGetAttributes(&attributes, static_cast<const void*>(nullptr)));
  return 0;
}

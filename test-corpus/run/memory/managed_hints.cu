// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice and prefetching of managed memory: what a program may ask for again, and the codes of wrong calls.
#include <cstdio>

int main() {
  const size_t bytes = 4 << 20;
  char* data;
  cudaMallocManaged(&data, bytes);
  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  int value = -9;
  printf("read mostly %s\n", cudaGetErrorName(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, here)));
  cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, data, bytes);
  printf("  is %d\n", value);
  cudaMemAdvise(data, bytes / 2, cudaMemAdviseUnsetReadMostly, here);
  cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, data, bytes);
  printf("  of a half of it %d\n", value);
  cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, data, bytes);
  printf("preferred location %d\n", value);
  printf("prefer %s\n", cudaGetErrorName(cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, here)));
  cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, data, bytes);
  printf("  is %d\n", value);
  printf("prefetch %s\n", cudaGetErrorName(cudaMemPrefetchAsync(data, bytes, here, 0, 0)));
  cudaDeviceSynchronize();
  cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, data, bytes);
  printf("  last %d\n", value);
  printf("accessed by %s\n", cudaGetErrorName(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, here)));
  int devices[2] = {-9, -9};
  cudaMemRangeGetAttribute(devices, sizeof devices, cudaMemRangeAttributeAccessedBy, data, bytes);
  printf("  %d %d\n", devices[0], devices[1]);
  here.id = 99;
  printf("no such device %s\n", cudaGetErrorName(cudaMemPrefetchAsync(data, bytes, here, 0, 0)));
  cudaGetLastError();
  printf("free %s\n", cudaGetErrorName(cudaFree(data)));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that kernels can't make are invalid configurations, whatever is wrong with them; on the host invalid values.
// FLAGS: -rdc=true
#include <cstdio>

__global__ void child(int* p) {
  extern __shared__ int words[];
  words[0] = 1;
  if (p)
    *p += words[0];
}
__global__ void __launch_bounds__(64) bounded(int* p) {
  if (p)
    *p += 1;
}
__device__ void show(const char* what) {
  const cudaError_t error = cudaGetLastError();
  printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
}
__global__ void parent(int* p) {
  child<<<1, 2048>>>(p);
  show("threads");
  child<<<0, 1>>>(p);
  show("no blocks");
  child<<<1, 0>>>(p);
  show("no threads");
  child<<<1, dim3(1, 1, 65)>>>(p);
  show("depth of blocks");
  child<<<dim3(1, 70000), 1>>>(p);
  show("height of grids");
  child<<<1, 1, 300000>>>(p);
  show("shared memory");
  child<<<1, 1, 60000>>>(p);
  show("shared memory nobody asked for");
  bounded<<<1, 128>>>(p);
  show("launch bounds");
  child<<<1, 1, 1000>>>(p);
  show("none");
}
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  *p = 0;
  parent<<<1, 1>>>(p);
  printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *p);
  child<<<1, 2048>>>(p);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  bounded<<<1, 128>>>(p);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that may start before the one before it has ended waits for that one's results.
#include <cstdio>

__global__ void first(int* p) {
  p[threadIdx.x] = threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(int* p) {
  cudaGridDependencySynchronize();
  p[threadIdx.x] = p[threadIdx.x ^ 1] + 100;
}

int main() {
  int* p;
  cudaMallocManaged(&p, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  first<<<1, 32, 0, stream>>>(p);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, second, p)));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d\n", p[0], p[31]);
  return 0;
}

#include "parts.cuh"

#include <string.h>

static __global__ void fill(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = withOffset(i * FACTOR);
}

int fillAll(int* data, int n) {
  int* device = nullptr;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess)
    return 1;
  fill<<<(n + 127) / 128, 128>>>(device, n);
  const cudaError_t copied = cudaMemcpy(data, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
#ifdef NAME
  if (strlen(NAME) != 10)
    return 1;
#endif
  return copied == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 1;
}

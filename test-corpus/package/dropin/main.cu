// A kernel with a lambda, beside kernels of a library that shares device code.
#include "parts.cuh"

#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <vector>

bool hostSide(float4 value);

template <class Operation> __global__ void apply(int* data, int n, Operation operation) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = operation(withOffset(data[i]));
}

int main() {
  nvtxRangePushA("all");
  const int n = 1000;
  std::vector<int> data(n);
  if (fillAll(data.data(), n) != 0)
    return 1;
  int* device = nullptr;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  apply<<<4, 64>>>(device, n, [] __device__(int value) { return value * 2; });
  cudaMemcpy(data.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  nvtxRangePop();
  if (cudaFree(device) != cudaSuccess || !hostSide(make_float4(1, 2, 3, 4)))
    return 1;
  // (10 * FACTOR + 7 + 7) * 2
  std::printf("value %d\n", data[10]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __constant__ array, __device__ scalar and __device__ pointer through the symbol functions ('Device Memory').
#include <cstdio>

__constant__ float constData[256];
__device__ float devData;
__device__ float* devPointer;

__global__ void use(float* out) {
  int i = threadIdx.x;
  out[i] = constData[i] * devData + devPointer[i];
}

int main() {
  float data[256];
  for (int i = 0; i < 256; ++i)
    data[i] = float(i);
  cudaMemcpyToSymbol(constData, data, sizeof(data));
  float back[256] = {};
  cudaMemcpyFromSymbol(back, constData, sizeof(back));
  printf("constant back: %g %g\n", back[1], back[255]);

  float value = 3.14f;
  cudaMemcpyToSymbol(devData, &value, sizeof(float));
  float* ptr;
  cudaMalloc(&ptr, 256 * sizeof(float));
  cudaMemcpy(ptr, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(devPointer, &ptr, sizeof(ptr));

  float part[2] = {-1, -2};  // offsets count in bytes
  cudaMemcpyToSymbol(constData, part, sizeof part, 10 * sizeof(float));

  float* out;
  cudaMalloc(&out, 256 * sizeof(float));
  use<<<1, 256>>>(out);
  float host[256];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i : {0, 1, 9, 10, 11, 12, 255})
    printf("%d: %.3f\n", i, host[i]);

  size_t size = 0;
  cudaGetSymbolSize(&size, constData);
  void *address = nullptr, *again = nullptr;
  cudaGetSymbolAddress(&address, devData);
  cudaGetSymbolAddress(&again, devData);
  float direct = 0;
  cudaMemcpy(&direct, address, sizeof direct, cudaMemcpyDeviceToHost);
  printf("size %zu same address %d value %.2f\n", size, address == again, direct);
  return 0;
}

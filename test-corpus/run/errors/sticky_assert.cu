// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failed assertion of a kernel stays the device's error until the process ends.
#undef NDEBUG
#include <cassert>
#include <cstdio>

__global__ void check(const int* data) { assert(data[threadIdx.x] < 40); }

#define SHOW(call) printf("%-64s %s\n", #call, cudaGetErrorName(call))

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  int* data;
  void* more = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaMalloc(&data, sizeof host);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  check<<<1, 32>>>(data);
  SHOW(cudaGetLastError());
  SHOW(cudaDeviceSynchronize());
  check<<<1, 64>>>(data);
  SHOW(cudaPeekAtLastError());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaPeekAtLastError());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  SHOW(cudaMalloc(&more, 16));
  SHOW(cudaMemset(data, 0, 16));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaStreamQuery(stream));
  SHOW(cudaEventRecord(event, stream));
  SHOW(cudaEventQuery(event));
  check<<<1, 32>>>(data);
  SHOW(cudaGetLastError());
  SHOW(cudaFree(data));
  int device = 7, count = 0;
  SHOW(cudaGetDeviceCount(&count));
  SHOW(cudaGetDevice(&device));
  printf("device %d\n", device);
  SHOW(cudaStreamDestroy(stream));
  SHOW(cudaEventDestroy(event));
  return 0;
}

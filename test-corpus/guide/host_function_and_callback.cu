// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchHostFunc and cudaStreamAddCallback get their void* argument after the work before them ('Streams').
#include <cstdio>
#include <cstdint>

__global__ void MyKernel(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

static int sums[2], calls[2], callbackStatus[2];
static int* hostPtr[2];

void CUDART_CB MyHostFn(void* data) {
  size_t i = (size_t)data;
  for (int k = 0; k < 1000; ++k)
    sums[i] += hostPtr[i][k];
  ++calls[i];
}

void CUDART_CB MyCallback(cudaStream_t, cudaError_t status, void* data) {
  size_t i = (size_t)data;
  callbackStatus[i] = int(status) * 10 + calls[i];  // the host function ran before
}

int main() {
  const int n = 1000;
  cudaStream_t stream[2];
  int *devIn[2], *devOut[2];
  for (size_t i = 0; i < 2; ++i) {
    cudaStreamCreate(&stream[i]);
    cudaMallocHost(&hostPtr[i], n * sizeof(int));
    cudaMalloc(&devIn[i], n * sizeof(int));
    cudaMalloc(&devOut[i], n * sizeof(int));
    for (int k = 0; k < n; ++k)
      hostPtr[i][k] = k * int(i + 1);
  }
  for (size_t i = 0; i < 2; ++i) {
    cudaMemcpyAsync(devIn[i], hostPtr[i], n * sizeof(int), cudaMemcpyHostToDevice, stream[i]);
    MyKernel<<<100, 512, 0, stream[i]>>>(devOut[i], devIn[i], n);
    cudaMemcpyAsync(hostPtr[i], devOut[i], n * sizeof(int), cudaMemcpyDeviceToHost, stream[i]);
    cudaLaunchHostFunc(stream[i], MyHostFn, (void*)i);
    cudaStreamAddCallback(stream[i], MyCallback, (void*)i, 0);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i)
    printf("stream %d: sum %d calls %d callback %d\n", i, sums[i], calls[i], callbackStatus[i]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events around copies and kernels on two streams: they finish, and the elapsed time is not negative ('Events').
#include <cstdio>

__global__ void MyKernel(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 0.5f;
}

int main() {
  const int size = 10000;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float *inputHost, *outputHost, *inputDev, *outputDev;
  cudaMallocHost(&inputHost, 2 * size * sizeof(float));
  cudaMallocHost(&outputHost, 2 * size * sizeof(float));
  cudaMalloc(&inputDev, 2 * size * sizeof(float));
  cudaMalloc(&outputDev, 2 * size * sizeof(float));
  for (int i = 0; i < 2 * size; ++i)
    inputHost[i] = float(i);
  cudaStream_t stream[2];
  for (int i = 0; i < 2; ++i)
    cudaStreamCreate(&stream[i]);

  cudaEventRecord(start, 0);
  for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(inputDev + i * size, inputHost + i * size, size * sizeof(float),
                    cudaMemcpyHostToDevice, stream[i]);
    MyKernel<<<100, 512, 0, stream[i]>>>(outputDev + i * size, inputDev + i * size, size);
    cudaMemcpyAsync(outputHost + i * size, outputDev + i * size, size * sizeof(float),
                    cudaMemcpyDeviceToHost, stream[i]);
  }
  // The legacy default stream waits for both blocking streams, so stop comes after all of it.
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  float elapsedTime = -1;
  cudaError_t e = cudaEventElapsedTime(&elapsedTime, start, stop);
  int wrong = 0;
  for (int i = 0; i < 2 * size; ++i)
    wrong += outputHost[i] != i + 0.5f;
  printf("%s, not negative: %d, wrong %d, query %s\n", cudaGetErrorName(e), elapsedTime >= 0, wrong,
         cudaGetErrorName(cudaEventQuery(stop)));
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return wrong != 0;
}

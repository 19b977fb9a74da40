// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two streams with copies and kernels, issued stream by stream and then step by step: same results ('Streams').
#include <cstdio>
#include <cstdlib>

// A failure names itself: the results below can only be wrong when one of these calls has failed.
#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const cudaError_t error = (call);                                                                                  \
    if (error != cudaSuccess) {                                                                                        \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                                    \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

__global__ void MyKernel(float* outputDevPtr, const float* inputDevPtr, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    outputDevPtr[i] = inputDevPtr[i] * 3.0f + 1.0f;
}

int main() {
  const int size = 512 * 100;
  cudaStream_t stream[2];
  for (int i = 0; i < 2; ++i)
    CHECK(cudaStreamCreate(&stream[i]));
  float* hostPtr;
  CHECK(cudaMallocHost(&hostPtr, 2 * size * sizeof(float)));
  float *inputDevPtr, *outputDevPtr;
  CHECK(cudaMalloc(&inputDevPtr, 2 * size * sizeof(float)));
  CHECK(cudaMalloc(&outputDevPtr, 2 * size * sizeof(float)));
  int wrong = 0;

  for (int order = 0; order < 2; ++order) {
    for (int i = 0; i < 2 * size; ++i)
      hostPtr[i] = float(i % 5000 + order);
    if (order == 0) {
      for (int i = 0; i < 2; ++i) {
        CHECK(cudaMemcpyAsync(inputDevPtr + i * size, hostPtr + i * size, size * sizeof(float),
                        cudaMemcpyHostToDevice, stream[i]));
        MyKernel<<<100, 512, 0, stream[i]>>>(outputDevPtr + i * size, inputDevPtr + i * size, size);
        CHECK(cudaMemcpyAsync(hostPtr + i * size, outputDevPtr + i * size, size * sizeof(float),
                        cudaMemcpyDeviceToHost, stream[i]));
      }
    } else {
      for (int i = 0; i < 2; ++i)
        CHECK(cudaMemcpyAsync(inputDevPtr + i * size, hostPtr + i * size, size * sizeof(float),
                        cudaMemcpyHostToDevice, stream[i]));
      for (int i = 0; i < 2; ++i)
        MyKernel<<<100, 512, 0, stream[i]>>>(outputDevPtr + i * size, inputDevPtr + i * size, size);
      for (int i = 0; i < 2; ++i)
        CHECK(cudaMemcpyAsync(hostPtr + i * size, outputDevPtr + i * size, size * sizeof(float),
                        cudaMemcpyDeviceToHost, stream[i]));
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int bad = 0;
    for (int i = 0; i < 2 * size; ++i)
      bad += hostPtr[i] != float(i % 5000 + order) * 3.0f + 1.0f;
    printf("order %d: last %g wrong %d\n", order, hostPtr[2 * size - 1], bad);
    wrong += bad;
  }
  for (int i = 0; i < 2; ++i)
    CHECK(cudaStreamDestroy(stream[i]));
  CHECK(cudaFreeHost(hostPtr));
  return wrong != 0;
}

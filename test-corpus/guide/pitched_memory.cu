// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocPitch and a kernel that walks rows by the pitch; cudaMemcpy2D in both directions ('Device Memory').
#include <cstdio>

__global__ void MyKernel(float* devPtr, size_t pitch, int width, int height) {
  for (int r = 0; r < height; ++r) {
    float* row = (float*)((char*)devPtr + r * pitch);
    for (int c = threadIdx.x + blockIdx.x * blockDim.x; c < width; c += blockDim.x * gridDim.x) {
      float element = row[c];
      row[c] = element * 2.0f + r;
    }
  }
}

int main() {
  const int width = 61, height = 37;
  static float host[height][width], back[height][width];
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c)
      host[r][c] = float(r * 100 + c);
  float* devPtr;
  size_t pitch;
  cudaMallocPitch(&devPtr, &pitch, width * sizeof(float), height);
  printf("pitch covers a row: %d\n", pitch >= width * sizeof(float));
  cudaMemcpy2D(devPtr, pitch, host, sizeof host[0], width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  MyKernel<<<3, 16>>>(devPtr, pitch, width, height);
  cudaMemcpy2D(back, sizeof back[0], devPtr, pitch, width * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c)
      wrong += back[r][c] != host[r][c] * 2 + r;
  printf("corner %g wrong %d\n", back[height - 1][width - 1], wrong);
  cudaFree(devPtr);
  return wrong != 0;
}

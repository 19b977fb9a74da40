// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that store to neighbours along a column of the block: transposes without shared memory,
// with guards, offsets, several stores and blocks of many shapes, beside kernels that store along
// both.
#include <cstdio>

__global__ void transpose(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

__global__ void shifted(int* out, int* second, const int* in, int width, int height, int by) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= width || row >= height)
    return;
  const int at = column * height + row;
  const int value = in[row * width + (column + by) % width] + column - row;
  out[at] = value;
  second[at + 3] += value * 2;
}

__global__ void both(int* out, int* rows, const int* in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    out[x * height + y] = in[y * width + x] * 3;
    rows[y * width + x] = x - y;
  }
}

template <class T> static double weighted(const T* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<double>(v[i]) * (i % 23 + 1);
  return sum;
}

int main() {
  constexpr int width = 101, height = 67, n = width * height;
  static float in[n], out[n];
  static int ints[n], turned[n], second[n + 3];
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>((i * 13) % 257);
    ints[i] = (i * 29) % 1013;
  }
  float *dIn, *dOut;
  int *dInts, *dTurned, *dSecond;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMalloc(&dInts, sizeof ints);
  cudaMalloc(&dTurned, sizeof turned);
  cudaMalloc(&dSecond, sizeof second);
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(dInts, ints, sizeof ints, cudaMemcpyHostToDevice);
  const dim3 shapes[] = {dim3(32, 8), dim3(16, 16), dim3(8, 32), dim3(1, 100), dim3(5, 3)};
  for (const dim3& block : shapes) {
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    cudaMemset(dOut, 0, sizeof out);
    transpose<<<grid, block>>>(dOut, dIn, width, height);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("%u x %u: %.0f", block.x, block.y, weighted(out, n));
    cudaMemset(dSecond, 0, sizeof second);
    shifted<<<grid, block>>>(dTurned, dSecond, dInts, width, height, 7);
    shifted<<<grid, block>>>(dTurned, dSecond, dInts, width, height, 50);
    cudaMemcpy(turned, dTurned, sizeof turned, cudaMemcpyDeviceToHost);
    cudaMemcpy(second, dSecond, sizeof second, cudaMemcpyDeviceToHost);
    printf(" %.0f %.0f", weighted(turned, n), weighted(second, n + 3));
    both<<<grid, block>>>(dTurned, dSecond, dInts, width, height);
    cudaMemcpy(turned, dTurned, sizeof turned, cudaMemcpyDeviceToHost);
    cudaMemcpy(second, dSecond, sizeof second, cudaMemcpyDeviceToHost);
    printf(" %.0f %.0f\n", weighted(turned, n), weighted(second, n));
  }
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dInts);
  cudaFree(dTurned);
  cudaFree(dSecond);
  return 0;
}

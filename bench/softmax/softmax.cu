// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of each row of a matrix, a block for each row: maximum and sum by shared-memory trees.
#include "../device_vector.h"

__global__ void softmax(const float* in, float* out, int cols) {
  extern __shared__ float buffer[];
  int tid = threadIdx.x;
  const float* x = in + blockIdx.x * cols;
  float* y = out + blockIdx.x * cols;
  float biggest = -INFINITY;
  for (int i = tid; i < cols; i += blockDim.x)
    biggest = fmaxf(biggest, x[i]);
  buffer[tid] = biggest;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    if (tid < stride)
      buffer[tid] = fmaxf(buffer[tid], buffer[tid + stride]);
    __syncthreads();
  }
  float offset = buffer[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) {
    float e = expf(x[i] - offset);
    y[i] = e;
    sum += e;
  }
  buffer[tid] = sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    if (tid < stride)
      buffer[tid] += buffer[tid + stride];
    __syncthreads();
  }
  sum = buffer[0];
  for (int i = tid; i < cols; i += blockDim.x)
    y[i] /= sum;
}

int main() {
  const int rows = 2048, cols = 2048, threads = 256;
  DeviceVector<float> in(uniforms(rows * cols, 1, -4, 4)), out(rows * cols);
  measure([&] {
    softmax<<<rows, threads, threads * sizeof(float)>>>(in, out, cols);
    finish();
  });
  check(weightedSum(out.toHost()));
}

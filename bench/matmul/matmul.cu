// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product with 16x16 tiles in shared memory.
#include "../device_vector.h"

#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < n / TILE; ++t) {
    As[ty][tx] = A[row * n + t * TILE + tx];
    Bs[ty][tx] = B[(t * TILE + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

int main() {
  const int n = 1024;
  DeviceVector<float> a(uniforms(n * n, 1)), b(uniforms(n * n, 2)), c(n * n);
  measure([&] {
    matmul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    finish();
  });
  check(weightedSum(c.toHost()));
}

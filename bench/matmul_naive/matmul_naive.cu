// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product without shared memory: one thread for each element, a loop over k inside.
#include "../device_vector.h"

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

int main() {
  const int n = 768;
  DeviceVector<float> a(uniforms(n * n, 1)), b(uniforms(n * n, 2)), c(n * n);
  dim3 threads(32, 8);
  dim3 blocks((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
  measure([&] {
    matmul<<<blocks, threads>>>(a, b, c, n, n, n);
    finish();
  });
  check(weightedSum(c.toHost()));
}

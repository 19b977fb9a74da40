// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streaming: a[i] = b[i] + s * c[i] over vectors larger than the caches, and a saxpy in place.
#include "../device_vector.h"

__global__ void triad(float* a, const float* b, const float* c, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + s * c[i];
}

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 24;
  DeviceVector<float> a(uniforms(n, 1)), b(uniforms(n, 2)), c(uniforms(n, 3));
  const int threads = 256, blocks = (n + threads - 1) / threads;
  measure([&] {
    triad<<<blocks, threads>>>(a, b, c, 0.5f, n);
    saxpy<<<blocks, threads>>>(n, -0.25f, c, a);
    finish();
  });
  check(weightedSum(a.toHost()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches become cu2cpp::launch(kernel, grid, block, bytes, stream)(arguments), with their arguments' text unchanged.
#include <cstdio>

__global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= a;
}
template <int N> __global__ void fixed(float* x) { x[threadIdx.x] = N; }

void run(float* x, int n, cudaStream_t s) {
  dim3 grid((n + 255) / 256), block(256);
  // CHECK: cu2cpp::launch(scale, grid, block)(x, 2.0f, n);
  scale<<<grid, block>>>(x, 2.0f, n);
  // CHECK: cu2cpp::launch(scale, (n + 127) / 128, 128, 16 * sizeof(float), s)(x, 1.5f, n);
  scale<<<(n + 127) / 128, 128, 16 * sizeof(float), s>>>(x, 1.5f, n);
  // CHECK: cu2cpp::launch(fixed<7>, 1, 32)(x);
  fixed<7><<<1, 32>>>(x);
  // A string that looks like a launch stays.
  // CHECK: "scale<<<1, 1>>>(x)"
  puts("scale<<<1, 1>>>(x)");
}
// CHECK-NOT: __global__
// CHECK-NOT: >>>(x,

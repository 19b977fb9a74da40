// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One declaration of several variables of which each region assigns one anew, and another lives on.
#include <cstdio>

__global__ void swaps(float* out, int steps) {
  __shared__ float plane[2][64], change[64];
  float *from = plane[0], *to = plane[1];
  const int t = threadIdx.x;
  from[t] = t * t % 17;
  to[t] = 0;
  float before = 0, now = t;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    to[t] = 0.5f * (from[t > 0 ? t - 1 : 0] + from[t < 63 ? t + 1 : 63]);
    before = now;
    now = to[t];
    if (k == steps - 1)
      change[t] = before - now;
    __syncthreads();
    float* const other = from;
    from = to;
    to = other;
  }
  out[t] = from[t] + 2 * change[63 - t];
}

int main() {
  float* out;
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int steps : {1, 2, 7}) {
    swaps<<<1, 64>>>(out, steps);
    cudaDeviceSynchronize();
    for (int t = 0; t < 64; t += 9)
      printf(" %g", out[t]);
    printf("\n");
  }
  return 0;
}

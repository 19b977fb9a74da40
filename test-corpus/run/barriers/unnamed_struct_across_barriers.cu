// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs that only a typedef names live across barriers and warp functions: single ones, arrays,
// and one that the kernel declares itself.
#include <cstdio>

typedef struct {
  float x, y;
} Vector;

__global__ void acrossBarriers(const float* in, float* out) {
  __shared__ float s[96];
  typedef struct {
    int low, high;
  } Range;
  Range range;
  Vector v, path[2];
  range.low = threadIdx.x / 3;
  range.high = 95 - range.low;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  v.x = s[range.low];
  v.y = s[range.high];
  path[0] = v;
  __syncthreads();
  s[threadIdx.x] = v.x - v.y;
  __syncthreads();
  path[1].x = s[range.high];
  path[1].y = path[0].x + s[range.low];
  __syncthreads();
  out[threadIdx.x] = path[0].y + path[1].x * path[1].y + v.x + range.low;
}

__global__ void acrossShuffles(const float* in, float* out) {
  Vector v = {in[threadIdx.x], 1};
  for (int step = 16; step > 0; step /= 2) {
    v.x += __shfl_xor_sync(0xffffffff, v.x, step);
    v.y *= 2;
  }
  out[threadIdx.x] = v.x + v.y;
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 96 * sizeof *in);
  cudaMallocManaged(&out, 96 * sizeof *out);
  for (int i = 0; i < 96; ++i)
    in[i] = float(i * 29 % 31);
  for (int which = 0; which < 2; ++which) {
    (which ? acrossShuffles : acrossBarriers)<<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 96; ++i)
      sum += out[i] * (i + 1);
    printf("%g %g %g, sum %.0f\n", out[0], out[50], out[95], sum);
  }
  return 0;
}

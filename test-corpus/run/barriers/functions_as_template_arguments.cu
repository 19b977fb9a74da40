// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a warp that are arguments of a block reduction's template, passed on through two templates.
#include <cstdio>

__device__ float warpSum(float x) {
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}

namespace extremes {
__device__ float warpMax(float x) {
  for (int d = 16; d > 0; d /= 2)
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, d));
  return x;
}
} // namespace extremes

typedef float (*WarpReduction)(float);

template <WarpReduction reduceWarp> __device__ float blockReduce(float x, bool again, float neutral) {
  __shared__ float partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const float ofWarp = reduceWarp(x);
  if (lane == 0)
    partial[warp] = ofWarp;
  __syncthreads();
  x = lane < warps ? partial[lane] : neutral;
  const float ofBlock = reduceWarp(x);
  if (again)
    __syncthreads();
  return ofBlock;
}
template <WarpReduction reduceWarp> __device__ float blockReduce(float x) {
  return blockReduce<reduceWarp>(x, true, 0.0f);
}

__global__ void normalise(const float* in, float* out, int n) {
  const float* row = in + blockIdx.x * n;
  float largest = -1e30f;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    largest = fmaxf(largest, row[i]);
  largest = blockReduce<extremes::warpMax>(largest, true, -1e30f);
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += row[i] - largest;
  sum = blockReduce<warpSum>(sum);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = (row[i] - largest) / sum;
}

int main() {
  const int n = 200, rows = 3;
  float *in, *out;
  cudaMallocManaged(&in, rows * n * sizeof(float));
  cudaMallocManaged(&out, rows * n * sizeof(float));
  for (int i = 0; i < rows * n; ++i)
    in[i] = float(i * 37 % 64);
  normalise<<<rows, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < rows * n; i += 49)
    printf("%.6f ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}

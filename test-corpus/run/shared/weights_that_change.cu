// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads read the same weights, which stay as they are while a loop over threads runs, and
// change between launches, between barriers or behind what has been read.
#include <cstdio>
#include <vector>

__constant__ float taps[3];
__device__ double scale[2];

__global__ void filter(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  out[i] = taps[0] * in[i - 1] + taps[1] * in[i] + taps[2] * in[i + 1];
}
__global__ void scaled(const float* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[i] * scale[0] + scale[1];
}
__global__ void rescale() { scale[threadIdx.x] = scale[threadIdx.x] * 0.5 + threadIdx.x; }
// The weight changes between barriers, and its last value is the block's.
__global__ void decay(float* x, float* weights, int steps) {
  __shared__ float weight;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    weight = weights[blockIdx.x];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    x[i] += weight * float(s + 1);
    __syncthreads();
    if (threadIdx.x == 5)
      weight *= 0.5f;
    __syncthreads();
  }
  if (threadIdx.x == 1)
    weights[blockIdx.x] = weight;
}
// What a thread stores is what it loads again.
__global__ void own(float* x, float* first) {
  const int i = threadIdx.x;
  float* const mine = i == 0 ? first : x + i;
  *mine += 1;
  x[i + blockDim.x] = *mine * 2;
}
int main() {
  const int n = 1000;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = float(i * 37 % 64) / 8;
  float *a, *b;
  double* d;
  cudaMalloc(&a, 1024 * sizeof(float));
  cudaMalloc(&b, 1024 * sizeof(float));
  cudaMalloc(&d, n * sizeof(double));
  cudaMemset(a, 0, 1024 * sizeof(float));
  cudaMemset(b, 0, 1024 * sizeof(float));
  cudaMemset(d, 0, n * sizeof(double));
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (float w = 1; w <= 4; w *= 2) {
    const float weights[] = {w / 4, w / 2, -w};
    const double scales[] = {w, w / 8};
    cudaMemcpyToSymbol(taps, weights, sizeof weights);
    cudaMemcpyToSymbol(scale, scales, sizeof scales);
    filter<<<8, 128>>>(a, b, n);
    scaled<<<8, 128>>>(b, d, n);
    rescale<<<1, 2>>>();
    scaled<<<8, 128>>>(b, d, n);
  }
  decay<<<4, 64>>>(a, b, 5);
  own<<<1, 64>>>(a + 300, b + 8);
  std::vector<float> out(1024), other(1024);
  std::vector<double> sums(n);
  cudaMemcpy(out.data(), a, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(other.data(), b, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i : {0, 1, 3, 8, 63, 64, 255, 300, 301, 363, 364, 500, 998, 999})
    std::printf("%d %g %g %g\n", i, out[i], other[i], sums[i]);
}

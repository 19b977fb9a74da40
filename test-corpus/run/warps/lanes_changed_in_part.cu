// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions that change what some lanes hold: scans and reductions in functions of their own,
// called several times, from other functions, under conditions, with values of several types that
// live across barriers.
#include <cstdio>

template <class T> __device__ T scanWarp(T v, int lane) {
  for (int d = 1; d < 32; d <<= 1) {
    T t = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d)
      v += t;
  }
  return v;
}

__device__ __forceinline__ float largest(float v) {
  for (int d = 16; d > 0; d /= 2) {
    float t = __shfl_xor_sync(0xffffffffu, v, d);
    v = t > v ? t : v;
  }
  return v;
}

__device__ int both(int v, int lane, int& even) {
  int sum = scanWarp(v, lane);
  if (lane % 2 == 0)
    even += sum;
  return sum - scanWarp(v % 3, lane);
}

__global__ void scans(const int* in, int* out, double* wide, float* top, int n) {
  __shared__ int sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = i < n ? in[i] : 0;
  int even = 0;
  const int difference = both(v, lane, even);
  v = scanWarp(v, lane);
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = lane < blockDim.x / 32 ? sums[lane] : 0;
    s = scanWarp(s, lane);
    sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0)
    v += sums[warp - 1];
  int steps = 0;
  for (int d = 1; d < 32; d *= 3) {
    int t = __shfl_down_sync(0xffffffffu, v, d);
    if (lane + d < 32 && t > v)
      ++steps;
    else if (lane % 5 == 1)
      steps -= d;
  }
  __syncthreads();
  const double w = scanWarp(v * 0.5, lane);
  const float f = largest(static_cast<float>(v % 100));
  if (i < n) {
    out[i] = v + 3 * even + 5 * difference + 7 * steps;
    wide[i] = w;
    top[i] = f;
  }
}

int main() {
  constexpr int n = 3000;
  static int in[n], out[n];
  static double wide[n];
  static float top[n];
  for (int i = 0; i < n; ++i)
    in[i] = (i * 37) % 41 - 11;
  int *dIn, *dOut;
  double* dWide;
  float* dTop;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMalloc(&dWide, sizeof wide);
  cudaMalloc(&dTop, sizeof top);
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);
  for (const int size : {32, 64, 256, 512, 1024}) {
    scans<<<(n + size - 1) / size, size>>>(dIn, dOut, dWide, dTop, n);
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, dWide, sizeof wide, cudaMemcpyDeviceToHost);
    cudaMemcpy(top, dTop, sizeof top, cudaMemcpyDeviceToHost);
    long sum = 0;
    double sumWide = 0, sumTop = 0;
    for (int i = 0; i < n; ++i) {
      sum += static_cast<long>(out[i]) * (i % 11 + 1);
      sumWide += wide[i];
      sumTop += top[i] * (i % 7);
    }
    printf("%d threads: %ld %.1f %.1f\n", size, sum, sumWide, sumTop);
  }
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dWide);
  cudaFree(dTop);
  return 0;
}

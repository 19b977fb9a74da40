// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers inside device functions: a block reduction called twice, from a helper and in a template.
#include <cstdio>

__device__ int blockSum(int value, int* scratch) {
  int t = threadIdx.x;
  scratch[t] = value;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int other = t + d < blockDim.x ? scratch[t + d] : 0;
    __syncthreads();
    scratch[t] += other;
    __syncthreads();
  }
  int result = scratch[0];
  __syncthreads();
  return result;
}

template <class T, int N> struct BlockMax {
  T slots[N];
  __device__ T operator()(T v) {
    slots[threadIdx.x] = v;
    __syncthreads();
    T best = v;
    for (int i = 0; i < blockDim.x; ++i)
      best = slots[i] > best ? slots[i] : best;
    __syncthreads();
    return best;
  }
};

__global__ void stats(const int* in, int* sums, float* maxima) {
  __shared__ int scratch[256];
  __shared__ BlockMax<float, 256> blockMax;
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  int sum = blockSum(v, scratch);
  int above = blockSum(v * int(blockDim.x) > sum ? 1 : 0, scratch);
  float most = blockMax(v * 0.5f);
  if (threadIdx.x == blockDim.x - 1) {
    sums[2 * blockIdx.x] = sum;
    sums[2 * blockIdx.x + 1] = above;
    maxima[blockIdx.x] = most;
  }
}

int main() {
  const int block = 200, grid = 5;
  int *in, *sums;
  float* maxima;
  cudaMallocManaged(&in, block * grid * sizeof(int));
  cudaMallocManaged(&sums, 2 * grid * sizeof(int));
  cudaMallocManaged(&maxima, grid * sizeof(float));
  for (int i = 0; i < block * grid; ++i)
    in[i] = (i * 7919) % 2003;
  stats<<<grid, block>>>(in, sums, maxima);
  cudaDeviceSynchronize();
  for (int b = 0; b < grid; ++b)
    printf("%d %d %.1f\n", sums[2 * b], sums[2 * b + 1], maxima[b]);
  return 0;
}

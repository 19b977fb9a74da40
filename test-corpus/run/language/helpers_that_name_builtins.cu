// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that name built-in variables know the thread that calls them, however they are called.
#include <cstdio>

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ unsigned lane() { return threadIdx.x & 31; }
__device__ bool leader() { return threadIdx.x == 0; }
__device__ unsigned char narrow() { return threadIdx.x * 3; }

__device__ int place(int width) {
  int x = globalIndex(), y = blockIdx.y * blockDim.y + threadIdx.y;
  return y * width + x;
}

template <int N> __device__ void load(int (&tile)[N], const int* p) {
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    tile[i] = p[i];
}

__device__ int inLambda() { return threadIdx.x * 5; }

__device__ int pointed() { return threadIdx.x + 7; }

__device__ int countDown(int n) { return n == 0 ? int(threadIdx.x) : countDown(n - 1) + 1; }

__global__ void fill(int* p, int n) {
  int i = globalIndex();
  if (i < n)
    p[i] = i + lane() + narrow() * 2;
}

__global__ void add(int* p, int width) {
  p[place(width)] += countDown(5);
  if (leader())
    p[place(width)] += 5;
}

template <int N> __global__ void reverse(const int* p, int* out, int n) {
  __shared__ int tile[N];
  load(tile, p);
  __syncthreads();
  const auto inner = [] { return inLambda(); };
  int (*f)() = pointed;
  if (globalIndex() >= n)
    return;
  out[globalIndex()] = tile[N - 1 - threadIdx.x] + f() + pointed() + inner();
}

int main() {
  int *p, *out;
  cudaMallocManaged(&p, 1024 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int i = 0; i < 1024; ++i)
    p[i] = 0;
  for (int i = 0; i < 128; ++i)
    out[i] = -1;
  fill<<<8, 128>>>(p, 1000);
  add<<<dim3(4, 8), dim3(8, 4)>>>(p, 32);
  reverse<200><<<2, 64>>>(p, out, 100);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 1024; i += 37)
    printf("%d ", p[i]);
  printf("\n");
  for (int i = 0; i < 128; i += 9)
    printf("%d ", out[i]);
  printf("\n");
}

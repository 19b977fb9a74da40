// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels launch kernels: the parent is complete when its children are, which see what it wrote.
// FLAGS: -rdc=true
#include <cstdio>

__device__ int total;

__global__ void scale(float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= a;
}

__global__ void sums(const float* x, float* out, int n) {
  __shared__ float part[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d)
      part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

// One thread launches, after the block has written.
__global__ void parent(float* x, float* out, int n) {
  const int per = n / gridDim.x;
  float* mine = x + blockIdx.x * per;
  for (int i = threadIdx.x; i < per; i += blockDim.x)
    mine[i] = blockIdx.x + i * 0.5f;
  __syncthreads();
  if (threadIdx.x == 0) {
    scale<<<(per + 63) / 64, 64>>>(mine, 2.0f, per);
    sums<<<(per + 63) / 64, 64>>>(mine, out + blockIdx.x * ((per + 63) / 64), per);
    if (cudaGetLastError() != cudaSuccess)
      printf("launch failed\n");
  }
}

// Every thread launches.
__global__ void leaf(int* hits, int where) { atomicAdd(&hits[where], threadIdx.x + 1); }
__global__ void every(int* hits) {
  leaf<<<1, 4>>>(hits, blockIdx.x * blockDim.x + threadIdx.x);
}

// Recursion: a grid of grids.
__global__ void tree(int depth, int* counts) {
  if (threadIdx.x == 0)
    atomicAdd(&counts[depth], 1);
  if (depth < 4 && threadIdx.x < 2)
    tree<<<1, 32>>>(depth + 1, counts);
}

template <class T, int factor> __global__ void times(T* p) { *p *= factor; }
template <class T> __global__ void twice(T* p) {
  times<T, 3><<<1, 1>>>(p);
  times<T, 7><<<1, 1>>>(p);
  atomicAdd(&total, 1);
}

int main() {
  const int n = 1000, parts = 4, outs = parts * ((n / parts + 63) / 64);
  float *x, *out;
  int *hits, *counts, *value;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&out, outs * sizeof(float));
  cudaMallocManaged(&hits, 64 * sizeof(int));
  cudaMallocManaged(&counts, 5 * sizeof(int));
  cudaMallocManaged(&value, sizeof(int));
  for (int i = 0; i < 64; ++i)
    hits[i] = 0;
  for (int i = 0; i < 5; ++i)
    counts[i] = 0;
  *value = 5;
  parent<<<parts, 128>>>(x, out, n);
  every<<<4, 16>>>(hits);
  tree<<<1, 32>>>(0, counts);
  twice<<<1, 1>>>(value);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < outs; ++i)
    printf("%g ", out[i]);
  printf("\n%g %g\n", x[0], x[n - 1]);
  for (int i = 0; i < 64; ++i)
    printf("%d ", hits[i]);
  printf("\n");
  for (int i = 0; i < 5; ++i)
    printf("%d ", counts[i]);
  int t;
  cudaMemcpyFromSymbol(&t, total, sizeof t);
  printf("\n%d %d\n", *value, t);
  return 0;
}

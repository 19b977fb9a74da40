// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step by the block or grid and ask in each step for more: for a second item a block
// behind, for neighbours on both sides, for places kept within bounds. Lengths that end anywhere in
// the first and in the second item, none at all, starts by twos and in rows of a block.
#include <cstdio>
#include <cuda_runtime.h>

template <class Index> __device__ int total(int v) {
  __shared__ int s[256];
  const int t = threadIdx.x + threadIdx.y * blockDim.x, size = blockDim.x * blockDim.y;
  s[t] = v;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < size; ++k)
    sum += s[k] * (k % 7 + 1);
  __syncthreads();
  return sum;
}

template <class Index> __global__ void pairs(const int* x, Index n, int* out) {
  int sum = 0, others = 0;
  const Index stride = (Index)gridDim.x * blockDim.x * 2;
  for (Index i = (Index)blockIdx.x * blockDim.x * 2 + threadIdx.x; i < n; i += stride) {
    sum += x[i];
    if (i + blockDim.x < n)
      sum += 3 * x[i + blockDim.x];
    else
      ++others;
  }
  const int all = total<Index>(sum), left = total<Index>(others);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = all;
    out[2 * blockIdx.x + 1] = left;
  }
}

__global__ void second(const int* x, size_t n, int* out) {
  int sum = 0, others = 0;
  const size_t stride = (size_t)gridDim.x * blockDim.x * 2;
  for (size_t i = (size_t)blockIdx.x * blockDim.x * 2 + threadIdx.x; i < n; i += stride) {
    sum += x[i];
    if (i + blockDim.x < n)
      sum += 3 * x[i + blockDim.x];
    else
      ++others;
  }
  const int all = total<int>(sum), left = total<int>(others);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = all;
    out[2 * blockIdx.x + 1] = left;
  }
}

__global__ void neighbours(const int* x, int n, int* y, int low) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int v = x[i];
    if (i > 0 && i < n - 1)
      v += x[i - 1] * 2 + x[i + 1] * 5;
    if (i >= low)
      sum += v;
    y[i] = v + x[min(i + 2, n - 1)] + x[max(i - 3, 0)];
  }
  const int all = total<int>(sum);
  if (threadIdx.x == 0)
    y[n] = all;
}

__global__ void byTwos(const int* x, int n, int* y) {
  int odd = 0;
  for (int i = 2 * threadIdx.x; i < n; i += 2 * blockDim.x) {
    y[i] = x[i] + 1;
    if (i + 1 < n)
      y[i + 1] = x[i + 1] - 1;
    else
      odd += i;
  }
  const int all = total<int>(odd);
  if (threadIdx.x == 0)
    y[n] = all;
}

__global__ void inRows(const int* x, int n, int* y) {
  int sum = 0;
  const int size = blockDim.x * blockDim.y;
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < n; i += 2 * size) {
    sum += x[i];
    if (i + size < n)
      sum -= x[i + size] * (i % 3);
  }
  const int all = total<int>(sum);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    y[n] = all;
}

int host[5000];

void show(const char* name, int n, const int* out) {
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int value : host)
    sum = sum * 31 + (unsigned)value;
  printf("%s %d: %u\n", name, n, sum);
}

int main() {
  int *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  for (int i = 0; i < 5000; ++i)
    host[i] = i * 61 % 211 - 90;
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof host);
  const int lengths[] = {0,   1,   2,   31,  64,  127, 128, 129,  255,  256,  257,
                         300, 384, 511, 512, 513, 767, 768, 1000, 1024, 1025, 4095};
  for (int n : lengths) {
    pairs<int><<<2, 128>>>(x, n, y);
    show("pairs", n, y);
    pairs<size_t><<<1, 256>>>(x, n, y);
    show("pairs wide", n, y);
    second<<<2, 256>>>(x, n, y);
    show("second", n, y);
    pairs<unsigned><<<3, 64>>>(x, n, y);
    show("pairs unsigned", n, y);
    if (n > 0) {
      neighbours<<<1, 128>>>(x, n, y, n / 3);
      show("neighbours", n, y);
    }
    byTwos<<<1, 64>>>(x, n, y);
    show("by twos", n, y);
    inRows<<<1, dim3(32, 8)>>>(x, n, y);
    show("in rows", n, y);
  }
  cudaFree(x);
  cudaFree(y);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

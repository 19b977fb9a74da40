// Blocks that go along several stretches of an array: a place that statements move on, places a
// part of the block apart, sizes from templates and parameters, arrays that end within a block.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64;
constexpr int items = 2 * threads;

// What a scan of blocks adds behind it, by a shared variable and without one.
__global__ void addShared(int* out, const int* totals, int n) {
  __shared__ int carry;
  if (threadIdx.x == 0)
    carry = totals[blockIdx.x];
  __syncthreads();
  int i = blockIdx.x * items + threadIdx.x;
  if (i < n)
    out[i] += carry;
  i += blockDim.x;
  if (i < n)
    out[i] += carry;
}
__global__ void addMoving(int* out, const int* totals, int n) {
  const int carry = totals[blockIdx.x];
  unsigned i = blockIdx.x * (3 * blockDim.x) + threadIdx.x;
  if (i < n)
    out[i] += carry;
  i += blockDim.x;
  if (i < n)
    out[i] += 2 * carry;
  i += blockDim.x;
  if (i < n)
    out[i] += 3 * carry;
}
template <int size>
__global__ void addApart(int* __restrict__ out, const int* __restrict__ totals, int n) {
  const int first = blockIdx.x * (2 * size) + threadIdx.x;
  if (first < n)
    out[first] += totals[blockIdx.x];
  if (first + size < n)
    out[first + size] -= totals[blockIdx.x];
}
// Places that change where nobody can tell, or that a thread moves on for itself.
__global__ void addElsewhere(int* out, const int* totals, int n, int begin) {
  begin += 1;
  int i = blockIdx.x * items + threadIdx.x + begin;
  if (i < n)
    out[i] += 7;
  if (totals[blockIdx.x] % 2 == 0)
    i += threads;
  else
    i += threads + 0 * threadIdx.x;
  if (i < n)
    out[i] += 11;
  i += totals[blockIdx.x] % 3 * items * gridDim.x;
  if (i < n && i >= 0)
    out[i] += 0;
}
// Values that threads move by different steps, in a kernel with a barrier.
__global__ void exchange(int* out, const int* in, int n) {
  __shared__ int values[items];
  int i = blockIdx.x * items + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  i += threads;
  values[threadIdx.x + threads] = i < n ? in[i] : 0;
  __syncthreads();
  i -= threads;
  if (i < n)
    out[i] = values[items - 1 - threadIdx.x];
  i += threads;
  if (i < n)
    out[i] = values[threads - 1 - threadIdx.x];
}

int main() {
  const int most = 5000;
  int *out, *totals, *in;
  cudaMallocManaged(&out, most * sizeof(int));
  cudaMallocManaged(&in, most * sizeof(int));
  cudaMallocManaged(&totals, most * sizeof(int));
  for (int i = 0; i < most; ++i) {
    totals[i] = i * 37 % 101;
    in[i] = i * 13 % 257;
  }
  for (const int n : {1, 63, 64, 65, 128, 129, 1000, 4999, 5000}) {
    for (int i = 0; i < most; ++i)
      out[i] = i;
    const int blocks = (n + items - 1) / items;
    addShared<<<blocks, threads>>>(out, totals, n);
    addMoving<<<(n + 3 * threads - 1) / (3 * threads), threads>>>(out, totals, n);
    addMoving<<<(n + 95) / 96, 32>>>(out, totals, n);
    addApart<threads><<<blocks, threads>>>(out, totals, n);
    addApart<16><<<(n + 31) / 32, 16>>>(out, totals, n);
    addElsewhere<<<blocks, threads>>>(out, totals, n, 2);
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < most; ++i)
      sum = sum * 31 + unsigned(out[i]);
    exchange<<<blocks, threads>>>(out, in, n);
    cudaDeviceSynchronize();
    unsigned exchanged = 0;
    for (int i = 0; i < most; ++i)
      exchanged = exchanged * 31 + unsigned(out[i]);
    printf("%d: %u %u\n", n, sum, exchanged);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}

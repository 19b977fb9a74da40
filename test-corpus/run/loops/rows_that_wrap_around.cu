// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that start below 0: those without sign wrap around between two lanes, and the first lanes are out of the loop.
#include <cstdio>

__device__ int sumOfPair(int sum) { return __shfl_xor_sync(0xffffffff, sum, 1) + 3 * sum; }

template <class Index> __global__ void ofTemplate(const int* in, int* out, Index n) {
  const Index lane = threadIdx.x & 31, first = blockIdx.x * 64;
  int sum = 0;
  for (Index i = first + lane - 5; i < n; i += 32)
    sum += in[i];
  out[blockIdx.x * 32 + lane] = sumOfPair(sum);
}

__global__ void ofWarp(const int* in, int* out, unsigned n) {
  const unsigned lane = threadIdx.x & 31, first = blockIdx.x * 64;
  int sum = 0;
  for (unsigned i = first - 5 + lane; i < n; i += 32)
    sum += in[i];
  out[blockIdx.x * 32 + lane] = sumOfPair(sum);
}

// The sum wraps around before it is widened.
__global__ void widened(const int* in, int* out, size_t n, int halo) {
  const unsigned first = blockIdx.x * 64;
  int sum = 0;
  for (size_t i = first - halo + threadIdx.x; i < n; i += 32)
    sum += in[i];
  out[blockIdx.x * 32 + threadIdx.x] = sumOfPair(sum);
}

__global__ void ofBlock(const int* in, int* out, unsigned n) {
  __shared__ int sums[64];
  int sum = 0;
  for (unsigned i = blockIdx.x * 64 - 7 + threadIdx.x; i < n; i += blockDim.x)
    sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = sums[threadIdx.x ^ 33] + 3 * sum;
}

__global__ void written(int* out, int first, unsigned n) {
  for (unsigned i = first + threadIdx.x; i < n; i += blockDim.x)
    out[i] = 100 * i + threadIdx.x;
}

// The last step ends where the type does.
__global__ void atTheEnd(const signed char* in, int* out) {
  int sum = 0;
  for (signed char i = threadIdx.x & 31; i < 96; i += 32)
    sum += in[i];
  for (unsigned char i = threadIdx.x; i < 224; i += 32)
    sum += in[i];
  out[threadIdx.x] = sumOfPair(sum);
}

int *in, *out;

void show(const char* name) {
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < 256; ++i) {
    sum = sum * 31 + out[i];
    out[i] = 0;
  }
  printf("%s: %u\n", name, sum);
}

int main() {
  signed char* bytes;
  cudaMallocManaged(&in, 1032 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&bytes, 256);
  for (int i = 0; i < 1032; ++i)
    in[i] = i * i % 101;
  for (int i = 0; i < 256; ++i) {
    bytes[i] = i % 23;
    out[i] = 0;
  }
  ofTemplate<unsigned><<<4, 32>>>(in + 8, out, 250);
  show("of a template, unsigned");
  ofTemplate<int><<<4, 32>>>(in + 8, out, 250);
  show("of a template, int");
  ofTemplate<unsigned long long><<<4, 32>>>(in + 8, out, 250);
  show("of a template, unsigned long long");
  ofWarp<<<4, 32>>>(in + 8, out, 250);
  show("of a warp");
  widened<<<4, 32>>>(in + 8, out, 250, 9);
  show("widened");
  ofBlock<<<4, 64>>>(in + 8, out, 250);
  show("of a block");
  written<<<1, 64>>>(out, -20, 150);
  show("written");
  atTheEnd<<<1, 32>>>(bytes, out);
  show("at the end");
  return 0;
}

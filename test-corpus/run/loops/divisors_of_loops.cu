// Quotients and remainders by numbers that are the same for all threads are exact, whatever is
// divided: with and without signs, near the ends of their types, and in narrow types.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__device__ unsigned mixed(unsigned v) {
  v ^= v >> 16;
  v *= 0x7feb352du;
  v ^= v >> 15;
  v *= 0x846ca68bu;
  return v ^ (v >> 16);
}

// Numbers around multiples of the divisor, around the ends of the type, and any others.
__device__ unsigned sample(int i, unsigned divisor) {
  const unsigned v = mixed(i);
  if (i % 4 == 0)
    return v / divisor * divisor + i / 4 % 3 - 1;
  if (i % 4 == 1)
    return 0x7fffffffu + i / 4 % 5 - 2;
  return i % 4 == 2 ? 0u + i / 4 % 7 - 3 : v;
}

__global__ void withSigns(const int* given, int n, int divisor, int* quotients, int* rests) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    quotients[i] = given[i] / divisor;
    rests[i] = given[i] % divisor;
  }
}

__global__ void withoutSigns(const unsigned* given, int n, unsigned divisor, unsigned* quotients,
                             unsigned short* rests, unsigned short narrow) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    quotients[i] = given[i] / divisor;
    rests[i] = (unsigned short)given[i] % narrow;
  }
}

// Divides only by what is greater than 0.
__global__ void counted(const int* given, int n, int low, int high, unsigned* bins) {
  __shared__ unsigned own[64];
  own[threadIdx.x % 64] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (high > low && given[i] >= low && given[i] < high)
      atomicAdd(&own[(given[i] - low) % 1000 * 64 / (high - low) & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void fill(unsigned* out, int n, unsigned divisor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sample(i, divisor);
}

int main() {
  const int n = 4099;
  unsigned *given, *a, *b, *bins;
  unsigned short* c;
  cudaMallocManaged(&given, n * 4);
  cudaMallocManaged(&a, n * 4);
  cudaMallocManaged(&b, n * 4);
  cudaMallocManaged(&c, n * 2);
  cudaMallocManaged(&bins, 64 * 4);
  for (unsigned divisor : {1u, 2u, 3u, 7u, 10u, 641u, 65535u, 65537u, ~0u / 2, ~0u / 2 + 2, ~6u}) {
    fill<<<(n + 127) / 128, 128>>>(given, n, divisor);
    withSigns<<<8, 96>>>((int*)given, n, (int)divisor, (int*)a, (int*)b);
    cudaDeviceSynchronize();
    unsigned long long sums[5] = {};
    for (int i = 0; i < n; ++i) {
      sums[0] += a[i] * (i + 1ull);
      sums[1] += b[i] * (i + 1ull);
    }
    withoutSigns<<<(n + 63) / 64, 64>>>(given, n, divisor, a, c, (unsigned short)divisor);
    cudaMemset(bins, 0, 64 * 4);
    counted<<<4, 128>>>((int*)given, n, 0, (int)divisor, bins);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
      sums[2] += a[i] * (i + 1ull);
      sums[3] += c[i] * (i + 1ull);
      sums[4] += i < 64 ? bins[i] * (i + 1ull) : 0;
    }
    printf("%u: %llu %llu %llu %llu, %llu\n", divisor, sums[0], sums[1], sums[2], sums[3], sums[4]);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads take several items of a row, whose place is a base of 64 bits and a number of 32 bits
// that differs from thread to thread, with and without a sign; they keep them over shuffles within
// warps and over a barrier.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

template <int THREADS, int ITEMS>
__global__ void norms(const float4* __restrict__ x, const float4* __restrict__ more,
                      float4* __restrict__ sums, float4* __restrict__ y) {
  __shared__ float ofWarps[THREADS / 32];
  const size_t base = (size_t)blockIdx.x * (THREADS * ITEMS);
  float4 kept[ITEMS];
  float own = 0.f;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const int c = threadIdx.x + i * THREADS;
    const float4 a = x[base + c], b = more[base + c];
    kept[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    sums[base + c] = kept[i];
    own += kept[i].x * kept[i].x + kept[i].y * kept[i].y + kept[i].z * kept[i].z +
           kept[i].w * kept[i].w;
  }
#pragma unroll
  for (int d = 16; d; d >>= 1)
    own += __shfl_xor_sync(0xffffffffu, own, d);
  if ((threadIdx.x & 31) == 0)
    ofWarps[threadIdx.x >> 5] = own;
  __syncthreads();
  float total = 0.f;
#pragma unroll
  for (int k = 0; k < THREADS / 32; ++k)
    total += ofWarps[k];
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const int c = threadIdx.x + i * THREADS;
    y[base + c] =
        make_float4(kept[i].x + total, kept[i].y * 2, kept[i].z - total, kept[i].w + kept[i].x);
  }
}

// Numbers without a sign, a few below the base for the first threads, within a row of the array.
__global__ void shifted(const int* in, int* out, unsigned n, int back) {
  const unsigned long long base = 64ull + (unsigned long long)blockIdx.x * blockDim.x;
  int kept[3];
  for (int i = 0; i < 3; ++i) {
    const int c = (int)threadIdx.x * 2 - back + i;
    kept[i] = in[base + c];
  }
  __syncthreads();
  const unsigned u = threadIdx.x + 5u;
  const long long place = (long long)blockIdx.x * 7 + (threadIdx.x * 3u) + 1;
  for (int i = 0; i < 3; ++i)
    if (base + u < n)
      out[base + u] = kept[0] + 10 * kept[1] + 100 * kept[2] + in[place];
}

static unsigned long long sumOf(const float* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned long long>(static_cast<long long>(values[i]));
  return sum;
}

template <int THREADS, int ITEMS> void tryNorms() {
  const int blocks = 5, n = blocks * THREADS * ITEMS;
  float4 *x, *more, *sums, *y;
  cudaMallocManaged(&x, n * sizeof(float4));
  cudaMallocManaged(&more, n * sizeof(float4));
  cudaMallocManaged(&sums, n * sizeof(float4));
  cudaMallocManaged(&y, n * sizeof(float4));
  for (int i = 0; i < n; ++i) {
    x[i] = make_float4(i % 5, i % 3, (i + 1) % 4, i / 7 % 3);
    more[i] = make_float4(i % 2, 1, i % 4, 2);
  }
  norms<THREADS, ITEMS><<<blocks, THREADS>>>(x, more, sums, y);
  cudaDeviceSynchronize();
  printf("%d %d: %llx %llx\n", THREADS, ITEMS, sumOf(&sums[0].x, 4 * n), sumOf(&y[0].x, 4 * n));
  cudaFree(x);
  cudaFree(more);
  cudaFree(sums);
  cudaFree(y);
}

int main() {
  tryNorms<32, 1>();
  tryNorms<64, 2>();
  tryNorms<128, 3>();
  tryNorms<192, 5>();
  tryNorms<256, 4>();
  int *in, *out;
  const int n = 1000;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 37) % 101;
    out[i] = -1;
  }
  for (const int back : {0, 1, 33, 64}) {
    shifted<<<3, 128>>>(in, out, 400u, back);
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + static_cast<unsigned>(out[i]);
    printf("shifted %d: %u\n", back, sum);
  }
  return 0;
}

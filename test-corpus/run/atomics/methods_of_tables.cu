// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics in methods: of an object in shared memory they are the block's own, also by the object's
// base, a method that calls another, and a pointer to the object; where the same method is also
// called of an object in global memory, or by a pointer to it, other blocks update it, too.
#include <cstdio>

constexpr int kinds = 3, width = 32, blocks = 64, threads = 128;

template <int Copies> struct Table {
  unsigned int bin[Copies][kinds][width + 1];
  __device__ void clear(int t) {
    unsigned int* flat = &bin[0][0][0];
    for (int i = t; i < Copies * kinds * (width + 1); i += threads) flat[i] = 0;
  }
  __device__ void add(int copy, unsigned x) {
    atomicAdd(&bin[copy][0][x % width], 1u);
    atomicAdd(&bin[copy][1][x / width % width], x & 3);
    most(copy, x);
  }
  __device__ void most(int copy, unsigned x) { atomicMax(&this->bin[copy][2][x % width], x); }
};

struct Named : Table<1> { int name; };

/// Of shared and of global objects.
struct Sum {
  unsigned long long all;
  int calls;
  __device__ void add(unsigned long long x) {
    atomicAdd(&all, x);
    atomicAdd(&calls, 1);
  }
  __device__ void sub(int x) { atomicAdd(&all, 0ull - x); }
};

__global__ void count(const unsigned* in, int n, unsigned* out, Sum* sums) {
  __shared__ Table<2> table;
  __shared__ Named named;
  __shared__ Sum sum;
  table.clear(threadIdx.x);
  named.clear(threadIdx.x);
  if (threadIdx.x == 0) sum.all = sum.calls = 0;
  __syncthreads();
  Table<2>* same = &table;
  void (Sum::*const take)(int) = &Sum::sub;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    table.add(threadIdx.x & 1, in[i]);
    same->most(0, in[i] / 3);
    named.add(0, in[i] >> 3);
    sum.add(in[i]);
    sums[0].add(in[i]);
    (sums[1].*take)(i);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kinds * width; i += blockDim.x) {
    const int kind = i / width, b = i % width;
    const unsigned a = table.bin[0][kind][b], c = table.bin[1][kind][b];
    atomicAdd(&out[i], kind == 2 ? (a > c ? a : c) : a + c);
    atomicAdd(&out[kinds * width + i], named.bin[0][kind][b]);
  }
  if (threadIdx.x == 0) sums[2].add(sum.all + sum.calls);
}

int main() {
  const int n = 50000;
  unsigned *in, *out;
  Sum* sums;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 2 * kinds * width * sizeof *out);
  cudaMallocManaged(&sums, 3 * sizeof *sums);
  cudaMemset(out, 0, 2 * kinds * width * sizeof *out);
  cudaMemset(sums, 0, 3 * sizeof *sums);
  for (int i = 0; i < n; ++i) in[i] = (i * 2654435761u) >> 11;
  count<<<blocks, threads>>>(in, n, out, sums);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned hash = 0;
  for (int i = 0; i < 2 * kinds * width; ++i) hash = hash * 31 + out[i];
  printf("%u %u %u\n", hash, out[5], out[kinds * width + 70]);
  for (int i = 0; i < 3; ++i) printf("%llu %d\n", sums[i].all, sums[i].calls);
}

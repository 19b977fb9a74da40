// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that three files include: a kernel template, a static kernel, one in an anonymous namespace, a class with a
// shared array, constants and an inline device function.
#pragma once

template <class T> __global__ void fill(T* p, T v) { p[threadIdx.x] = v + T(threadIdx.x); }

static __global__ void scale(int* p, int by) { p[threadIdx.x] *= by; }

namespace {
__constant__ int offset = 5;
__device__ int calls;
__global__ void shift(int* p) {
  p[threadIdx.x] += offset;
  if (threadIdx.x == 0)
    atomicAdd(&calls, 1);
}
} // namespace

inline __device__ int square(int x) { return x * x; }
__forceinline__ __host__ __device__ int half(int x) { return x / 2; }

struct Reverser {
  static constexpr int size = 32;
  __device__ static void run(int* p) {
    __shared__ int kept[size];
    kept[threadIdx.x] = square(p[threadIdx.x]);
    __syncthreads();
    p[threadIdx.x] = half(kept[size - 1 - threadIdx.x]);
  }
};
static __global__ void reverse(int* p) { Reverser::run(p); }

int first(int* p);
int second(int* p);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code in a header: an inline function, a struct with methods, a kernel template. Included by two .cu files.
#pragma once

struct Vec {
  float x, y;
  __host__ __device__ float dot(const Vec& o) const { return x * o.x + y * o.y; }
};

__device__ inline int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> __global__ void fill(T* p, T v, int n) {
  int i = globalIndex();
  if (i < n)
    p[i] = v;
}

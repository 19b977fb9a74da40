// Templates that several sources use, each with instances of its own.
#pragma once

#include "index.h"

template <typename T, int threads> __device__ T blockSum(T value) {
  __shared__ T part[threads];
  part[threadIdx.x] = value;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  return part[0];
}

// Instantiated by sums.cu only.
template <typename T, int threads> __global__ void sumBlocks(const T* in, T* out, int n) {
  const int i = globalIndex();
  const T sum = blockSum<T, threads>(i < n ? in[i] : T());
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}

// Instantiated by scale.cu only.
template <typename T> __global__ void multiply(T* p, T factor, int n) {
  const int i = globalIndex();
  if (i < n)
    p[i] *= factor;
}

#ifdef BACKWARDS
// Seen by one of the two translations of scale.cu.
__global__ void reverse(int* p, int n) {
  const int i = globalIndex();
  if (i < n / 2) {
    const int kept = p[i];
    p[i] = p[n - 1 - i];
    p[n - 1 - i] = kept;
  }
}
#endif

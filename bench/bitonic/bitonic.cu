// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sorting network: blocks sort 1024 keys in shared memory, steps over longer distances work
// on global memory.
#include "../device_vector.h"

#define SHARED 1024

__device__ inline void compare(unsigned int& a, unsigned int& b, bool ascending) {
  if ((a > b) == ascending) {
    unsigned int t = a;
    a = b;
    b = t;
  }
}

__global__ void sortShared(unsigned int* keys) {
  __shared__ unsigned int s[SHARED];
  unsigned int base = blockIdx.x * SHARED;
  s[threadIdx.x] = keys[base + threadIdx.x];
  s[threadIdx.x + SHARED / 2] = keys[base + threadIdx.x + SHARED / 2];
  for (unsigned int size = 2; size <= SHARED; size <<= 1) {
    bool ascending = (((blockIdx.x * (SHARED / 2) + threadIdx.x) & (size / 2)) == 0);
    for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      compare(s[pos], s[pos + stride], ascending);
    }
  }
  __syncthreads();
  keys[base + threadIdx.x] = s[threadIdx.x];
  keys[base + threadIdx.x + SHARED / 2] = s[threadIdx.x + SHARED / 2];
}

__global__ void mergeGlobal(unsigned int* keys, unsigned int size, unsigned int stride) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool ascending = (i & (size / 2)) == 0;
  unsigned int pos = 2 * i - (i & (stride - 1));
  compare(keys[pos], keys[pos + stride], ascending);
}

__global__ void mergeShared(unsigned int* keys, unsigned int size) {
  __shared__ unsigned int s[SHARED];
  unsigned int base = blockIdx.x * SHARED;
  s[threadIdx.x] = keys[base + threadIdx.x];
  s[threadIdx.x + SHARED / 2] = keys[base + threadIdx.x + SHARED / 2];
  bool ascending = (((blockIdx.x * (SHARED / 2) + threadIdx.x) & (size / 2)) == 0);
  for (unsigned int stride = SHARED / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare(s[pos], s[pos + stride], ascending);
  }
  __syncthreads();
  keys[base + threadIdx.x] = s[threadIdx.x];
  keys[base + threadIdx.x + SHARED / 2] = s[threadIdx.x + SHARED / 2];
}

int main() {
  const int n = 1 << 18;
  std::vector<unsigned int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<unsigned int>(uniform(i) * 1000000.0f);
  DeviceVector<unsigned int> start(values), keys(n);
  measure([&] {
    CHECK_CUDA(cudaMemcpy(keys, start, n * sizeof(unsigned int), cudaMemcpyDeviceToDevice));
    sortShared<<<n / SHARED, SHARED / 2>>>(keys);
    for (unsigned int size = 2 * SHARED; size <= n; size <<= 1) {
      for (unsigned int stride = size / 2; stride >= SHARED; stride >>= 1)
        mergeGlobal<<<n / 512, 256>>>(keys, size, stride);
      mergeShared<<<n / SHARED, SHARED / 2>>>(keys, size);
    }
    finish();
  });
  check(weightedSum(keys.toHost()));
}

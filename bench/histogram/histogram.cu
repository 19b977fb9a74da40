// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram of bytes: counts in shared memory by atomics, added to the result at the end of each
// block.
#include "../device_vector.h"

#define BINS 256

__global__ void histogram(const unsigned char* data, int n, unsigned int* counts) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    atomicAdd(&counts[i], local[i]);
}

int main() {
  const int n = 1 << 24;
  std::vector<unsigned char> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<unsigned char>(uniform(i) * uniform(i + 7) * 256.0f);
  DeviceVector<unsigned char> data(values);
  DeviceVector<unsigned int> counts(BINS);
  measure([&] {
    CHECK_CUDA(cudaMemset(counts, 0, BINS * sizeof(unsigned int)));
    histogram<<<240, 256>>>(data, n, counts);
    finish();
  });
  check(weightedSum(counts.toHost()));
}

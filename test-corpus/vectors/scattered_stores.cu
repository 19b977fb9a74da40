// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NO ASSEMBLY: vpextrd
//
// AVX2 cannot store to places that are no neighbours: a step of a tree over shared memory, whose
// stride is only known when it runs, is faster one thread at a time.
extern "C" __global__ void sweepUp(int* sums, const int* from, int stride, int count) {
  __shared__ int part[1024];
  part[threadIdx.x] = from[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  const int i = threadIdx.x;
  if (i < count) {
    const int left = stride * (2 * i + 1) - 1;
    part[left + stride] += part[left];
  }
  __syncthreads();
  sums[blockIdx.x * 1024 + threadIdx.x] = part[threadIdx.x];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Qualifiers and format macros may touch the string before them.
#include <cinttypes>
#include <cstdio>

extern "C"__global__ void twice(int* data) {
  __shared__ int copy[32];
  copy[threadIdx.x] = 2 * data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[31 - threadIdx.x];
}
extern "C"__host__ __device__ int three() { return 3; }
extern "C"__device__ int four() { return three() + 1; }

__global__ void add(int* data) {
  data[threadIdx.x] += four();
  if (threadIdx.x == 0)
    printf("%"PRId64" on the device\n", (int64_t)1 << 40);
}

int main() {
  int* data;
  cudaMallocManaged(&data, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    data[i] = i;
  twice<<<1, 32>>>(data);
  add<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%d%s", data[i], i % 16 < 15 ? " " : "\n");
  printf("%"PRIu64" %"PRIx32"\n", (uint64_t)1 << 63, (uint32_t)three());
  cudaFree(data);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree reduction: barriers in a loop whose trip count is the same for the whole block, guard that depends on the thread.
#include <cstdio>

__global__ void sum(const int* in, int* out, int n) {
  extern __shared__ int s[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int mine = i < n ? in[i] : 0;
  if (i + blockDim.x < n)
    mine += in[i + blockDim.x];
  s[tid] = mine;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (tid < d)
      s[tid] = mine = mine + s[tid + d];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = mine;
}

int main() {
  const int n = 10000, block = 128, grid = (n + 2 * block - 1) / (2 * block);
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, grid * sizeof(int));
  long want = 0;
  for (int i = 0; i < n; ++i)
    want += in[i] = (i * 37) % 1001 - 300;
  sum<<<grid, block, block * sizeof(int)>>>(in, out, n);
  cudaDeviceSynchronize();
  long got = 0;
  for (int b = 0; b < grid; ++b)
    got += out[b];
  printf("%ld %d %d\n", got, out[0], out[grid - 1]);
  return got != want;
}

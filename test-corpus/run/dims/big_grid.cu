// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of 100,000 tiny blocks, one with 70,000 rows of blocks refused, and a grid-stride loop that covers a rest.
#include <cstdio>

__global__ void mark(unsigned char* seen) { seen[blockIdx.x] += 1; }

__global__ void stride(long long* sum, long long n) {
  long long mine = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    mine += i;
  atomicAdd((unsigned long long*)sum, (unsigned long long)mine);
}

int main() {
  const int n = 100000;
  unsigned char* seen;
  cudaMallocManaged(&seen, n);
  cudaMemset(seen, 0, n);
  mark<<<n, 1>>>(seen);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += seen[i] != 1;
  printf("wrong %d\n", wrong);
  mark<<<dim3(1, 70000), 1>>>(seen);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  long long* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  stride<<<7, 96>>>(sum, 1000003);
  cudaDeviceSynchronize();
  printf("%lld\n", *sum);
  return wrong != 0;
}

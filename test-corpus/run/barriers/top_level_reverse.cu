// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One barrier at the kernel's top level: every thread sees what the others wrote before it.
#include <cstdio>

__global__ void reverse(int* data) {
  __shared__ int tile[300];
  int t = threadIdx.x;
  tile[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  data[blockIdx.x * blockDim.x + t] = tile[blockDim.x - 1 - t];
}

int main() {
  const int n = 300 * 7;
  int* data;
  cudaMallocManaged(&data, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    data[i] = i;
  reverse<<<7, 300>>>(data);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += data[i] != (i / 300) * 300 + 299 - i % 300;
  printf("%d %d %d\n", data[0], data[n - 1], wrong);
  return wrong != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 48 KB of dynamic shared memory needs cudaFuncSetAttribute first; cudaFuncGetAttributes knows limits.
#include <cstdio>

__global__ void big(int* out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[i] = i;
  __syncthreads();
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += s[n - 1 - i] % 10;
  atomicAdd(out, sum);
}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  const int n = 15000;  // 60,000 bytes
  big<<<1, 128, n * sizeof(int)>>>(out, n);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                     big, cudaFuncAttributeMaxDynamicSharedMemorySize, n * int(sizeof(int)))));
  big<<<2, 128, n * sizeof(int)>>>(out, n);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, big);
  printf("%d %d %d\n", a.maxThreadsPerBlock <= 1024 && a.maxThreadsPerBlock > 0, int(a.sharedSizeBytes),
         a.maxDynamicSharedSizeBytes);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%d %d %zu %d %d %d\n", p.warpSize, p.maxThreadsPerBlock, p.sharedMemPerBlock, p.maxThreadsDim[2],
         p.maxGridSize[0], p.maxGridSize[1]);
  int v = 0;
  cudaDeviceGetAttribute(&v, cudaDevAttrMaxBlockDimX, 0);
  printf("%d\n", v);
  return 0;
}

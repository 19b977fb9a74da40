// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 200,000 bytes of local arrays a thread, alive across a barrier ('Call Stack'; hardest where threads are fibers).
#include <cstdio>

__global__ void big(int* out, int n) {
  __shared__ int exchange[8];
  int a[50000];
  for (int i = 0; i < 50000; ++i)
    a[i] = (i * n) ^ int(threadIdx.x);
  exchange[threadIdx.x] = a[(n * 997) % 50000];
  __syncthreads();
  int k = exchange[(threadIdx.x + 1) % 8] % 50000;
  unsigned sum = 0;
  for (int i = 0; i < 50000; ++i)
    sum = sum * 33 + a[(i + k) % 50000];
  out[threadIdx.x + blockIdx.x * blockDim.x] = int(sum);
}

int main() {
  cudaError_t e = cudaDeviceSetLimit(cudaLimitStackSize, 210000);
  printf("%s\n", cudaGetErrorName(e));
  if (e != cudaSuccess)
    return 1;
  int* out;
  cudaMalloc(&out, 16 * sizeof(int));
  big<<<2, 8>>>(out, 13);
  int host[16];
  printf("%s\n", cudaGetErrorName(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)));
  for (int x : host)
    printf("%d\n", x);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with 135,200 bytes of local arrays a thread runs once the stack limit allows it ('Call Stack').
#include <cstdio>

__global__ void big(int* out, int n) {
  int a[130][130];    // 67,600 bytes
  int b[130][130];    // as many again
  for (int i = 0; i < 130; ++i)
    for (int j = 0; j < 130; ++j) {
      a[i][j] = (i * n + j + int(threadIdx.x)) % 251;
      b[j][i] = a[i][j] ^ n;
    }
  unsigned sum = 0;
  for (int i = 0; i < 130; ++i)
    for (int j = 0; j < 130; ++j)
      sum = sum * 31 + a[i][(j * 7) % 130] * b[(i + n) % 130][j];
  out[threadIdx.x + blockIdx.x * blockDim.x] = int(sum);
}

int main() {
  cudaDeviceSetLimit(cudaLimitStackSize, 140000);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitStackSize);
  printf("limit is enough: %d\n", limit >= 140000);
  int* out;
  cudaMalloc(&out, 16 * sizeof(int));
  big<<<2, 8>>>(out, 17);
  int host[16];
  printf("%s\n", cudaGetErrorName(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)));
  for (int x : host)
    printf("%d\n", x);
  return 0;
}

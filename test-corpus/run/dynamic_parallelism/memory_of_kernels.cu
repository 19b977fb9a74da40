// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -rdc=true
// Memory that a kernel allocates, sets and copies with functions of the runtime, and frees while
// its children may still need it; every function's result.
#include <cstdio>

__global__ void addTo(int* sum, const int* part, int n) {
  for (int i = 0; i < n; ++i)
    atomicAdd(sum, part[i]);
}
__global__ void work(int* codes, int* out, int* sum) {
  int *p = nullptr, *q = nullptr;
  codes[0] = cudaMalloc(&p, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    p[i] = i;
  codes[1] = cudaMemcpyAsync(out, p, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
  addTo<<<1, 1>>>(sum, out, 16);
  codes[2] = cudaGetLastError();
  codes[3] = cudaMalloc((void**)&q, 256);
  codes[4] = cudaFree(q);
  codes[5] = cudaFree(nullptr);
  codes[6] = cudaPeekAtLastError();
}
__global__ void many(int* failed) {
  char* p = nullptr;
  if (cudaMalloc((void**)&p, 100 + threadIdx.x) != cudaSuccess) {
    atomicAdd(failed, 1);
    return;
  }
  for (int i = 0; i < 100; ++i)
    p[i] = char(threadIdx.x);
  for (int i = 0; i < 100; ++i)
    if (p[i] != char(threadIdx.x))
      atomicAdd(failed, 1);
  if (cudaFree(p) != cudaSuccess)
    atomicAdd(failed, 1);
}
int main() {
  int* m;
  cudaMallocManaged(&m, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    m[i] = 0;
  work<<<1, 1>>>(m, m + 8, m + 32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 7; ++i)
    printf("%d ", m[i]);
  printf("| %d %d %d\n", m[8], m[23], m[32]);
  many<<<4, 64>>>(m + 33);
  printf("%s %d\n", cudaGetErrorString(cudaDeviceSynchronize()), m[33]);
}

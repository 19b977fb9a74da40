// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, constants and device variables in a header that three files include: templates are one, static ones are each
// file's own.
#include "kernels.cuh"
#include <cstdio>

int main() {
  int* p;
  cudaMallocManaged(&p, 32 * sizeof *p);
  int n = first(p);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", n, p[0], p[31]);
  n = second(p);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", n, p[0], p[31]);
  fill<int><<<1, 32>>>(p, 1);
  shift<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  int calls_here = 0, offset_here = 0;
  cudaMemcpyFromSymbol(&calls_here, calls, sizeof(int));
  cudaMemcpyFromSymbol(&offset_here, offset, sizeof(int));
  printf("%d %d %d %d\n", calls_here, offset_here, p[0], p[31]);
  float* f = (float*)p;
  fill<float><<<1, 32>>>(f, 0.5f);
  cudaDeviceSynchronize();
  printf("%g %g\n", f[0], f[31]);
  return 0;
}

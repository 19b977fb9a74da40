// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two .cu files, a header with device code, a C++ and a C host file in one program; each .cu has its own static kernel `work`.
#include "api.h"
#include "vec.cuh"
#include <cstdio>

static __constant__ float factor = 2;
static __global__ void work(float* p, int n) {
  int i = globalIndex();
  if (i < n)
    p[i] *= factor;
}

int main() {
  const int n = 1000;
  float* a = makeBuffer(n, 1.5f);
  float* b = makeBuffer(n, 3.0f);
  work<<<(n + 127) / 128, 128>>>(a, n);
  printf("dot %g\n", dotOnDevice(a, b, n));
  fill<Vec><<<1, 1>>>((Vec*)a, Vec{7, 8}, 1);
  Vec v;
  cudaMemcpy(&v, a, sizeof v, cudaMemcpyDeviceToHost);
  printf("vec %g\n", v.dot(v));
  printf("c++ %d\n", hostCpp());
  printf("c %d\n", plainC());
  return 0;
}

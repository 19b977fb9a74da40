// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compare-and-swap loops: an atomic multiply, a float maximum through integer bits, and a double add by 64-bit CAS.
#include <cstdio>

__device__ unsigned atomicMulMod(unsigned* p, unsigned by) {
  unsigned old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, assumed * by);
  } while (assumed != old);
  return old;
}

__device__ float atomicMaxFloat(float* p, float v) {
  int* bits = (int*)p;
  int old = *bits;
  while (v > __int_as_float(old)) {
    int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(v));
    if (old == assumed)
      break;
  }
  return __int_as_float(old);
}

__device__ double atomicAddCas(double* address, double val) {
  unsigned long long* as = (unsigned long long*)address;
  unsigned long long old = *as, assumed;
  do {
    assumed = old;
    old = atomicCAS(as, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void k(unsigned* product, float* most, double* sum, int* winners) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMulMod(product, 2 * i + 1);
  atomicMaxFloat(most, float((i * 31) % 997) - 300.5f);
  atomicAddCas(sum, i * 0.25);
  if (atomicCAS(winners, 0, i + 1) == 0)
    atomicAdd(winners + 1, 1);
}

int main() {
  unsigned* product;
  float* most;
  double* sum;
  int* winners;
  cudaMallocManaged(&product, sizeof(unsigned));
  cudaMallocManaged(&most, sizeof(float));
  cudaMallocManaged(&sum, sizeof(double));
  cudaMallocManaged(&winners, 2 * sizeof(int));
  *product = 1;
  *most = -1e30f;
  *sum = 0;
  winners[0] = winners[1] = 0;
  k<<<10, 100>>>(product, most, sum, winners);
  cudaDeviceSynchronize();
  printf("%u %.1f %.2f %d %d\n", *product, *most, *sum, winners[0] > 0, winners[1]);
  return 0;
}

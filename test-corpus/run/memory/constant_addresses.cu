// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __isConstant() knows the addresses of constant variables, and __isGlobal() does not take them.
#include <cstdio>

struct Pair {
  int first;
  float second[3];
};
__constant__ int numbers[16] = {3, 1, 4};
__constant__ const float fixed[4] = {0.5f, 1.5f, 2.5f, 3.5f};
namespace inner {
__constant__ Pair pair;
}
static __constant__ double single;
__device__ int variable;

__device__ int kindOf(const void* p) {
  return (__isConstant(p) != 0) + 2 * (__isGlobal(p) != 0) + 4 * (__isShared(p) != 0);
}

__global__ void ask(int* out, int i) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = kindOf(&numbers[i]);
    out[1] = kindOf(&fixed[i]);
    out[2] = kindOf(&inner::pair.second[i]);
    out[3] = kindOf(&single);
    out[4] = kindOf(&variable);
    out[5] = kindOf(&tile[i]);
    out[6] = numbers[i] + int(fixed[i] * 2) + int(single) + variable;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  const double value = 100;
  cudaMemcpyToSymbol(single, &value, sizeof value);
  ask<<<1, 32>>>(out, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 7; ++i)
    printf("%d ", out[i]);
  printf("\n");
  cudaFree(out);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address-space predicates and conversions there and back, for dynamic shared, global and local memory.
#include <cstdio>

__device__ int variable = 5;

__global__ void spaces(int* out, const int* global) {
  extern __shared__ int dynamic[];
  int local = int(threadIdx.x) + 3;
  int* p = &local;
  dynamic[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 1) {
    out[0] = __isShared(dynamic) != 0;
    out[1] = __isGlobal(global) != 0;
    out[2] = __isGlobal(&variable) != 0;
    out[3] = __isLocal(p) != 0;
    out[4] = __isShared(global) != 0;
    out[5] = __isGlobal(dynamic) != 0;
    out[6] = __isLocal(global) != 0;
    out[7] = *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(dynamic + 2)));
    out[8] = *static_cast<const int*>(__cvta_global_to_generic(__cvta_generic_to_global(global)));
  }
}

int main() {
  int *out, *global;
  cudaMallocManaged(&out, 9 * sizeof *out);
  cudaMalloc(&global, sizeof *global);
  const int nine = 9;
  cudaMemcpy(global, &nine, sizeof nine, cudaMemcpyHostToDevice);
  spaces<<<1, 32, 32 * sizeof(int)>>>(out, global);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i)
    printf("%d ", out[i]);
  printf("\n");
}

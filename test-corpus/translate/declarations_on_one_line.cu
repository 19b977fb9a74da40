// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations that are repeated where they are used are no loop over threads of their own, also where one line has several.
// ARGS: --line-directives
#include <cuda_runtime.h>

__global__ void places(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __syncthreads();
  x[warp * 32 + lane] = s[warp * 32 + 31 - lane];
}
// CHECK: /* int lane = threadIdx.x % 32; */
// CHECK: // int warp = threadIdx.x / 32; (in each region)

void all(float* x) { places<<<1, 256>>>(x); }

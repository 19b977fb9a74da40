// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: vperm[dit2]+.*zmm
//
// Tables of 64 bytes are looked up in registers.
__constant__ int scores[16] = {5, -4, -1, -4, -4, 5, -4, -1, -1, -4, 5, -4, -4, -1, -4, 5};

extern "C" __global__ void look(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scores[a[i] * 4 + b[i]];
}

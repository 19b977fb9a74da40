// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: znver4
// OTHER LOOPS
// ASSEMBLY: v?p?compress(ps|d) +%[yz]mm
//
// What threads keep is stored where a scan tells: lanes that store come to places one behind the other, and are put
// together in a register.
extern "C" __global__ void keep(const float* __restrict__ in, const int* __restrict__ offsets, float least, int n,
                                float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > least)
    out[offsets[i]] = in[i];
}

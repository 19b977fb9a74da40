// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ASSEMBLY: vp?test|movmsk
//
// What only some threads store, as their own numbers decide: whether all of a vector do is asked first.
extern "C" __global__ void keepPositive(float* __restrict to, const float* __restrict from, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n && from[i] > 0)
    to[i] = from[i];
}

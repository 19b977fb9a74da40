// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of a kernel template that are written out one by one are launched with sizes of their own.
// ARGS: --line-directives
#include <cuda_runtime.h>

struct Sum {
  static __device__ float apply(float a, float b) { return a + b; }
};

template <class Op, unsigned width> __global__ void combine(const float* in, float* out, unsigned n) {
  extern __shared__ float s[];
  float mine = 0;
  for (unsigned i = threadIdx.x; i < n; i += width)
    mine = Op::apply(mine, in[i]);
  s[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned k = width / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] = Op::apply(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[0] = s[0];
}
// CHECK: void combine<cuGiven0_0_combine, 256u>(const float* in, float* out, unsigned n) {
// CHECK: cu2cpp::runBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {
// CHECK: void combine<cuGiven1_0_combine, 64u>(const float* in, float* out, unsigned cuArg_n) {
// CHECK: cu2cpp::runBlock<64>(cuArg_n == 1, [&](const auto& cuBlock) CU2CPP_INLINE {

template <class Op> void twice(const float* in, float* part, float* out, unsigned n) {
  const unsigned threads = 256;
  combine<Op, threads><<<1, threads, threads * sizeof(float)>>>(in, part, n);
  combine<Op, 64><<<1, 64, 64 * sizeof(float)>>>(part, out, 1);
}

void all(const float* in, float* part, float* out, unsigned n) { twice<Sum>(in, part, out, n); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: _ZGVeN16v_tanhf
//
// Functions of which the C library has versions for several lanes that keep within the errors of CUDA's tables.
__global__ void activate(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 0.5f * (1.0f + tanhf(0.79788456f * (in[i] + 0.044715f * in[i] * in[i] * in[i])));
}
__global__ void activateByErrors(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 0.5f * (1.0f + erff(in[i] * 0.70710678f));
}
__global__ void call(float* __restrict__ out, const float* __restrict__ moneyness, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = normcdff(moneyness[i]) - 0.9f * normcdff(moneyness[i] - 0.3f);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of structures whose elements are combined become an array for each part; loops that read memory in
// order, a row of the block in each step, run for the whole block.
// ARGS: --line-directives

struct Stats {
  double sum;
  float low, high;
};
__device__ Stats joined(const Stats& a, const Stats& b) {
  return Stats{a.sum + b.sum, fminf(a.low, b.low), fmaxf(a.high, b.high)};
}
__global__ void __launch_bounds__(256) stats(const float* in, Stats* out, int n) {
  // CHECK: alignas(64) double s_sum[256]; alignas(64) float s_low[256]; alignas(64) float s_high[256];
  __shared__ Stats s[256];
  const int t = threadIdx.x;
  float sum = t & 1, low = 1e30f, high = -1e30f;
  // CHECK: for (int k = 0; k < 16; ++k) {
  // CHECK: cu2cpp::eachThreadInside(cuBlock, [&](const uint3 threadIdx) {
  for (int k = 0; k < 16; ++k) {
    const int at = blockIdx.x * 4096 + k * 256 + t;
    if (at < n) {
      const float v = in[at];
      sum += v;
      low = fminf(low, v);
      high = fmaxf(high, v);
    }
  }
  s[t].sum = sum;
  s[t].low = low;
  s[t].high = high;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    // CHECK: { const Stats cuNew_s = joined(Stats{s_sum[t], s_low[t], s_high[t]}, Stats{s_sum[t + d], s_low[t + d], s_high[t + d]}); s_sum[t] = cuNew_s.sum; s_low[t] = cuNew_s.low; s_high[t] = cuNew_s.high; }
    if (t < d) s[t] = joined(s[t], s[t + d]);
    __syncthreads();
  }
  // CHECK: out[blockIdx.x] = Stats{s_sum[0], s_low[0], s_high[0]};
  if (t == 0) out[blockIdx.x] = s[0];
}
// What is only exchanged stays a structure.
__global__ void __launch_bounds__(64) turned(Stats* out) {
  // CHECK: alignas(64) Stats s[64];
  __shared__ Stats s[64];
  const int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
  if (t < 32) {
    const Stats other = s[t];
    s[t] = s[63 - t];
    s[63 - t] = other;
  }
  __syncthreads();
  out[t] = s[t];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures with small arrays become their parts where each element is named by a number, or by the counter of a short
// loop, which is written out.
// ARGS: --line-directives

template <int N> struct Sums {
  float v[N];
  int count;
};
__global__ void __launch_bounds__(128) both(const float* in, float* out, int n) {
  // CHECK: cu2cpp::PerThread<float> cuEach_s_v_0(cuBlock);
  // CHECK: cu2cpp::PerThread<float> cuEach_s_v_1(cuBlock);
  // CHECK: cu2cpp::PerThread<int> cuEach_s_count(cuBlock);
  Sums<2> s{};
  for (int c = threadIdx.x; c < n; c += 128) {
    s.v[0] += in[c];
    s.v[1] += in[c] * in[c];
    s.count++;
  }
  // CHECK: s_v_0 += cuCall1[cuThisThread];
  // CHECK: s_v_1 += cuCall2[cuThisThread];
  for (int o = 16; o > 0; o /= 2)
    for (int i = 0; i < 2; ++i) s.v[i] += __shfl_xor_sync(~0u, s.v[i], o);
  // CHECK: { const Sums<2> cuNew_last = Sums<2>{{s_v_0, s_v_1}, s_count}; last_v_0 = cuNew_last.v[0]; last_v_1 = cuNew_last.v[1]; last_count = cuNew_last.count; }
  Sums<2> last = s;
  __syncthreads();
  out[threadIdx.x] = last.v[0] + last.v[1] + last.count;
}
// CHECK: cu2cpp::PerThread<Sums<2>> cuEach_s(cuBlock);
__global__ void __launch_bounds__(128) byData(const int* in, float* out, int n) {
  Sums<2> s{};
  for (int c = threadIdx.x; c < n; c += 128) s.v[in[c] & 1] += 1;
  __syncthreads();
  out[threadIdx.x] = s.v[0] - s.v[1];
}

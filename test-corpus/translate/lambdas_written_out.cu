// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas as local functions, where compilers read the translation: what is one expression stands where it is asked for,
// a few statements stand before the statement that asks, and only where that does the same.
// ARGS: --line-directives
struct Complex {
  float re, im;
};

__global__ void escape(const Complex* in, int* out, int n, Complex c) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  Complex z = in[t];
  const auto norm = [](const Complex& v) { return v.re * v.re + v.im * v.im; };
  auto plus = [](Complex a, Complex b) -> Complex { return {a.re + b.re, a.im + b.im}; };
  int k = 0;
  // CHECK: (z_re * z_re + z_im * z_im) <= 4.0f
  while (k < 50 && norm(z) <= 4.0f) {
    // CHECK: { const Complex cuNew_z = Complex{z_re + c.re, z_im + c.im};
    z = plus(z, c);
    ++k;
  }
  out[t] = k;
}

__global__ void statements(int* out, int n) {
  const int t = threadIdx.x;
  int calls = 0, k = n;
  auto mix = [](int v) {
    const int w = v * 31;
    return w ^ (w >> 5);
  };
  auto next = [&](int by) {
    k += by;
    return k;
  };
  // CHECK: int cuResult_mix; { const int w_1 = t * 31; cuResult_mix = ( w_1 ^ (w_1 >> 5)); } calls += 3 * cuResult_mix;
  calls += 3 * mix(t);
  for (int i = 0; i < n; ++i)
    calls += out[i];
  // CHECK: calls = k + next(t);
  calls = k + next(t);
  // CHECK: { k += calls; calls = ( k); }
  calls = next(calls);
  out[t] = calls;
}

__global__ void copies(const int* in, int* out) {
  int k = in[threadIdx.x];
  // CHECK: const int k_1 = k;
  auto later = [=](int v) { return v * k; };
  for (int i = 0; i < 4; ++i)
    k += in[i];
  // CHECK: cuResult_later = ( v_1 * k_1); } out[threadIdx.x] = cuResult_later + k;
  out[threadIdx.x] = later(in[0]) + k;
}

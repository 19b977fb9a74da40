// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain cast of an out-of-range or NaN float to an integer saturates on the GPU; x86 gives INT_MIN.
#include <cstdio>

__global__ void k(const float* x, long long* out) {
  int t = threadIdx.x;
  out[3 * t] = int(x[t]);
  out[3 * t + 1] = unsigned(x[t]);
  out[3 * t + 2] = (long long)(double(x[t]) * 1e10);
}

int main() {
  const float values[] = {1e10f, -1e10f, 5e9f, NAN, -1.5f, 2.7f};
  float* x;
  long long* out;
  cudaMallocManaged(&x, sizeof values);
  cudaMallocManaged(&out, 18 * sizeof(long long));
  for (int i = 0; i < 6; ++i)
    x[i] = values[i];
  k<<<1, 6>>>(x, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 18; ++i)
    printf("%lld%c", out[i], i % 3 == 2 ? '\n' : ' ');
  return 0;
}

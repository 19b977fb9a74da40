// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that integers cannot hold, none, and those at the ends of what they hold, become bins:
// clamped by min() and max() in different orders and ranges, of which some hold the least integer.
#include <cmath>
#include <cstdio>

constexpr int kinds = 10;

template <int Bins> __device__ int bin(float x) {
  int b = (int)x;
  return min(max(b, 0), Bins - 1);
}

__global__ void clampBins(const float* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = bin<48>(x) * 48 + bin<64>(x * 0.5f);
  out[i + n] = max(0, min((int)x, 255));
  out[i + 2 * n] = (int)x;
  out[i + 3 * n] = max((int)x, -100);
  out[i + 4 * n] = min((int)x, 100);
  out[i + 5 * n] = max((int)x - 1, 5);
  out[i + 6 * n] = max((int)x, -2147483647) + 1;
  out[i + 7 * n] = __float2int_rn(x) & 1023;
  out[i + 8 * n] = min(max((int)x, 3), 9) << 2;
  out[i + 9 * n] = x < -5.0f ? 0 : min(max((int)x, 0), 15);
}

int main() {
  const float special[] = {0.f, -0.f, 0.99f, -0.99f, 1.f, 46.9f, 47.f, 48.f, 1e9f, -1e9f, 2147483520.f, 2147483648.f, 3e9f,
                           -2147483520.f, -2147483648.f, -2147483904.f, -3e9f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, -NAN,
                           4294967296.f, -4294967296.f, 99.5f, -100.5f, 254.5f, 255.5f, 1e-40f, -5.5f, 8.5f};
  const int count = sizeof special / sizeof *special, n = 1000;
  float* in;
  int* out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, kinds * n * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = special[(i * 7 + i / 32) % count];
  clampBins<<<(n + 127) / 128, 128>>>(in, n, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int k = 0; k < kinds; ++k) {
    unsigned hash = 0;
    for (int i = 0; i < n; ++i) hash = hash * 31 + out[i + k * n];
    printf("%u:", hash);
    for (int i = 0; i < 32; ++i) printf(" %d", out[i + k * n]);
    printf("\n");
  }
}

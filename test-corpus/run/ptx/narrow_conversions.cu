// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between pairs of fp8 numbers and f32, f16, bf16: saturation, relu, both formats, denormals,
// infinities.
#include <cstdio>
#include <cstring>

__global__ void convert(const float* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float a = in[i], b = in[(i + 1) % n];
  unsigned short s;
  unsigned half2, bf2, r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(half2) : "f"(a), "f"(b));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bf2) : "f"(a), "f"(b));
  unsigned* o = out + i * 7;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(s) : "f"(a), "f"(b));
  o[0] = s;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(s));
  o[1] = r;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(s) : "f"(a), "f"(b));
  o[2] = s;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(r) : "h"(s));
  o[3] = r;
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(s) : "f"(a), "f"(b));
  o[4] = s;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(s) : "r"(half2));
  o[5] = s;
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;" : "=h"(s) : "r"(half2));
  o[6] = s | bf2 << 16;
}

int main() {
  const int n = 16384;
  float* in;
  unsigned* out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * 7 * sizeof(unsigned));
  unsigned x = 12345;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    const unsigned bits =
        (x & 0x80000000u) | ((x >> 8 & 0x1fff) + 0x3800u * (i % 3)) << 16 | (x & 0x8000u);
    memcpy(&in[i], &bits, 4);
    if (!(in[i] == in[i]))
      in[i] = 0.0f;
  }
  const float edges[] = {0.0f,     -0.0f,    448.0f, 464.0f,       465.0f,        -480.0f,
                         57344.0f, 61440.0f, 1e30f,  0.001953125f, 0.0009765625f, -1e-9f};
  for (int i = 0; i < 12; ++i)
    in[i * 3] = edges[i];
  convert<<<n / 128, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < 7; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 7 + k]) * 1099511628211ull;
    printf("%d %016llx\n", k, h);
  }
  for (int i = 0; i < 12; ++i)
    printf("%g: %08x %08x %08x\n", edges[i], out[i * 21], out[i * 21 + 2], out[i * 21 + 4]);
}

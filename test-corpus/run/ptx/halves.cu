// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of inline PTX on half and bfloat16 numbers, one and two to a register.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __half2 add2(__half2 a, __half2 b) {
  __half2 r;
  asm("add.f16x2 %0, %1, %2;"
      : "=r"(*reinterpret_cast<unsigned*>(&r))
      : "r"(*reinterpret_cast<const unsigned*>(&a)), "r"(*reinterpret_cast<const unsigned*>(&b)));
  return r;
}

__global__ void compute(unsigned* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const float a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  unsigned ab, bc, ca, bf;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(ab) : "f"(b), "f"(a));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bc) : "f"(c), "f"(b));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(ca) : "f"(a), "f"(c));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bf) : "f"(b), "f"(a));
  unsigned r[12] = {ab, bf};
  asm("add.f16x2 %0, %1, %2;" : "=r"(r[2]) : "r"(ab), "r"(bc));
  asm("mul.f16x2 %0, %1, %2;" : "=r"(r[3]) : "r"(ab), "r"(bc));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r[4]) : "r"(ab), "r"(bc), "r"(ca));
  asm("sub.f16x2 %0, %1, %2;" : "=r"(r[5]) : "r"(ab), "r"(bc));
  asm("max.f16x2 %0, %1, %2;" : "=r"(r[6]) : "r"(ab), "r"(bc));
  asm("neg.f16x2 %0, %1;" : "=r"(r[7]) : "r"(ab));
  asm("fma.rn.bf16x2 %0, %1, %1, %2;" : "=r"(r[8]) : "r"(bf), "r"(bf));
  unsigned short h0, h1, h2;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h0) : "f"(a));
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h1) : "f"(b));
  asm("{ fma.rn.f16 %0, %1, %2, %1; }" : "=h"(h2) : "h"(h0), "h"(h1));
  r[9] = h2;
  float back;
  asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(h2));
  r[10] = back != back ? 0x7fffffffu : __float_as_uint(back);
  asm("{\n\t.reg .b16 lo, hi;\n\tmov.b32 {lo, hi}, %1;\n\tmov.b32 %0, {hi, lo};\n\t}" : "=r"(r[11]) : "r"(ab));
  const __half2 sum = add2(*reinterpret_cast<__half2*>(&ab), *reinterpret_cast<__half2*>(&ca));
  r[1] ^= *reinterpret_cast<const unsigned*>(&sum);
  for (int k = 0; k < 12; ++k)
    out[i * 12 + k] = r[k];
}

__global__ void approximate(float* out) {
  unsigned short h, r;
  unsigned two = 0x38003c00u, r2; // 0.5, 1
  h = __half_as_ushort(__float2half(0.5f));
  asm("ex2.approx.f16 %0, %1;" : "=h"(r) : "h"(h));
  out[0] = __half2float(__ushort_as_half(r));
  asm("tanh.approx.f16 %0, %1;" : "=h"(r) : "h"(h));
  out[1] = __half2float(__ushort_as_half(r));
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(r2) : "r"(two));
  out[2] = __half2float(__ushort_as_half((unsigned short)r2));
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(r2) : "r"(two));
  out[3] = __half2float(__ushort_as_half((unsigned short)(r2 >> 16)));
}

int main() {
  const int n = 4096;
  float *in, *few;
  unsigned* out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&few, 4 * sizeof(float));
  cudaMallocManaged(&out, n * 12 * sizeof(unsigned));
  unsigned x = 3;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    in[i] = (int(x >> 8) % 2001 - 1000) * 0.037f;
  }
  compute<<<n / 256, 256>>>(out, in, n);
  approximate<<<1, 1>>>(few);
  cudaDeviceSynchronize();
  for (int k = 0; k < 12; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 12 + k]) * 1099511628211ull;
    printf("%2d %016llx %08x\n", k, h, out[100 * 12 + k]);
  }
  for (int k = 0; k < 4; ++k)
    printf("%.2f\n", few[k]);
  return 0;
}

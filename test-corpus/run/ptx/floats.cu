// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point instructions of inline PTX: rounding modes, flushed subnormals, comparisons with
// NaN, conversions. The approximate ones are printed with few digits.
#include <cmath>
#include <cstdio>

__global__ void exact(unsigned* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const float a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  float r[24];
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r[0]) : "f"(a), "f"(b));
  asm("add.rz.f32 %0, %1, %2;" : "=f"(r[1]) : "f"(a), "f"(b));
  asm("sub.rm.f32 %0, %1, %2;" : "=f"(r[2]) : "f"(a), "f"(b));
  asm("mul.rp.f32 %0, %1, %2;" : "=f"(r[3]) : "f"(a), "f"(b));
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r[4]) : "f"(a), "f"(b), "f"(c));
  asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(r[5]) : "f"(a), "f"(b), "f"(c));
  asm("div.rn.f32 %0, %1, %2;" : "=f"(r[6]) : "f"(a), "f"(b));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r[7]) : "f"(a));
  asm("rcp.rn.f32 %0, %1;" : "=f"(r[8]) : "f"(a));
  asm("min.f32 %0, %1, %2;" : "=f"(r[9]) : "f"(a), "f"(b));
  asm("max.f32 %0, %1, %2;" : "=f"(r[10]) : "f"(a), "f"(b));
  asm("abs.f32 %0, %1;" : "=f"(r[11]) : "f"(a));
  asm("neg.f32 %0, %1;" : "=f"(r[12]) : "f"(a));
  asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r[13]) : "f"(a), "f"(b));
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(r[14]) : "f"(a), "f"(0.25f));
  asm("add.rn.sat.f32 %0, %1, %2;" : "=f"(r[15]) : "f"(a), "f"(b));
  asm("copysign.f32 %0, %1, %2;" : "=f"(r[16]) : "f"(a), "f"(b));
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(r[17]) : "f"(a));
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(r[18]) : "f"(a));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r[19]) : "r"(__float_as_int(a)));
  asm("cvt.rz.f32.u64 %0, %1;" : "=f"(r[20]) : "l"((unsigned long long)__float_as_uint(a) << 20 | 7));
  asm("mov.b32 %0, %1;" : "=f"(r[21]) : "r"(__float_as_uint(b)));
  asm("mov.f32 %0, 0f40490FDB;" : "=f"(r[22]));
  asm("{ .reg .f64 t; cvt.f64.f32 t, %1; mul.rn.f64 t, t, 0d3FF8000000000000; cvt.rn.f32.f64 %0, t; }"
      : "=f"(r[23]) : "f"(a));
  unsigned u[16];
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(u[0]) : "f"(a));
  asm("cvt.rni.u32.f32 %0, %1;" : "=r"(u[1]) : "f"(a));
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(u[2]) : "f"(a));
  asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(u[3]) : "f"(a), "f"(b));
  asm("set.ltu.u32.f32 %0, %1, %2;" : "=r"(u[4]) : "f"(a), "f"(b));
  asm("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(u[5]) : "f"(a), "f"(b));
  asm("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(u[6]) : "f"(a), "f"(b));
  asm("{ .reg .pred p; setp.num.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(u[7]) : "f"(a), "f"(b));
  asm("{ .reg .pred p, q; setp.ge.f32 p|q, %1, %2; selp.u32 %0, 1, 0, q; }"
      : "=r"(u[8]) : "f"(a), "f"(b));
  asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(u[9]) : "f"(a));
  asm("{ .reg .pred p, q; setp.lt.f32 q, %2, 0f00000000; setp.gt.and.f32 p, %1, %2, q; selp.u32 %0, 5, 9, p; }"
      : "=r"(u[10]) : "f"(a), "f"(b));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u[11]) : "f"(a));
  asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(u[12]) : "f"(a));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u[13]) : "r"(__float_as_int(a) >> 20));
  asm("cvt.s32.s16 %0, %1;" : "=r"(u[14]) : "h"((short)__float_as_int(a)));
  asm("cvt.u32.u16 %0, %1;" : "=r"(u[15]) : "h"((unsigned short)__float_as_int(b)));
  for (int k = 0; k < 24; ++k)
    // A NaN is a NaN: its bits differ between instructions.
    out[i * 40 + k] = r[k] != r[k] ? 0x7fffffffu : __float_as_uint(r[k]);
  for (int k = 0; k < 16; ++k)
    out[i * 40 + 24 + k] = u[k];
}

__global__ void doubles(unsigned long long* out, const double* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const double a = in[i], b = in[(i + 1) % n];
  double r[6];
  long long l[2];
  asm("add.rn.f64 %0, %1, %2;" : "=d"(r[0]) : "d"(a), "d"(b));
  asm("fma.rn.f64 %0, %1, %2, %1;" : "=d"(r[1]) : "d"(a), "d"(b));
  asm("div.rn.f64 %0, %1, %2;" : "=d"(r[2]) : "d"(a), "d"(b));
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r[3]) : "d"(fabs(a)));
  asm("max.f64 %0, %1, %2;" : "=d"(r[4]) : "d"(a), "d"(b));
  asm("cvt.rn.f64.s64 %0, %1;" : "=d"(r[5]) : "l"((long long)(a * 1e6)));
  asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(l[0]) : "d"(a * 1000));
  asm("mov.b64 %0, %1;" : "=l"(l[1]) : "d"(b));
  for (int k = 0; k < 6; ++k)
    asm("mov.b64 %0, %1;" : "=l"(out[i * 8 + k]) : "d"(r[k]));
  out[i * 8 + 6] = l[0];
  out[i * 8 + 7] = l[1];
}

__global__ void approximate(float* out, float x) {
  asm("ex2.approx.f32 %0, %1;" : "=f"(out[0]) : "f"(x));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out[1]) : "f"(-140.0f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(out[2]) : "f"(x));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(out[3]) : "f"(x));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(out[4]) : "f"(x));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(out[5]) : "f"(x));
  asm("sin.approx.f32 %0, %1;" : "=f"(out[6]) : "f"(x));
  asm("cos.approx.f32 %0, %1;" : "=f"(out[7]) : "f"(x));
  asm("tanh.approx.f32 %0, %1;" : "=f"(out[8]) : "f"(x));
  asm("div.approx.f32 %0, %1, %2;" : "=f"(out[9]) : "f"(x), "f"(3.0f));
  asm("div.full.f32 %0, %1, %2;" : "=f"(out[10]) : "f"(x), "f"(7.0f));
}

int main() {
  const int n = 2048;
  float *in, *few;
  double* ind;
  unsigned* out;
  unsigned long long* outd;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&ind, n * sizeof(double));
  cudaMallocManaged(&few, 11 * sizeof(float));
  cudaMallocManaged(&out, n * 40 * sizeof(unsigned));
  cudaMallocManaged(&outd, n * 8 * sizeof(unsigned long long));
  unsigned x = 7;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    in[i] = (int(x >> 8) % 20001 - 10000) * (i % 3 ? 0.01f : 1e-42f);
    ind[i] = (int(x >> 5) % 2000001 - 1000000) * 0.001;
  }
  in[0] = 0.0f, in[1] = -0.0f, in[2] = INFINITY, in[3] = -INFINITY, in[4] = NAN, in[5] = 1e-40f;
  in[6] = 3e9f, in[7] = -3e9f, in[8] = 0.5f, in[9] = 1.5f, in[10] = 2.5f, in[11] = 3.4e38f;
  exact<<<n / 128, 128>>>(out, in, n);
  doubles<<<n / 128, 128>>>(outd, ind, n);
  approximate<<<1, 1>>>(few, 0.75f);
  cudaDeviceSynchronize();
  for (int k = 0; k < 40; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 40 + k]) * 1099511628211ull;
    printf("%2d %016llx", k, h);
    for (int i = 0; i < 12; ++i)
      printf(" %x", out[i * 40 + k]);
    printf("\n");
  }
  for (int k = 0; k < 8; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ outd[i * 8 + k]) * 1099511628211ull;
    printf("d%d %016llx\n", k, h);
  }
  for (int k = 0; k < 11; ++k)
    printf("%.2f\n", few[k]);
  return 0;
}

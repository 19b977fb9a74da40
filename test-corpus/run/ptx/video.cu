// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions of inline PTX: whole registers, halves and bytes, with a second operation.
#include <cstdio>

__global__ void compute(unsigned* out, const unsigned* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  unsigned r[20];
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r[0]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r[1]) : "r"(a), "r"(b), "r"(0));
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(a), "r"(b), "r"(0));
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r[3]) : "r"(a), "r"(b), "r"(0));
  asm("vsub4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(r[4]) : "r"(a), "r"(b), "r"(0));
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r[5]) : "r"(a), "r"(b), "r"(0));
  asm("vmin4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r[6]) : "r"(a), "r"(b), "r"(0));
  asm("vmax4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r[7]) : "r"(a), "r"(b), "r"(0));
  asm("vadd2.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r[8]) : "r"(a), "r"(b), "r"(0));
  asm("vsub2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r[9]) : "r"(a), "r"(b), "r"(0));
  asm("vabsdiff2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r[10]) : "r"(a), "r"(b), "r"(0));
  asm("vmax2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r[11]) : "r"(a), "r"(b), "r"(0));
  asm("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r[12]) : "r"(a), "r"(b & 63), "r"(c));
  asm("vshl.u32.u32.u32.wrap %0, %1, %2;" : "=r"(r[13]) : "r"(a), "r"(b & 63));
  asm("vadd.s32.s32.s32.sat %0, %1, %2;" : "=r"(r[14]) : "r"(a), "r"(b));
  asm("vabsdiff.u32.s32.s32 %0, %1, %2;" : "=r"(r[15]) : "r"(a), "r"(b));
  asm("vabsdiff.u32.u32.u32.add %0, %1.b0, %2.b1, %3;" : "=r"(r[16]) : "r"(a), "r"(b), "r"(c));
  asm("vmax.s32.s32.s32.min %0, %1, %2, %3;" : "=r"(r[17]) : "r"(a), "r"(b), "r"(c));
  asm("vsub.s32.u32.u32 %0, %1.h1, %2.h0;" : "=r"(r[18]) : "r"(a), "r"(b));
  asm("vmin.u32.u32.u32 %0, %1, %2;" : "=r"(r[19]) : "r"(a), "r"(b));
  for (int k = 0; k < 20; ++k)
    out[i * 20 + k] = r[k];
}

int main() {
  const int n = 4096;
  unsigned *in, *out;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&out, n * 20 * sizeof(unsigned));
  unsigned x = 31;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    in[i] = x ^ x >> 15;
  }
  compute<<<n / 128, 128>>>(out, in, n);
  cudaDeviceSynchronize();
  for (int k = 0; k < 20; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 20 + k]) * 1099511628211ull;
    printf("%2d %016llx %08x\n", k, h, out[5 * 20 + k]);
  }
  return 0;
}
